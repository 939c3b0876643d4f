import { nameOf } from "./collage.js";
import { DrawnCell, set, shape } from "./drawn-cell.js";

/** Milliseconds for which empty cells stay marked. */
const alarm = 6_000;

/**
 * The square on the page, drawn from the draft. Nodes are kept as long as there is something for them to show, and
 * images go with their photos from cell to cell.
 */
export class Drawing {
  #square;
  #collage;
  #ground;
  #defs;
  /** Holds the photos, below all links. */
  #windows = shape("g");
  /** @type {DrawnCell[]} */
  #cells;
  /**
   * A photo that is being moved, and where it is.
   *
   * @type {{index: number, view: object} | null}
   */
  #held = null;
  #alarm;

  /** @param {SVGSVGElement} square as the server drew it @param {import("./collage.js").Collage} collage */
  constructor(square, collage) {
    this.#square = square;
    this.#collage = collage;
    this.#ground = square.querySelector(".ground");
    this.#defs = square.querySelector("defs");
    this.#ground.after(this.#windows);
    this.#cells = [...square.querySelectorAll("a.cell")].map((link, index) => this.#make(index, link));
    this.show();
  }

  /** Draws the draft, or how it would be. */
  show(draft = this.#collage.draft) {
    const { cells } = draft;
    set(this.#ground, { fill: draft.background });
    while (this.#cells.length > cells.length) this.#cells.pop().remove();
    while (this.#cells.length < cells.length) this.#cells.push(this.#make(this.#cells.length));
    this.#deal(cells);
    for (const [index, cell] of cells.entries()) {
      const frame = this.#collage.frame(index, draft);
      const label = `Cell ${index + 1} of ${cells.length}: ${contentOf(cell)}`;
      this.#cells[index].show(cell, frame, draft.corner_radius, label);
    }
    if (this.#held) this.hold(this.#held.index, this.#held.view);
  }

  /**
   * Draws a photo elsewhere in its cell, until `release()`.
   *
   * @param {import("../photos/placing.js").View} view
   */
  hold(index, view) {
    this.#held = { index, view };
    this.#cells[index]?.look(view);
  }

  release() {
    this.#held = null;
  }

  /** @returns {SVGAElement} */
  link(index) {
    return this.#cells[index].link;
  }

  /**
   * Outlines one cell as the one that is being changed, or none.
   *
   * @param {number} [index]
   */
  select(index) {
    this.#mark("data-selected", [index]);
  }

  /**
   * Shows one cell as the place of a photo that is under the finger, or none.
   *
   * @param {number} [index]
   */
  lift(index) {
    this.#mark("data-lifted", [index]);
  }

  /**
   * Makes some cells conspicuous for a while.
   *
   * @param {number[]} indices
   */
  alarm(indices) {
    clearTimeout(this.#alarm);
    this.#mark("data-alarm", indices);
    this.#alarm = setTimeout(() => this.#mark("data-alarm", []), alarm);
  }

  #mark(name, indices) {
    this.#cells.forEach((cell, index) => cell.mark(name, indices.includes(index)));
  }

  #make(index, link = null) {
    const href = `/collage/${this.#collage.draft.id}/cells/${index}`;
    const place = { href, defs: this.#defs, windows: this.#windows };
    const cell = new DrawnCell(index, link, place);
    if (!link) this.#square.append(cell.link);
    return cell;
  }

  /** Gives each cell the image of its photo: its own, one that another cell no longer needs, or a new one. */
  #deal(cells) {
    const wanted = cells.map(({ photo }) => photo?.id);
    const isRight = (cell, index) => cell.image && cell.photo === wanted[index];
    const wrong = this.#cells.filter((cell, index) => !isRight(cell, index));
    const free = wrong.map(({ image, photo }) => ({ image, photo })).filter(({ image }) => image);
    for (const cell of wrong) cell.take(null);
    for (const cell of wrong) {
      const photo = wanted[this.#cells.indexOf(cell)];
      const found = free.findIndex((one) => one.photo === photo);
      if (photo) cell.take(found < 0 ? imageOf(photo) : free.splice(found, 1)[0].image);
    }
  }
}

/** @param {string} photo its id */
function imageOf(photo) {
  const href = `/photos/${photo}/large`;
  return shape("image", { href, preserveAspectRatio: "none" });
}

function contentOf({ photo, missing, assigned_to }) {
  if (photo) return photo.description || "photo";
  if (missing) return "its photo was deleted";
  return assigned_to ? `for ${nameOf(assigned_to)}` : "empty";
}
