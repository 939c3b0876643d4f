import { element } from "../web/element.js";

/** Milliseconds after which somebody who was typing has stopped. */
const patience = 6_000;

/** Shows that the other is typing: in the bar, and as a bubble below the messages. */
export class Typing {
  #thread;
  #timer;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {AbortSignal} signal ends it
   */
  constructor(thread, signal) {
    this.#thread = thread;
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  show() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.stop(), patience);
    this.#say("typing…");
    if (this.#bubble) return;
    const { name } = this.#thread.dataset;
    const words = element("span", { class: "unseen" }, `${name} is typing`);
    const dots = [1, 2, 3].map(() => element("i"));
    const bubble = element("p", { class: "bubble" }, words, ...dots);
    const item = element("li", { class: "message in typing", "data-typing": "" }, bubble);
    const portrait = document.querySelector(".peer > .portrait")?.cloneNode(true);
    if (portrait) item.prepend(portrait);
    this.#thread.querySelector("[data-items]").append(item);
  }

  stop() {
    clearTimeout(this.#timer);
    this.#say("");
    this.#bubble?.remove();
  }

  get #bubble() {
    return this.#thread.querySelector("[data-typing]");
  }

  #say(words) {
    const status = document.querySelector(".peer [data-status]");
    if (status) status.textContent = words;
  }
}
