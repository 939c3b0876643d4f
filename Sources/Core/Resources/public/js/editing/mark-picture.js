import { drawMarks, textBox } from "./drawing.js";
import { Picture } from "./picture.js";

/**
 * @typedef {import("./edit.js").Text | import("./edit.js").Blur} Mark
 * @typedef {import("./geometry.js").Size} Size
 */

/** The parts of its height by which a letter may leave the box of its text. */
const swash = 0.5;

/** The longest side of what is drawn of a mark, in units: its middle is on the photo, so more is never seen. */
const farthest = 3;

/** The longest side of the picture, in pixels. */
const longest = 2048;

/**
 * The picture of a blurred part or a text while it is changed. It is as large as the mark and placed by its style, so a text
 * that is only moved or turned is not drawn again.
 */
export class MarkPicture {
  #picture = new Picture({ className: "mark", hidden: true });
  /** Measures texts. */
  #measuring = new OffscreenCanvas(1, 1).getContext("2d");
  /**
   * The size of the mark before it is turned, in units.
   *
   * @type {Size}
   */
  size = { width: 0, height: 0 };
  #perUnit;
  #sharpness;
  /**
   * The size of the picture, in pixels of the page.
   *
   * @type {Size}
   */
  #area = { width: 0, height: 0 };
  /** @type {Mark | null} */
  #drawn = null;

  /**
   * @param {number} perUnit pixels of the page for each unit
   * @param {number} sharpness pixels of the picture for each of the page, at most
   */
  constructor(perUnit, sharpness) {
    this.#perUnit = perUnit;
    this.#sharpness = sharpness;
  }

  /** The element. */
  get canvas() {
    return this.#picture.canvas;
  }

  /**
   * Shows a mark, or none.
   *
   * @param {Mark | undefined} mark
   * @param {() => import("./drawing.js").Layer[]} layers of the photo, for a blurred part
   */
  show(mark, layers) {
    this.canvas.hidden = !mark;
    if (mark && !(this.#drawn && isMoved(this.#drawn, mark))) this.#draw(mark, layers);
    this.#drawn = mark ?? null;
    if (!mark) return;
    const { width, height } = this.#area;
    const [left, top] = [mark.x * this.#perUnit - width / 2, mark.y * this.#perUnit - height / 2];
    this.canvas.style.transform = `translate(${left}px, ${top}px) rotate(${angleOf(mark)}deg)`;
  }

  /** Draws the mark again when it is shown next: the photo or a font has changed. */
  forget() {
    this.#drawn = null;
  }

  /**
   * Measures a mark, before it is turned, in units.
   *
   * @param {Mark} mark
   * @returns {Size}
   */
  sizeOf(mark) {
    if (mark.kind === "blur") return mark;
    const { width, height } = textBox(this.#measuring, mark, this.#perUnit);
    return { width: width / this.#perUnit, height: height / this.#perUnit };
  }

  #draw(mark, layers) {
    this.size = this.sizeOf(mark);
    const more = mark.kind === "text" ? 2 * swash * mark.size : 0;
    const sides = [this.size.width, this.size.height].map((side) => Math.min(side + more, farthest));
    const scale = Math.min(this.#perUnit * this.#sharpness, longest / Math.max(...sides));
    const [width, height] = sides.map((side) => Math.ceil(side * scale));
    const pixel = this.#perUnit / scale;
    this.#area = { width: width * pixel, height: height * pixel };
    Object.assign(this.canvas.style, { inlineSize: `${this.#area.width}px`, blockSize: `${this.#area.height}px` });
    this.#picture.resize(width, height);
    this.#picture.draw((context) => {
      context.translate(width / 2 - mark.x * scale, height / 2 - mark.y * scale);
      drawMarks(context, [mark.kind === "text" ? { ...mark, angle: 0 } : mark], scale, layers);
    });
  }
}

const angleOf = (mark) => (mark.kind === "text" ? mark.angle : 0);

/** Returns whether a text has been moved or turned at most. A blurred part looks different at each place. */
function isMoved(before, mark) {
  if (before === mark) return true;
  const { x, y, angle } = before;
  return mark.kind === "text" && JSON.stringify({ ...mark, x, y, angle }) === JSON.stringify(before);
}
