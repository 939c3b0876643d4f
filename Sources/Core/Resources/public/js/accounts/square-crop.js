/**
 * Which square of a picture becomes the portrait. Pure numbers: the picture covers a square
 * frame, enlarged by `zoom`, and never leaves a gap in it.
 */
export class SquareCrop {
  zoom = 1;
  #x;
  #y;

  /**
   * @param {number} width of the picture, in its own pixels
   * @param {number} height
   * @param {number} frame side of the square, in CSS pixels
   */
  constructor(width, height, frame) {
    this.width = width;
    this.height = height;
    this.frame = frame;
    this.#x = (frame - width * this.#scale) / 2;
    this.#y = (frame - height * this.#scale) / 2;
  }

  /** The size of one pixel of the picture in CSS pixels. */
  get #scale() {
    return (this.frame / Math.min(this.width, this.height)) * this.zoom;
  }

  /** Moves by CSS pixels, and zooms by a factor. */
  move(dx, dy, factor = 1) {
    this.#x += dx;
    this.#y += dy;
    this.zoomTo(this.zoom * factor);
  }

  /** Zooms about the middle of the frame. */
  zoomTo(zoom) {
    const before = this.#scale;
    this.zoom = Math.min(4, Math.max(1, zoom));
    const change = this.#scale / before;
    const middle = this.frame / 2;
    const place = (value, side) => {
      const least = this.frame - side * this.#scale;
      return Math.min(0, Math.max(least, middle - (middle - value) * change));
    };
    this.#x = place(this.#x, this.width);
    this.#y = place(this.#y, this.height);
  }

  /** The square in parts of the picture: of its width, its height, and its shorter side. */
  get unit() {
    return {
      x: -this.#x / (this.width * this.#scale),
      y: -this.#y / (this.height * this.#scale),
      size: 1 / this.zoom,
    };
  }

  /** The style that draws the picture in its frame. */
  get css() {
    const [width, height] = [this.width * this.#scale, this.height * this.#scale];
    return `width: ${width}px; height: ${height}px; translate: ${this.#x}px ${this.#y}px;`;
  }
}
