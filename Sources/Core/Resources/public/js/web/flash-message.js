import { Enhancement } from "./enhancement.js";

import { element } from "./element.js";

/** Milliseconds that a message stays: long enough to read an error twice, and to reach for a button. */
const stay = { good: 4_000, error: 8_000, action: 6_000 };

/**
 * @typedef {object} Action what a button beside a message does, such as Undo
 * @property {string} name a verb
 * @property {() => void} perform
 */

/**
 * `<flash-message role="status">`: one sentence above the page that disappears by itself or with a tap. It stays while
 * a pointer or the focus is on it. The server fills it after a redirect.
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
    // Leaving a page ends its requests, and their failure is nothing to report when the page is shown again.
    addEventListener("pagehide", () => this.#leave(), { signal });
    if (!this.hidden) this.#leaveLater();
  }

  /**
   * @param {string} text a sentence
   * @param {"good" | "error"} kind
   * @param {Action} [action]
   */
  say(text, kind, action) {
    this.#leave();
    this.dataset.kind = kind;
    this.toggleAttribute("data-action", Boolean(action));
    /** @type {(Node | string)[]} */
    const parts = [text];
    // A tap on the button also removes the message.
    if (action) parts.push(element("button", { type: "button", onclick: action.perform }, action.name));
    // A frame later: the entrance plays again, and a screen reader hears the region change.
    this.#frame = requestAnimationFrame(() => {
      this.hidden = false;
      this.replaceChildren(...parts);
    });
    this.#leaveLater();
  }

  /** Removes the message. */
  clear() {
    this.#leave();
  }

  #leaveLater() {
    clearTimeout(this.#timer);
    const milliseconds = "action" in this.dataset ? stay.action : stay[this.dataset.kind];
    this.#timer = setTimeout(() => this.#leave(), milliseconds ?? stay.good);
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
 * Shows a message that belongs to no single place on the page.
 *
 * @param {string} text a sentence
 * @param {"good" | "error"} kind
 * @param {Action} [action] what a button beside the sentence does
 */
export function flash(text, kind = "good", action = undefined) {
  let message = document.querySelector("flash-message");
  if (!message) {
    message = document.createElement("flash-message");
    message.className = "flash";
    message.role = "status";
    document.body.append(message);
  }
  message.say(text, kind, action);
}

/** Removes a message that is no longer true. */
export function clearFlash() {
  document.querySelector("flash-message")?.clear?.();
}
