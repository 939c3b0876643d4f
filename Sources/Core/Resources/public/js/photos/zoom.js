import { rubberBand } from "../web/gesture.js";

/** The largest factor by which a photo may be enlarged, and the factor of a double tap. */
const largest = 5;
const doubleTap = 2.5;

/**
 * The enlargement and position of a picture within a window. Pure numbers: pixels from the middle of the window, and a
 * factor.
 */
export class Zoom {
  scale = 1;
  x = 0;
  y = 0;

  /**
   * @param {{width: number, height: number}} frame the window, in pixels
   * @param {number} width of the picture, in any unit
   * @param {number} height of the picture, in the same
   */
  constructor(frame, width, height) {
    const fit = Math.min(frame.width / width, frame.height / height);
    this.frame = frame;
    this.picture = { width: width * fit, height: height * fit };
  }

  get isZoomed() {
    return this.scale > 1.01;
  }

  /** Enlarges by `factor` about a point, given from the middle of the window. */
  pinch(factor, x, y) {
    const scale = Math.min(largest, Math.max(0.7, this.scale * factor));
    const change = scale / this.scale;
    this.x = x - (x - this.x) * change;
    this.y = y - (y - this.y) * change;
    this.scale = scale;
  }

  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
  }

  /** Enlarges the picture about a point as a double tap does, or shows the whole picture again. */
  toggle(x, y) {
    if (this.isZoomed) Object.assign(this, { scale: 1, x: 0, y: 0 });
    else this.pinch(doubleTap, x, y);
    this.settle();
  }

  /** Brings the picture to rest: never smaller than the window, and without a gap at a side that it can fill. */
  settle() {
    this.scale = Math.max(1, this.scale);
    this.x = within(this.x, this.#reach("width"));
    this.y = within(this.y, this.#reach("height"));
  }

  /** The CSS transform. Beyond the edges the picture follows less and less. */
  get transform() {
    const resist = (value, reach, room) => {
      const inside = within(value, reach);
      return inside + rubberBand(value - inside, room);
    };
    const x = resist(this.x, this.#reach("width"), this.frame.width);
    const y = resist(this.y, this.#reach("height"), this.frame.height);
    return `translate(${x}px, ${y}px) scale(${this.scale})`;
  }

  /** Returns how far the enlarged picture may move from the middle. */
  #reach(side) {
    return Math.max(0, (this.picture[side] * this.scale - this.frame[side]) / 2);
  }
}

function within(value, reach) {
  return Math.min(reach, Math.max(-reach, value));
}
