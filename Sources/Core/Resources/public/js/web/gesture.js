import { FingerSpeed } from "./finger-speed.js";

/**
 * One or two fingers (or the mouse) on an element, as small steps of panning, pinching and turning.
 *
 * The element gets `touch-action: none`, so that the browser doesn't scroll or zoom.
 */
export class Gesture {
  #element;
  #actions;
  /** @type {Map<number, {x: number, y: number}>} */
  #fingers = new Map();
  #speed = new FingerSpeed();
  /** The most fingers since the first came down. */
  #most = 0;

  /**
   * @param {HTMLElement} element
   * @param {object} actions
   * @param {(event: PointerEvent) => void | boolean} [actions.start] `false` declines
   * @param {(step: {dx: number, dy: number, factor: number, turn: number, x: number, y: number,
   *   fingers: number}) => void} actions.move pixels moved, and the factor by which two fingers
   *   spread and the degrees by which they turn clockwise, about the point `x`, `y` of the window
   * @param {(end: {vx: number, vy: number, fingers: number}) => void} actions.end pixels a millisecond, and how many
   *   fingers there were at most
   * @param {AbortSignal} signal ends the listening
   */
  constructor(element, actions, signal) {
    this.#element = element;
    this.#actions = actions;
    element.style.touchAction = "none";
    element.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    // On the document, since a quick pointer may leave the element before its first move is reported.
    document.addEventListener("pointermove", (event) => this.#move(event), { signal });
    document.addEventListener("pointerup", (event) => this.#up(event), { signal });
    document.addEventListener("pointercancel", (event) => this.#up(event), { signal });
    element.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
  }

  #down(event) {
    if (event.button !== 0 || this.#fingers.size === 2) return;
    if (this.#fingers.size === 0 && this.#actions.start?.(event) === false) return;
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.#most = this.#fingers.size;
    this.#speed.clear();
  }

  #move(event) {
    if (!this.#fingers.has(event.pointerId)) return;
    // The pointer is captured only now, so that a tap on a button still presses the button.
    this.#element.setPointerCapture(event.pointerId);
    const before = measure(this.#fingers);
    this.#fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const { x, y, spread, angle } = measure(this.#fingers);
    this.#speed.add({ x, y, time: event.timeStamp });
    this.#actions.move({
      dx: x - before.x,
      dy: y - before.y,
      factor: before.spread > 0 ? spread / before.spread : 1,
      // The shorter way around.
      turn: ((angle - before.angle + 540) % 360) - 180,
      x,
      y,
      fingers: this.#fingers.size,
    });
  }

  #up(event) {
    if (!this.#fingers.delete(event.pointerId)) return;
    if (this.#fingers.size > 0) {
      this.#speed.clear();
      return;
    }
    // What the browser took away wasn't flicked.
    if (event.type !== "pointerup") this.#speed.clear();
    this.#actions.end({ ...this.#speed.at(event.timeStamp), fingers: this.#most });
  }
}

/** Returns the middle of the fingers, how far apart they are, and the angle from one to the other in degrees. */
function measure(fingers) {
  const points = [...fingers.values()];
  const middle = (axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length;
  const [one, other] = points;
  const [across, down] = other ? [other.x - one.x, other.y - one.y] : [0, 0];
  const angle = (Math.atan2(down, across) * 180) / Math.PI;
  return { x: middle("x"), y: middle("y"), spread: Math.hypot(across, down), angle };
}

/** Returns how far something follows a pull of `distance` beyond its end: less and less. */
export function rubberBand(distance, room) {
  const pull = Math.abs(distance);
  return Math.sign(distance) * (1 - 1 / ((pull * 0.55) / room + 1)) * room;
}
