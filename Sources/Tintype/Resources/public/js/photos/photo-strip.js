import { rubberBand } from "../web/gesture.js";
import { prefersStillness } from "../web/motion.js";
import { Pull } from "./pull.js";
import { Zoom } from "./zoom.js";

/** Pixels between two photos. */
const gap = 24;

const spring = { duration: 320, easing: "cubic-bezier(.32, .72, 0, 1)" };

/**
 * A photo on the stage with its neighbours left and right, under the finger: it slides
 * sideways, sinks when pulled down, and can be pinched and moved inside.
 *
 * Each picture fills the stage and shows its photo whole within (`object-fit: contain`).
 */
export class PhotoStrip {
  #stage;
  #picture;
  /** @type {{prev: HTMLElement | null, next: HTMLElement | null}} */
  #neighbours = { prev: null, next: null };
  /** @type {Zoom} */
  #zoom;
  #pull = new Pull();

  /** @param {HTMLElement} stage holds the `<img>` of the photo */
  constructor(stage) {
    this.#stage = stage;
    this.#picture = stage.querySelector("img");
    this.fit();
  }

  /** Whether a finger is moving the photo. */
  get isPulled() {
    return this.#pull.way !== null;
  }

  get #width() {
    return this.#stage.clientWidth + gap;
  }

  /** Measures anew: another photo, or another size of the window. */
  fit() {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    this.#zoom = new Zoom({ width, height }, this.#size("width"), this.#size("height"));
    this.#picture.style.gridArea = "1 / 1";
    this.#draw();
  }

  /** Of the whole photo, as the server wrote it: the picture may not be there yet. */
  #size(side) {
    return Number(this.#picture.getAttribute(side));
  }

  /** @param {"prev" | "next"} side @param {HTMLImageElement | null} picture */
  place(side, picture) {
    this.#neighbours[side]?.remove();
    this.#neighbours[side] = picture;
    if (!picture) return;
    picture.ariaHidden = "true";
    picture.style.gridArea = "1 / 1";
    this.#stage.append(picture);
    this.#draw();
  }

  /** One step of the fingers. */
  move({ dx, dy, factor, x, y, fingers }) {
    if (fingers === 2 || this.#zoom.isZoomed) {
      const from = this.#fromMiddle(x, y);
      this.#zoom.pan(dx, dy);
      this.#zoom.pinch(factor, from.x, from.y);
    } else {
      this.#pull.add(dx, dy);
    }
    this.#draw();
  }

  /**
   * The fingers let go.
   *
   * @param {{vx: number, vy: number}} speed
   * @returns {"prev" | "next" | "close" | null} what they want; null when the photo stays
   */
  release(speed) {
    const verdict = this.#pull.verdict(speed, this.#width);
    if (!verdict) this.rest();
    return verdict;
  }

  /** Back to where it was. */
  rest() {
    return this.#animate(() => {
      this.#zoom.settle();
      this.#pull = new Pull();
    });
  }

  zoomAt({ clientX, clientY }) {
    const { x, y } = this.#fromMiddle(clientX, clientY);
    return this.#animate(() => this.#zoom.toggle(x, y));
  }

  /** Slides to a neighbour, which becomes the photo. */
  async turn(side, picture) {
    if (this.#neighbours[side] !== picture) this.place(side, picture);
    const x = side === "prev" ? this.#width : -this.#width;
    await this.#animate(() => Object.assign(this.#pull, { x, y: 0 }));
    this.#stage.replaceChildren(picture);
    this.#neighbours = { prev: null, next: null };
    this.#picture = picture;
    picture.ariaHidden = null;
    this.#pull = new Pull();
    this.fit();
  }

  #fromMiddle(x, y) {
    const box = this.#stage.getBoundingClientRect();
    return { x: x - box.x - box.width / 2, y: y - box.y - box.height / 2 };
  }

  #draw() {
    const { x: across, y: down, way } = this.#pull;
    const width = this.#width;
    const isEnd = !this.#neighbours[across > 0 ? "prev" : "next"];
    const x = way === "down" ? 0 : isEnd ? rubberBand(across, width / 2) : across;
    const y = way === "down" ? Math.max(down, rubberBand(down, 60)) : 0;
    const sunk = Math.min(1, Math.max(0, y) / 400);
    const pulled = `translate(${x}px, ${y}px) scale(${1 - sunk * 0.3})`;
    this.#picture.style.transform = `${pulled} ${this.#zoom.transform}`;
    this.#stage.style.opacity = 1 - sunk * 0.6;
    for (const [side, place] of [["prev", -width], ["next", width]]) {
      const picture = this.#neighbours[side];
      if (picture) picture.style.transform = `translate(${x + place}px)`;
    }
  }

  /** Draws a change as a movement from where everything stands now. */
  async #animate(change) {
    const moving = [this.#picture, ...Object.values(this.#neighbours)].filter(Boolean);
    const before = moving.map((one) => one.style.transform);
    change();
    this.#draw();
    if (prefersStillness()) return;
    const steps = moving.map((one, index) =>
      one.animate({ transform: [before[index], one.style.transform] }, spring),
    );
    await Promise.allSettled(steps.map((step) => step.finished));
  }
}
