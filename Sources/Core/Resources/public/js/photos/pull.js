/** Pixels after which a pull has a direction, and pixels after which a pull down closes the viewer. */
const slack = 8;
const closing = 110;

/** Pixels a millisecond from which a flick decides, wherever the finger is. */
const flick = 0.35;

/** The pull of a finger on a photo, and its meaning. Pure numbers, in pixels. */
export class Pull {
  x = 0;
  y = 0;
  /** @type {"across" | "down" | null} set by the first clear movement */
  way = null;

  add(dx, dy) {
    this.x += dx;
    this.y += dy;
    const isClear = Math.hypot(this.x, this.y) > slack;
    if (isClear) this.way ??= Math.abs(this.x) > Math.abs(this.y) ? "across" : "down";
  }

  /**
   * Returns what happens when the finger lets go.
   *
   * @param {{vx: number, vy: number}} speed
   * @param {number} width from one photo to the next
   * @returns {"prev" | "next" | "close" | null} null when the photo stays
   */
  verdict({ vx, vy }, width) {
    if (this.way === "across") {
      const isFlick = Math.abs(vx) > flick && Math.sign(vx) === Math.sign(this.x);
      if (isFlick || Math.abs(this.x) > width / 2) return this.x > 0 ? "prev" : "next";
    }
    if (this.way === "down" && this.y > 0 && (vy > flick || this.y > closing)) return "close";
    return null;
  }
}
