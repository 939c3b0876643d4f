import { prefersStillness } from "../web/motion.js";
import { Template } from "../web/template.js";

/** Pixels before a finger has a direction, and pixels upwards from which it replies. */
const slack = 8;
const far = 72;

/** How much of the finger's way the picture follows. */
const resistance = 0.6;

/**
 * The answers to a picture that is seen once: emoji, Reply, and a swipe up that replies.
 *
 * @typedef {object} Answering
 * @property {HTMLTemplateElement} template of the buttons
 * @property {(emoji: string) => Promise<void>} react sends an emoji
 */

/** The buttons over the picture, and the finger on it. */
export class SnapAnswers {
  #dialog;
  #bar;
  #react;
  #reply;
  /** @type {{x: number, y: number, up: number, follows: boolean} | null} */
  #drag = null;

  /**
   * @param {HTMLElement} dialog with the picture
   * @param {Answering} answering
   * @param {() => void} reply
   * @param {AbortSignal} signal ends the listening
   */
  constructor(dialog, { template, react }, reply, signal) {
    this.#dialog = dialog;
    this.#react = react;
    this.#reply = reply;
    this.#bar = new Template(template).fill({});
    dialog.append(this.#bar);
    this.#bar.addEventListener("click", (event) => this.#press(event), { signal });
    dialog.addEventListener("touchstart", (event) => this.#begin(event), { signal, passive: true });
    dialog.addEventListener("touchmove", (event) => this.#move(event), { signal, passive: false });
    for (const name of ["touchend", "touchcancel"]) {
      dialog.addEventListener(name, ({ type }) => this.#end(type === "touchend"), { signal });
    }
  }

  get #state() {
    return this.#bar.querySelector("[role=status]");
  }

  #press({ target }) {
    if (target.closest("[data-reply]")) return this.#reply();
    const button = target.closest("[data-react]");
    if (button) this.#send(button);
  }

  /** Sends an emoji. One is enough: after it, the others are at rest. */
  async #send(button) {
    const all = [...this.#bar.querySelectorAll("[data-react]")];
    for (const one of all) one.disabled = true;
    try {
      await this.#react(button.dataset.react);
      button.ariaPressed = "true";
      this.#state.textContent = "Sent";
    } catch (error) {
      for (const one of all) one.disabled = false;
      this.#state.textContent = error.message;
    }
  }

  #begin({ touches }) {
    const [{ clientX: x, clientY: y }, another] = touches;
    this.#drag = another ? null : { x, y, up: 0, follows: false };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    const [right, up] = [event.touches[0].clientX - drag.x, drag.y - event.touches[0].clientY];
    if (!drag.follows) {
      if (Math.hypot(right, up) < slack) return;
      if (up <= Math.abs(right)) {
        this.#drag = null;
        return;
      }
      drag.follows = true;
      this.#dialog.toggleAttribute("data-swiped", true);
    }
    // Without this, the finger would end in a tap, which closes the picture.
    if (event.cancelable) event.preventDefault();
    if (drag.up < far !== up < far) navigator.vibrate?.(8);
    drag.up = up;
    this.#bar.toggleAttribute("data-far", up >= far);
    if (!prefersStillness()) this.#shift(Math.max(0, up) * resistance);
  }

  #end(isLetGo) {
    const drag = this.#drag;
    this.#drag = null;
    if (!drag?.follows) return;
    this.#dialog.toggleAttribute("data-swiped", false);
    this.#bar.toggleAttribute("data-far", false);
    this.#shift(0);
    if (isLetGo && drag.up >= far) this.#reply();
  }

  /** @param {number} up pixels by which the picture and the buttons are moved up */
  #shift(up) {
    this.#dialog.style.setProperty("--up", `${-up}px`);
  }
}
