/** Milliseconds between the two taps, and pixels between them, at most. */
const within = 320;
const apart = 32;

/**
 * Two quick taps, or clicks, on the same element. They are recognised from pointer events, since not every browser
 * fires `dblclick` after two taps.
 */
export class DoubleTap {
  /** @type {{time: number, target?: Element, clientX?: number, clientY?: number}} */
  #last = { time: -Infinity };
  #down;

  /**
   * @param {Element} root listens here
   * @param {string} selector of the things that can be tapped
   * @param {(target: Element, event: PointerEvent) => void} action
   * @param {AbortSignal} signal ends the listening
   */
  constructor(root, selector, action, signal) {
    root.addEventListener("pointerdown", (event) => (this.#down = event), { signal });
    root.addEventListener(
      "pointerup",
      (event) => {
        const target = event.target.closest(selector);
        if (!target || !event.isPrimary || event.button !== 0) return;
        if (!this.#down || !near(this.#down, event)) return;
        const last = this.#last;
        const isSecond =
          last.target === target && event.timeStamp - last.time < within && near(last, event);
        this.#last = isSecond
          ? { time: -Infinity }
          : { target, time: event.timeStamp, clientX: event.clientX, clientY: event.clientY };
        if (isSecond) action(target, event);
      },
      { signal },
    );
  }
}

function near(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) < apart;
}
