import { rubberBand } from "../web/gesture.js";
import { prefersStillness } from "../web/motion.js";
import { Pull } from "./pull.js";
import { Zoom } from "./zoom.js";

/** Pixels between two photos. */
const gap = 24;

const spring = { duration: 320, easing: "cubic-bezier(.32, .72, 0, 1)" };

/**
 * A photo on the stage with its neighbours left and right. It follows the finger sideways, sinks when it is pulled
 * down, and can be pinched and moved inside.
 *
 * Each picture fills the stage. An `<img>` shows its photo whole within (`object-fit: contain`); another element has
 * a part `[data-zoom]`, which is what fingers enlarge.
 */
export class PhotoStrip {
  #stage;
  #picture;
  /** @type {{prev: HTMLElement | null, next: HTMLElement | null}} */
  #neighbours = { prev: null, next: null };
  /** @type {Zoom} */
  #zoom;
  #pull = new Pull();

  /** @param {HTMLElement} stage holds the photo */
  constructor(stage) {
    this.#stage = stage;
    this.#picture = /** @type {HTMLElement} */ (stage.firstElementChild);
    this.fit();
  }

  /** Whether a finger is moving the photo. */
  get isPulled() {
    return this.#pull.way !== null;
  }

  get #width() {
    return this.#stage.clientWidth + gap;
  }

  /** Measures again, for another photo or another size of the window. */
  fit() {
    const { offsetWidth: width, offsetHeight: height } = this.#enlarged;
    const frame = { width: width || 1, height: height || 1 };
    this.#zoom = new Zoom(frame, this.#size("width") || frame.width, this.#size("height") || frame.height);
    this.#picture.style.gridArea = "1 / 1";
    this.#draw();
  }

  /**
   * Measures again if the size of the photo has changed, and not that of a neighbour.
   *
   * @param {Element} picture
   */
  measure(picture) {
    if (picture === this.#picture) this.fit();
  }

  /**
   * The part that fingers enlarge: the whole picture, or a part of it.
   *
   * @returns {HTMLElement}
   */
  get #enlarged() {
    return this.#picture.querySelector("[data-zoom]") ?? this.#picture;
  }

  /** Returns a side of the whole photo, as the server wrote it, since the picture may not have loaded yet. */
  #size(side) {
    return Number(this.#enlarged.getAttribute(side));
  }

  /** @param {"prev" | "next"} side @param {HTMLElement | null} picture */
  place(side, picture) {
    this.#neighbours[side]?.remove();
    this.#neighbours[side] = picture;
    if (!picture) return;
    picture.ariaHidden = "true";
    picture.inert = true;
    picture.style.gridArea = "1 / 1";
    this.#stage.append(picture);
    this.#draw();
  }

  /** Moves or enlarges the photo by one step of the fingers. */
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
   * Ends the movement when the fingers let go.
   *
   * @param {{vx: number, vy: number}} speed
   * @returns {"prev" | "next" | "close" | null} what the person wants; null when the photo stays
   */
  release(speed) {
    const verdict = this.#pull.verdict(speed, this.#width);
    if (!verdict) this.rest();
    return verdict;
  }

  /** Moves the photo back to its place. */
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
    picture.inert = false;
    this.#pull = new Pull();
    this.fit();
  }

  #fromMiddle(x, y) {
    const box = this.#stage.getBoundingClientRect();
    const enlarged = this.#enlarged;
    const middle = { x: enlarged.offsetWidth / 2, y: enlarged.offsetHeight / 2 };
    for (let part = enlarged; part && part !== this.#stage; part = /** @type {HTMLElement} */ (part.offsetParent)) {
      middle.x += part.offsetLeft;
      middle.y += part.offsetTop;
    }
    return { x: x - box.x - middle.x, y: y - box.y - middle.y };
  }

  #draw() {
    const { x: across, y: down, way } = this.#pull;
    const width = this.#width;
    const isEnd = !this.#neighbours[across > 0 ? "prev" : "next"];
    const x = way === "down" ? 0 : isEnd ? rubberBand(across, width / 2) : across;
    const y = way === "down" ? Math.max(down, rubberBand(down, 60)) : 0;
    const sunk = Math.min(1, Math.max(0, y) / 400);
    const pulled = `translate(${x}px, ${y}px) scale(${1 - sunk * 0.3})`;
    const enlarged = this.#enlarged;
    const isWhole = enlarged === this.#picture;
    this.#picture.style.transform = isWhole ? `${pulled} ${this.#zoom.transform}` : pulled;
    if (!isWhole) enlarged.style.transform = this.#zoom.transform;
    enlarged.style.setProperty("--zoom", String(this.#zoom.scale));
    this.#picture.toggleAttribute("data-zoomed", this.#zoom.isZoomed);
    this.#stage.style.opacity = String(1 - sunk * 0.6);
    for (const [side, place] of /** @type {const} */ ([["prev", -width], ["next", width]])) {
      const picture = this.#neighbours[side];
      if (picture) picture.style.transform = `translate(${x + place}px)`;
    }
  }

  /** Draws a change as a movement from where everything is now. */
  async #animate(change) {
    const moving = [...new Set([this.#picture, this.#enlarged, ...Object.values(this.#neighbours)])].filter(Boolean);
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
