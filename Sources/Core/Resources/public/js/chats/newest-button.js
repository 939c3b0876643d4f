import { element, icon } from "../web/element.js";
import { isAfter } from "../web/events.js";
import { count } from "../web/words.js";
import { isAtEnd, lacksLater } from "./reading-place.js";

/** The button to the newest message, shown while the person is further up, with the number of messages since then. */
export class NewestButton {
  #thread;
  #list;
  #history;
  #button = element("button", { class: "newest", type: "button", hidden: true });
  #badge = element("span", { class: "badge quiet", "aria-hidden": "true" });
  /** The id of the newest message when the end was last visible. */
  #seen = "0";

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {import("./message-list.js").MessageList} list
   * @param {import("./message-history.js").MessageHistory} history
   * @param {AbortSignal} signal ends the listening
   */
  constructor(thread, list, history, signal) {
    this.#thread = thread;
    this.#list = list;
    this.#history = history;
    this.#button.append(icon("chevron-down"), this.#badge);
    this.#button.onclick = () => this.#goToEnd();
    thread.after(this.#button);
    const observer = new MutationObserver(() => this.look());
    observer.observe(thread.querySelector("[data-items]"), { childList: true });
    thread.addEventListener("scroll", () => this.look(), { signal, passive: true });
    signal.addEventListener("abort", () => {
      observer.disconnect();
      this.#button.remove();
    });
    this.look();
  }

  /** Shows or hides the button, depending on whether the end is visible. */
  look() {
    if (isAtEnd(this.#thread)) {
      this.#seen = this.#list.ids.at(-1) ?? "0";
      // If the button were hidden while it has the focus, the focus would be lost.
      if (this.#button.contains(document.activeElement)) this.#thread.focus({ preventScroll: true });
      this.#button.hidden = true;
      return;
    }
    // On a page that was opened further up, what is fetched isn't new.
    if (lacksLater(this.#thread)) this.#seen = this.#list.complete;
    const number = this.#list.received.filter((id) => isAfter(id, this.#seen)).length;
    this.#badge.textContent = String(number);
    this.#badge.hidden = number === 0;
    const words = number === 0 ? "Newest message" : `${count(number, "new message")}, to the newest`;
    if (this.#button.ariaLabel !== words) this.#button.ariaLabel = words;
    this.#button.hidden = false;
  }

  async #goToEnd() {
    const isFurtherUp = lacksLater(this.#thread);
    await this.#history.showNewest();
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    // From far up, smooth scrolling would take too long.
    const isFar = isFurtherUp || -this.#thread.scrollTop > 4 * this.#thread.clientHeight;
    this.#thread.scrollTo({ top: 0, behavior: isCalm || isFar ? "auto" : "smooth" });
  }
}
