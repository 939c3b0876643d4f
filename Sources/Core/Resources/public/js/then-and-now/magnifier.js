import { element } from "../web/element.js";
import { draw, put } from "./pair-geometry.js";

/** The factor by which the glass enlarges, its size in pixels, and its distance from the finger. */
const times = 3;
const glass = 132;
const distance = 44;

/** A round magnifying glass above a finger, which shows what is under it. Decoration for assistive technology. */
export class Magnifier {
  #glass = element("div", { class: "magnifier", "aria-hidden": "true", hidden: true });
  /**
   * The enlarged copy of each half that was shown.
   *
   * @type {Map<HTMLElement, HTMLElement>}
   */
  #copies = new Map();

  /** @param {HTMLElement} root gets the glass @param {AbortSignal} signal removes it */
  constructor(root, signal) {
    root.append(this.#glass);
    signal.addEventListener("abort", () => this.#glass.remove());
  }

  /**
   * @param {HTMLElement} half on the page
   * @param {object} look how the half is drawn
   * @param {{x: number, y: number}} point in the half's unit square
   */
  show(half, look, point) {
    const { left, top, width, height } = half.getBoundingClientRect();
    const copy = this.#copyOf(half);
    const enlarged = { width: width * times, height: height * times };
    put(copy, { x: 0, y: 0, ...enlarged });
    draw(copy, enlarged, look);
    const shift = { x: glass / 2 - point.x * enlarged.width, y: glass / 2 - point.y * enlarged.height };
    copy.style.transform = `translate(${shift.x}px, ${shift.y}px)`;
    this.#glass.replaceChildren(copy);
    this.#glass.hidden = false;
    this.#place(left + point.x * width, top + point.y * height);
  }

  hide() {
    this.#glass.hidden = true;
  }

  #copyOf(half) {
    const copy = this.#copies.get(half) ?? half.cloneNode(true);
    this.#copies.set(half, copy);
    return copy;
  }

  /** Places the glass above the finger, or beside it where there is no room. */
  #place(x, y) {
    const isRoomAbove = y - distance - glass > 4;
    const beside = x > innerWidth / 2 ? x - distance - glass : x + distance;
    const left = isRoomAbove ? x - glass / 2 : beside;
    const top = isRoomAbove ? y - distance - glass : y - glass / 2;
    const within = (value, room) => Math.min(room - glass - 4, Math.max(4, value));
    this.#glass.style.left = `${within(left, innerWidth)}px`;
    this.#glass.style.top = `${within(top, innerHeight)}px`;
  }
}
