import { element } from "../web/element.js";

/**
 * A picture on the page that is drawn in the background. While it rests it costs nothing: a canvas on which one draws
 * directly is copied by Chromium whenever anything on the page changes, even if nothing was drawn on it.
 */
export class Picture {
  /** The element. */
  canvas;
  #drawing = new OffscreenCanvas(1, 1);

  /** @param {Partial<HTMLCanvasElement>} [properties] of the element */
  constructor(properties = {}) {
    this.canvas = element("canvas", properties);
  }

  /**
   * Sets how many pixels it has when it is drawn next.
   *
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    // Even to the same number, it would take new memory.
    if (this.#drawing.width !== width || this.#drawing.height !== height) Object.assign(this.#drawing, { width, height });
  }

  /**
   * Draws it again.
   *
   * @param {(context: OffscreenCanvasRenderingContext2D) => void} draw on what is transparent; its unit is a pixel
   */
  draw(draw) {
    const context = this.#drawing.getContext("2d");
    context.save();
    draw(context);
    context.restore();
    const bitmap = this.#drawing.transferToImageBitmap();
    const { width, height } = bitmap;
    if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
    this.canvas.getContext("bitmaprenderer").transferFromImageBitmap(bitmap);
  }
}
