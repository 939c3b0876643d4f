import { flash } from "../web/flash-message.js";
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
  /** Settles when no emoji is on its way. */
  #sending = Promise.resolve();

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
    const observer = new ResizeObserver(() => this.#makeRoom());
    observer.observe(dialog);
    signal.addEventListener("abort", () => observer.disconnect());
    this.#makeRoom();
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

  /** Moves the picture above the buttons if they would cover its lowest part. Otherwise it stays in the middle. */
  #makeRoom() {
    const { clientWidth: width, clientHeight: height } = this.#dialog;
    const { naturalWidth, naturalHeight } = this.#dialog.querySelector("img");
    const covered = height - this.#bar.querySelector(".emoji-row").offsetTop - this.#bar.offsetTop;
    const empty = (height - Math.min(height, (width * naturalHeight) / naturalWidth)) / 2;
    this.#dialog.style.setProperty("--covered", empty < covered ? `${covered}px` : "0px");
  }

  #press({ target, detail }) {
    // The second tap of two was meant for what was there before the buttons.
    if (detail > 1) return;
    if (target.closest("[data-reply]")) this.#answer();
    const button = target.closest("[data-react]");
    if (button && button.ariaDisabled !== "true") this.#sending = this.#send(button);
  }

  async #answer() {
    if (!navigator.onLine) {
      this.#state.textContent = "Reply needs a network.";
      return;
    }
    // The page may be left then, with what is on its way.
    await this.#sending;
    this.#reply();
  }

  /** Sends an emoji. One is enough, so the others are at rest, also after an error: it may have arrived. */
  async #send(button) {
    for (const one of this.#bar.querySelectorAll("[data-react]")) one.ariaDisabled = "true";
    try {
      await this.#react(button.dataset.react);
      button.ariaPressed = "true";
      this.#state.textContent = "Sent";
    } catch (error) {
      button.ariaDisabled = null;
      this.#state.textContent = error.message;
      if (!this.#bar.isConnected) flash(error.message, "error");
    }
  }

  #begin({ touches }) {
    const [{ clientX: x, clientY: y }, another] = touches;
    // Two fingers enlarge the page, and one moves it then.
    if (another || visualViewport.scale > 1) return this.#end(false);
    this.#drag = { x, y, up: 0, follows: false };
  }

  #move(event) {
    const drag = this.#drag;
    if (!drag) return;
    const [right, up] = [event.touches[0].clientX - drag.x, drag.y - event.touches[0].clientY];
    if (!drag.follows) {
      if (up > 0 && event.cancelable) event.preventDefault();
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
    if (isLetGo && drag.up >= far) this.#answer();
  }

  /** @param {number} up pixels by which the picture and the buttons are moved up */
  #shift(up) {
    this.#dialog.style.setProperty("--up", `${-up}px`);
  }
}
