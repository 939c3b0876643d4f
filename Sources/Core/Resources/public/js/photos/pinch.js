import { element } from "../web/element.js";
import { rubberBand } from "../web/gesture.js";
import { prefersStillness } from "../web/motion.js";
import { loadStyle } from "../web/style.js";

/** Up to how many times a photo may be enlarged. */
const largest = 5;

/** How dark the page becomes behind an enlarged photo, at most. */
const darkest = 0.7;

await loadStyle("pinch");

const spring = { duration: 280, easing: "cubic-bezier(.32, .72, 0, 1)" };

/**
 * Two fingers on a photo, which enlarge and move it above everything else. When they let go, the photo springs back.
 *
 * It uses touch events, since only they keep the browser from scrolling a list of photos meanwhile.
 */
export class Pinch {
  #selector;
  /** The photo on the page, and its copy that follows the fingers. */
  #photo;
  #copy;
  #screen = null;
  #start;

  /**
   * @param {HTMLElement} root listens here
   * @param {string} selector of what holds an `<img>`, with a `touch-action` without `pinch-zoom`
   * @param {AbortSignal} signal ends the listening
   */
  constructor(root, selector, signal) {
    this.#selector = selector;
    root.addEventListener("touchstart", (event) => this.#begin(event), { signal, passive: false });
    root.addEventListener("touchmove", (event) => this.#move(event), { signal, passive: false });
    for (const name of /** @type {const} */ (["touchend", "touchcancel"])) {
      root.addEventListener(name, ({ touches }) => touches.length < 2 && this.#end(), { signal });
    }
    signal.addEventListener("abort", () => this.#remove());
  }

  #begin(event) {
    if (this.#screen || event.touches.length !== 2 || !event.cancelable) return;
    const [one, other] = [...event.touches].map(({ target }) => target.closest?.(this.#selector));
    if (!one || one !== other) return;
    event.preventDefault();
    this.#photo = one.querySelector("img");
    this.#start = measure(event.touches);
    this.#show();
  }

  #show() {
    const { left, top, width, height } = this.#photo.getBoundingClientRect();
    this.#copy = this.#photo.cloneNode();
    Object.assign(this.#copy.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${width}px`,
      height: `${height}px`,
      transformOrigin: `${this.#start.x - left}px ${this.#start.y - top}px`,
    });
    this.#screen = element("div", { class: "pinched", popover: "manual" }, this.#copy);
    document.body.append(this.#screen);
    this.#screen.showPopover();
    this.#photo.style.visibility = "hidden";
  }

  #move(event) {
    // The fingers may have been put down before this script was loaded.
    if (!this.#screen) return this.#begin(event);
    if (event.touches.length < 2) return;
    event.preventDefault();
    const { x, y, spread } = measure(event.touches);
    const factor = spread / this.#start.spread;
    const scale = factor < 1 ? 1 + rubberBand(factor - 1, 0.3) : Math.min(largest, factor);
    const [across, down] = [x - this.#start.x, y - this.#start.y];
    this.#copy.style.transform = `translate(${across}px, ${down}px) scale(${scale})`;
    this.#screen.style.setProperty("--dim", Math.min(darkest, Math.max(0, scale - 1)));
  }

  async #end() {
    const screen = this.#screen;
    if (!screen) return;
    if (!prefersStillness()) {
      const back = [this.#copy.style.transform || "none", "none"];
      screen.style.setProperty("--dim", 0);
      await Promise.allSettled([this.#copy.animate({ transform: back }, spring).finished]);
    }
    this.#remove();
  }

  #remove() {
    if (!this.#screen) return;
    this.#photo.style.visibility = "";
    this.#screen.remove();
    this.#screen = null;
  }
}

/** Returns the middle of two fingers, and how far apart they are. */
function measure([one, other]) {
  return {
    x: (one.clientX + other.clientX) / 2,
    y: (one.clientY + other.clientY) / 2,
    spread: Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY),
  };
}
