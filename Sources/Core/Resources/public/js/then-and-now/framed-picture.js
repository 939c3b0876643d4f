import { middle, panned, pictureOf, rounded, zoomed } from "../photos/placing.js";
import { Gesture } from "../web/gesture.js";
import { enlargementOf, ways } from "../web/moving-keys.js";

/** The largest factor by which a picture may be enlarged. */
const largest = 3;

/** Pixels that an arrow key moves a picture, and with Shift; how much a key enlarges. */
const step = 24;
const small = 4;
const enlargement = 1.15;

/** How much a turn of the wheel enlarges: a notch, and a pinch on a touchpad, which comes as a wheel with Ctrl. */
const notch = 0.0022;
const touchpad = 0.012;

/** Pixels of a line, for wheels that count lines. */
const line = 24;

/**
 * A picture that covers a frame and is panned and zoomed in it by fingers, mouse, wheel and keys.
 *
 * The part that the frame shows is a `View`, as in a collage's cell. The server renders from the same numbers.
 * Fires `changed` whenever the picture is drawn: the view or the frame's size has changed.
 */
export class FramedPicture extends EventTarget {
  view = middle;
  /**
   * The size of the upright picture in pixels; null while there is none.
   *
   * @type {{width: number, height: number} | null}
   */
  size = null;
  #pane;
  #picture;
  #name;

  /**
   * @param {HTMLElement} pane the frame
   * @param {HTMLImageElement} picture in the frame
   * @param {string} name of the picture: "Past photo"
   * @param {AbortSignal} signal ends the listening
   */
  constructor(pane, picture, name, signal) {
    super();
    this.#pane = pane;
    this.#picture = picture;
    this.#name = name;
    const move = (step) => this.#move(step);
    new Gesture(pane, { start: () => this.size !== null, move, end: () => {} }, signal);
    pane.addEventListener("wheel", (event) => this.#turn(event), { signal, passive: false });
    pane.addEventListener("keydown", (event) => this.#press(event), { signal });
    const observer = new ResizeObserver(() => this.#draw());
    observer.observe(pane);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /**
   * The frame, in CSS pixels.
   *
   * @returns {{x: number, y: number, width: number, height: number}}
   */
  get frame() {
    const { width, height } = this.#pane.getBoundingClientRect();
    return { x: 0, y: 0, width, height };
  }

  /** @param {{width: number, height: number}} size of the picture @param {typeof middle} [view] */
  show(size, view = middle) {
    this.size = size;
    this.look(view);
    this.#pane.tabIndex = 0;
  }

  /** Removes the picture. */
  clear() {
    this.size = null;
    this.#pane.removeAttribute("tabindex");
    this.#pane.removeAttribute("role");
    this.#pane.removeAttribute("aria-label");
  }

  /**
   * Shows another part of the picture.
   *
   * @param {typeof middle} view
   */
  look(view) {
    this.view = rounded(view);
    this.#draw();
  }

  /** Places an element in another frame of the same size, as the picture is placed in its own. */
  place(element) {
    const { x, y, width, height } = pictureOf(this.frame, this.size, this.view);
    Object.assign(element.style, {
      width: `${width}px`,
      height: `${height}px`,
      transform: `translate(${x}px, ${y}px)`,
    });
  }

  #draw() {
    if (!this.size) return;
    this.place(this.#picture);
    this.#pane.role = "group";
    const zoom = Math.round(this.view.zoom * 10) / 10;
    this.#pane.ariaLabel = `${this.#name}, ${zoom === 1 ? "not enlarged" : `enlarged ${zoom} times`}`;
    this.dispatchEvent(new Event("changed"));
  }

  #move({ dx, dy, factor, x, y }) {
    this.#pan(dx, dy);
    if (factor !== 1) this.#zoom(factor, this.#point(x, y));
  }

  #turn(event) {
    if (!this.size) return;
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? line : 1);
    const factor = Math.exp(-pixels * (event.ctrlKey ? touchpad : notch));
    this.#zoom(factor, this.#point(event.clientX, event.clientY));
  }

  #press(event) {
    if (!this.size || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = ways[event.key];
    const factor = enlargementOf(event.key, enlargement);
    if (!way && !factor && event.key !== "0") return;
    event.preventDefault();
    const length = event.shiftKey ? small : step;
    const { width, height } = this.frame;
    if (way) this.#pan(way[0] * length, way[1] * length);
    else if (factor) this.#zoom(factor, { x: width / 2, y: height / 2 });
    else this.look(middle);
  }

  #pan(dx, dy) {
    this.look(panned(this.frame, this.size, this.view, dx, dy));
  }

  #zoom(factor, point) {
    this.look(zoomed(this.frame, this.size, this.view, factor, point, largest));
  }

  /** Converts a point of the window into one of the frame. */
  #point(x, y) {
    const { left, top } = this.#pane.getBoundingClientRect();
    return { x: x - left, y: y - top };
  }
}
