import { element } from "../web/element.js";

/** Milliseconds after which a person who was typing counts as having stopped. */
const patience = 6_000;

/** The signs that others are typing: words in the bar, and a bubble below the messages. */
export class Typing {
  #thread;
  #people;
  /** @type {Map<string, ReturnType<typeof setTimeout>>} those who are typing, in the order in which they began */
  #typing = new Map();

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {import("./chat-people.js").ChatPeople} people
   * @param {AbortSignal} signal ends the listening
   */
  constructor(thread, people, signal) {
    this.#thread = thread;
    this.#people = people;
    signal.addEventListener("abort", () => this.#typing.forEach((timer) => clearTimeout(timer)));
  }

  /** @param {string} id of the person who is typing */
  show(id) {
    clearTimeout(this.#typing.get(id));
    this.#typing.set(id, setTimeout(() => this.stop(id), patience));
    this.#draw();
  }

  /** @param {string} id of the person who has stopped */
  stop(id) {
    clearTimeout(this.#typing.get(id));
    if (this.#typing.delete(id)) this.#draw();
  }

  #draw() {
    const ids = [...this.#typing.keys()];
    const words = this.#words(ids);
    this.#say(this.#people.isGroup || !words ? words : "typing…");
    if (!words) return this.#bubble?.remove();
    const known = this.#bubble;
    if (known && !this.#people.isGroup) return;
    const dots = [1, 2, 3].map(() => element("i"));
    const bubble = element("p", { class: "bubble" }, element("span", { class: "unseen" }, words), ...dots);
    const item = element("li", { class: "message in typing", "data-typing": "" }, bubble);
    const portrait = this.#people.portrait(ids[0]) ?? document.querySelector(".peer > .portrait")?.cloneNode(true);
    if (portrait) item.prepend(portrait);
    if (known) known.replaceWith(item);
    else this.#thread.querySelector("[data-items]").append(item);
  }

  /** Returns who is typing in words: two names, or how many people. */
  #words(ids) {
    const names = ids.map((id) => this.#people.name(id));
    if (names.length === 0) return "";
    if (names.length === 1) return `${names[0]} is typing…`;
    return names.length === 2 ? `${names[0]} and ${names[1]} are typing…` : `${names.length} people are typing…`;
  }

  get #bubble() {
    return this.#thread.querySelector("[data-typing]");
  }

  #say(words) {
    const status = document.querySelector(".peer [data-status]");
    if (status) status.textContent = words;
  }
}
