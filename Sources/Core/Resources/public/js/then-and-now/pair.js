/** The crop of a pair that isn't aligned: the whole frame. */
const whole = { x: 0, y: 0, width: 1, height: 1 };

/** The numbers of a pair, from its element's `data-` attributes and from the server's answers. */
export class Pair {
  #data;
  /** Whether the pair is drawn as if it weren't aligned, to compare. */
  isPlain = false;

  /** @param {HTMLElement} element with `data-id`, `-aspect`, `-past-view`, `-now-view`, `-mode`, `-alignment`… */
  constructor(element) {
    this.#data = element.dataset;
  }

  get id() {
    return this.#data.id;
  }

  get path() {
    return `/api/v1/rephotographs/${this.id}`;
  }

  get aspect() {
    return Number(this.#data.aspect);
  }

  get mode() {
    return /** @type {import("./pair-geometry.js").Mode} */ (this.#data.mode);
  }

  set mode(mode) {
    this.#data.mode = mode;
  }

  /** @returns {number[] | null} takes the unit square of the now half to that of the then half */
  get map() {
    return this.#data.transform && !this.isPlain ? numbers(this.#data.transform) : null;
  }

  /**
   * Returns how one of the photos is shown: crop, view and map.
   *
   * @param {"then" | "now"} side
   */
  look(side) {
    const [zoom, x, y] = numbers(side === "then" ? this.#data.pastView : this.#data.nowView);
    return { crop: this.#crop, view: { zoom, x, y }, map: side === "now" ? this.map : null };
  }

  get #crop() {
    if (!this.#data.crop || this.isPlain) return whole;
    const [x, y, width, height] = numbers(this.#data.crop);
    return { x, y, width, height };
  }

  /**
   * Takes over an alignment.
   *
   * @param {object} alignment as the JSON interface has it
   */
  align({ state, by, reason, transform, crop }) {
    const isAligned = state === "aligned" && transform;
    this.#data.alignment = isAligned ? by ?? "automatic" : state;
    this.#data.transform = isAligned ? transform.join(" ") : "";
    this.#data.crop = isAligned ? [crop.x, crop.y, crop.width, crop.height].join(" ") : "";
    this.isPlain = false;
    return reason ?? "";
  }
}

function numbers(text) {
  return text.split(" ").map(Number);
}
