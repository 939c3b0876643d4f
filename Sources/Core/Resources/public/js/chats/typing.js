import { element } from "../web/element.js";

/** Milliseconds after which a person who was typing counts as having stopped. */
const patience = 6_000;

/** The signs that the other person is typing: a word in the bar, and a bubble below the messages. */
export class Typing {
  #thread;
  #timer;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {AbortSignal} signal ends the listening
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
