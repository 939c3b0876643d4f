import { nameOf } from "./collage.js";
import { Template } from "../web/template.js";
import { DrawnCell, set } from "./drawn-cell.js";

/** Milliseconds for which empty cells stay marked. */
const alarm = 6_000;

/**
 * The square on the page, drawn from the draft. Nodes are kept while they have something to show, and images move with
 * their photos from cell to cell.
 */
export class Drawing {
  #square;
  #collage;
  #ground;
  #defs;
  /** The element with the photos, below all links. */
  #windows;
  #cell;
  #photo;
  /** @type {DrawnCell[]} */
  #cells;
  /**
   * A photo that is being moved, and where it is.
   *
   * @type {{index: number, view: object} | null}
   */
  #held = null;
  #alarm;

  /**
   * @param {SVGSVGElement} square as the server drew it
   * @param {ParentNode} page with the templates `cell` and `photo`
   * @param {import("./collage.js").Collage} collage
   */
  constructor(square, page, collage) {
    this.#square = square;
    this.#collage = collage;
    this.#cell = Template.in(page, "cell");
    this.#photo = Template.in(page, "photo");
    this.#ground = square.querySelector(".ground");
    this.#defs = square.querySelector("defs");
    this.#windows = square.querySelector(".windows");
    const [clips, windows] = [this.#defs.children, this.#windows.children];
    const links = [...square.querySelectorAll("a.cell")];
    this.#cells = links.map((link, index) => new DrawnCell(clips[index], windows[index], link));
    this.show();
  }

  /** Draws the draft, or another one as a preview. */
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
   * Outlines the cell that is being changed, or none.
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
   * Highlights some cells for a while.
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

  #make(index) {
    const [clip, window, link] = this.#cell.fill({ index }).children;
    this.#defs.append(clip);
    this.#windows.append(window);
    this.#square.append(link);
    return new DrawnCell(clip, window, link);
  }

  /** @param {string} id of a photo @returns {SVGImageElement} */
  #imageOf(id) {
    return this.#photo.fill({ id }).querySelector("image");
  }

  /** Gives each cell the image of its photo: the one it has, one that another cell no longer needs, or a new one. */
  #deal(cells) {
    const wanted = cells.map(({ photo }) => photo?.id);
    const isRight = (cell, index) => cell.image && cell.photo === wanted[index];
    const wrong = this.#cells.filter((cell, index) => !isRight(cell, index));
    const free = wrong.map(({ image, photo }) => ({ image, photo })).filter(({ image }) => image);
    for (const cell of wrong) cell.take(null);
    for (const cell of wrong) {
      const photo = wanted[this.#cells.indexOf(cell)];
      const found = free.findIndex((one) => one.photo === photo);
      if (photo) cell.take(found < 0 ? this.#imageOf(photo) : free.splice(found, 1)[0].image);
    }
  }
}

function contentOf({ photo, missing, assigned_to }) {
  if (photo) return photo.description || "photo";
  if (missing) return "its photo was deleted";
  return assigned_to ? `for ${nameOf(assigned_to)}` : "empty";
}
