import { panned, zoomed } from "../photos/placing.js";
import { largest } from "./geometry.js";

/** Milliseconds without a further step after which a wheel or a key counts as resting. */
const rest = 300;

/**
 * A photo that is moved and enlarged in its cell: each step is drawn, and the last one becomes a change of the draft.
 */
export class Looking {
  #collage;
  #drawing;
  /** @type {{index: number, photo: object, view: import("../photos/placing.js").View} | null} */
  #now = null;
  #timer;

  /** @param {import("./collage.js").Collage} collage @param {import("./drawing.js").Drawing} drawing */
  constructor(collage, drawing, signal) {
    this.#collage = collage;
    this.#drawing = drawing;
    // A movement by the wheel must not be lost when the page is left.
    addEventListener("pagehide", () => this.end(), { signal });
  }

  /** Begins with a cell, or continues. Returns false when the person may not change its photo. */
  begin(index) {
    clearTimeout(this.#timer);
    const { photo, zoom, x, y } = this.#collage.draft.cells[index] ?? {};
    if (this.#now?.index === index && this.#now.photo.id === photo?.id) return true;
    this.end();
    if (!this.#collage.rights.mayChange(index)) return false;
    this.#now = { index, photo, view: { zoom, x, y } };
    return true;
  }

  /** The view that is drawn. */
  get view() {
    return this.#now?.view;
  }

  /** Moves the photo by pixels of the square. */
  pan(dx, dy) {
    this.#set((frame, size, view) => panned(frame, size, view, dx, dy));
  }

  /** Enlarges the photo about a point of the square. */
  zoom(factor, point) {
    this.#set((frame, size, view) => zoomed(frame, size, view, factor, point, largest));
  }

  /** Enlarges the photo about the middle of its cell. */
  zoomInPlace(factor) {
    const { x, y, width, height } = this.#collage.frame(this.#now.index);
    this.zoom(factor, { x: x + width / 2, y: y + height / 2 });
  }

  /** @param {Partial<import("../photos/placing.js").View>} view */
  set(view) {
    this.#set((frame, size, before) => ({ ...before, ...view }));
  }

  /** Ends the movement unless a further step comes soon. */
  endSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.end(), rest);
  }

  /** Makes what is drawn a change of the draft. */
  end() {
    clearTimeout(this.#timer);
    const now = this.#now;
    if (!now) return;
    this.#now = null;
    this.#drawing.release();
    // Another layout or another person may have put a different photo there meanwhile.
    if (this.#collage.draft.cells[now.index]?.photo?.id === now.photo.id) {
      this.#collage.look(now.index, now.view);
    }
    this.#drawing.show();
  }

  #set(change) {
    const now = this.#now;
    if (!now || now.index >= this.#collage.draft.cells.length) return;
    now.view = change(this.#collage.frame(now.index), now.photo.meta.original, now.view);
    this.#drawing.hold(now.index, now.view);
  }
}
