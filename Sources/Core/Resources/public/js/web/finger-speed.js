/** Milliseconds before a finger lets go whose moves count: what has rested longer has no speed. */
const recent = 100;

/** The speed with which a finger lets go, from where it was last. */
export class FingerSpeed {
  /** @type {{x: number, y: number, time: number}[]} */
  #places = [];

  /** @param {{x: number, y: number, time: number}} place in pixels, with the time stamp of its event */
  add(place) {
    this.#places = [...this.#places.slice(-5), place];
  }

  clear() {
    this.#places = [];
  }

  /**
   * Returns pixels a millisecond.
   *
   * @param {number} end the time stamp of the event with which the finger let go
   */
  at(end) {
    const places = this.#places.filter(({ time }) => end - time < recent);
    const [first, last] = [places[0], places.at(-1)];
    if (!first) return { vx: 0, vy: 0 };
    const time = Math.max(1, last.time - first.time);
    return { vx: (last.x - first.x) / time, vy: (last.y - first.y) / time };
  }
}
