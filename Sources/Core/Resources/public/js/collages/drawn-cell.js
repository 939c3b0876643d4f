import { nameOf } from "./collage.js";
import { pictureOf } from "../photos/placing.js";
import { cornerOf } from "./geometry.js";

const namespace = "http://www.w3.org/2000/svg";

/** Makes an SVG element with attributes. */
export function shape(name, attributes = {}, ...children) {
  const made = document.createElementNS(namespace, name);
  set(made, attributes);
  made.append(...children);
  return made;
}

/** Sets attributes of an SVG element, which is drawn again only where they differ. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = typeof value === "number" ? String(Math.round(value * 1000) / 1000) : value;
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * One cell of the square: its photo in a window, and over it a link of the same size, with a plus and the name of the
 * person who is to fill the cell.
 */
export class DrawnCell {
  /** @type {SVGAElement} */
  link;
  /** @type {SVGImageElement | null} */
  image;
  /** What the cell shows now, so that only the photo needs to be drawn when it moves. */
  #frame;
  #size;
  #picture;
  #clip;
  #hole;
  #window;
  #face;
  #plus;
  #words;
  #mark;

  /**
   * @param {Element} clip what the server has drawn of the cell: the edge of its window
   * @param {Element} window with the photo, if there is one
   * @param {Element} link over the window
   */
  constructor(clip, window, link) {
    this.link = /** @type {SVGAElement} */ (link);
    this.image = window.querySelector("image");
    this.#clip = clip.firstElementChild;
    this.#window = window;
    this.#hole = window.firstElementChild;
    [this.#face, this.#plus, this.#mark] = link.children;
    this.#words = this.#plus.lastElementChild;
  }

  /** The photo that the image shows. */
  get photo() {
    return this.image?.getAttribute("href").split("/")[2];
  }

  /**
   * Takes an image of another cell, a new one, or none.
   *
   * @param {SVGImageElement | null} image
   */
  take(image) {
    if (this.image?.parentNode === this.#window) this.image.remove();
    this.image = image;
    if (image) this.#window.append(image);
  }

  /**
   * Draws a cell of a draft.
   *
   * @param {object} cell
   * @param {import("./geometry.js").Box} frame
   */
  show(cell, frame, radius, label) {
    this.#frame = frame;
    this.#size = cell.photo?.meta.original;
    const rx = cornerOf(frame, radius);
    for (const rect of [this.#clip, this.#hole, this.#face, this.#mark]) set(rect, { ...frame, rx });
    const { x, y, width, height } = frame;
    this.#plus.toggleAttribute("hidden", Boolean(cell.photo));
    set(this.#plus, { transform: `translate(${x + width / 2} ${y + height / 2})` });
    this.#words.textContent = cell.photo ? "" : wordsOf(cell);
    set(this.link, { "aria-label": label });
    this.link.toggleAttribute("data-filled", Boolean(cell.photo));
    if (!cell.photo) return;
    this.#picture = pictureOf(frame, this.#size, cell);
    set(this.image, this.#picture);
    Object.assign(this.image.style, { transform: "", willChange: "" });
  }

  /**
   * Draws only the photo, elsewhere in its frame, on a layer of its own, so that the browser repaints nothing. The next
   * `show()` draws it at its final place.
   *
   * @param {import("../photos/placing.js").View} view
   */
  look(view) {
    if (!this.image || !this.#size) return;
    const { x, y, width } = this.#picture;
    const there = pictureOf(this.#frame, this.#size, view);
    const scale = there.width / width;
    const [across, down] = [there.x - scale * x, there.y - scale * y];
    const transform = `translate(${across}px, ${down}px) scale(${scale})`;
    Object.assign(this.image.style, { transform, willChange: "transform" });
  }

  /** Marks the cell, for the style sheet: `data-selected`, `data-alarm`, `data-lifted`. */
  mark(name, isOn) {
    for (const part of [this.link, this.#window]) part.toggleAttribute(name, isOn);
  }

  remove() {
    this.#clip.parentElement.remove();
    this.#window.remove();
    this.link.remove();
  }
}

function wordsOf({ missing, assigned_to }) {
  if (missing) return "Photo deleted";
  return assigned_to ? nameOf(assigned_to) : "";
}
