import { Enhancement } from "./enhancement.js";

/** Milliseconds that a message stays: long enough to read an error twice. */
const stay = { good: 4_000, error: 8_000 };

/**
 * `<flash-message role="status">`: one sentence above the page that goes away by itself, or by
 * a tap. It waits while a pointer or the focus is on it. The server fills it after a redirect.
 */
export class FlashMessage extends Enhancement {
  #timer;
  #frame;

  enhance(signal) {
    const wait = () => clearTimeout(this.#timer);
    const resume = () => this.#leaveLater();
    this.addEventListener("click", () => this.#leave(), { signal });
    this.addEventListener("pointerenter", wait, { signal });
    this.addEventListener("pointerleave", resume, { signal });
    this.addEventListener("focusin", wait, { signal });
    this.addEventListener("focusout", resume, { signal });
    signal.addEventListener("abort", wait);
    // Leaving a page breaks its requests off, which is nothing to report on coming back.
    addEventListener("pagehide", () => this.#leave(), { signal });
    if (!this.hidden) this.#leaveLater();
  }

  /**
   * @param {string} text a sentence
   * @param {"good" | "error"} kind
   */
  say(text, kind) {
    this.#leave();
    this.dataset.kind = kind;
    // A frame later: the entrance plays again, and a screen reader hears the region change.
    this.#frame = requestAnimationFrame(() => {
      this.hidden = false;
      this.textContent = text;
    });
    this.#leaveLater();
  }

  #leaveLater() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#leave(), stay[this.dataset.kind] ?? stay.good);
  }

  #leave() {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.hidden = true;
    this.textContent = "";
  }
}

customElements.define("flash-message", FlashMessage);

/**
 * Tells the person something that belongs to no single place on the page.
 *
 * @param {string} text a sentence
 * @param {"good" | "error"} kind
 */
export function flash(text, kind = "good") {
  let message = document.querySelector("flash-message");
  if (!message) {
    message = document.createElement("flash-message");
    message.className = "flash";
    message.role = "status";
    document.body.append(message);
  }
  message.say(text, kind);
}
