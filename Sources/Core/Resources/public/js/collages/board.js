import { side } from "./geometry.js";

/** The place of the square in the window, which converts points while the square has any size or is moving. */
export class Board {
  #square;
  #bounds;

  /** @param {SVGSVGElement} square */
  constructor(square) {
    this.#square = square;
    this.measure();
  }

  /** Measures again, as the window may have been turned or scrolled. */
  measure() {
    this.#bounds = this.#square.getBoundingClientRect();
  }

  /** Pixels of the window for each pixel of the square. */
  get scale() {
    return this.#bounds.width / side;
  }

  /**
   * Returns a point of the window as one of the square.
   *
   * @returns {import("./geometry.js").Point}
   */
  point(x, y) {
    return { x: (x - this.#bounds.left) / this.scale, y: (y - this.#bounds.top) / this.scale };
  }

  /**
   * Returns a box of the square as one of the window.
   *
   * @param {import("./geometry.js").Box} box
   */
  toWindow({ x, y, width, height }) {
    const { left, top } = this.#bounds;
    const { scale } = this;
    return { x: left + x * scale, y: top + y * scale, width: width * scale, height: height * scale };
  }
}
