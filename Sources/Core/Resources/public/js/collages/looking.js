import { panned, zoomed } from "../photos/placing.js";
import { largest } from "./geometry.js";

/** Milliseconds without a further step after which a wheel or a key has come to rest. */
const rest = 300;

/** A photo that is moved and enlarged in its cell: drawn at every step, a change of the draft when it comes to rest. */
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
    // What the wheel has begun must not be lost with the page.
    addEventListener("pagehide", () => this.end(), { signal });
  }

  /** Begins with a cell, or goes on with it. Returns false when its photo isn't the person's to change. */
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

  /** Enlarges it about a point of the square. */
  zoom(factor, point) {
    this.#set((frame, size, view) => zoomed(frame, size, view, factor, point, largest));
  }

  /** Enlarges it about the middle of its cell. */
  zoomInPlace(factor) {
    const { x, y, width, height } = this.#collage.frame(this.#now.index);
    this.zoom(factor, { x: x + width / 2, y: y + height / 2 });
  }

  /** @param {Partial<import("../photos/placing.js").View>} view */
  set(view) {
    this.#set((frame, size, before) => ({ ...before, ...view }));
  }

  /** Ends it unless a further step comes soon. */
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
    // Another layout or somebody else may have put another photo there meanwhile.
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
