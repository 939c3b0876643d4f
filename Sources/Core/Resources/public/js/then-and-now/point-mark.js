import { element } from "../web/element.js";
import { ways } from "../web/moving-keys.js";
import { titles } from "./plausibility.js";

/** Pixels that an arrow key moves a mark with Shift. */
const large = 10;

/**
 * A numbered mark on a photo, which is dragged by touch or mouse and moved by the arrow keys. Its name says its
 * position, such as "Point 1 on Then: 31 %, 40 %".
 */
export class PointMark {
  #button;
  #title;
  #field;
  /** Where the finger began to drag the mark, and where the mark was then. */
  #grip = null;

  /**
   * @param {number} index from 0
   * @param {"then" | "now"} side
   * @param {HTMLElement} field that the mark is on
   * @param {object} actions
   * @param {(point: {x: number, y: number}) => void} actions.moved called at each step; the unit square of the field
   * @param {(isHeld: boolean) => void} actions.held called when a finger begins to drag the mark and lets go
   * @param {() => void} actions.left called when the focus leaves the mark
   * @param {AbortSignal} signal ends the listening
   */
  constructor(index, side, field, actions, signal) {
    this.#title = `Point ${index + 1} on ${titles[side]}`;
    this.#field = field;
    const properties = { type: "button", class: "point-mark", "data-point": index + 1 };
    this.#button = element("button", properties, element("span", {}, `${index + 1}`));
    field.append(this.#button);
    const listen = (name, action) => this.#button.addEventListener(name, action, { signal });
    listen("pointerdown", (event) => this.#take(event, actions));
    listen("pointermove", (event) => this.#drag(event, actions));
    listen("pointerup", () => this.#release(actions));
    listen("pointercancel", () => this.#release(actions));
    listen("keydown", (event) => this.#press(event, actions));
    listen("blur", () => actions.left());
    signal.addEventListener("abort", () => this.#button.remove());
  }

  /** Places the mark at a point, and names that position. */
  show({ x, y }) {
    this.point = { x, y };
    this.#button.style.left = `${x * 100}%`;
    this.#button.style.top = `${y * 100}%`;
    this.#button.ariaLabel = `${this.#title}: ${Math.round(x * 100)} %, ${Math.round(y * 100)} %`;
  }

  #take(event, { held }) {
    if (event.button !== 0 || !event.isPrimary) return;
    this.#button.setPointerCapture(event.pointerId);
    this.#grip = { x: event.clientX, y: event.clientY, from: this.point };
    held(true);
  }

  #drag(event, { moved }) {
    if (!this.#grip || !event.isPrimary) return;
    const { x, y, from } = this.#grip;
    moved(this.#beside(from, event.clientX - x, event.clientY - y));
  }

  #release({ held }) {
    if (!this.#grip) return;
    this.#grip = null;
    held(false);
  }

  #press(event, { moved }) {
    const way = ways[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const length = event.shiftKey ? large : 1;
    moved(this.#beside(this.point, way[0] * length, way[1] * length));
  }

  /** Returns the point that is some pixels from another one, kept on the photo. */
  #beside({ x, y }, across, down) {
    const { width, height } = this.#field.getBoundingClientRect();
    const within = (value) => Math.min(1, Math.max(0, value));
    return { x: within(x + across / width), y: within(y + down / height) };
  }
}
