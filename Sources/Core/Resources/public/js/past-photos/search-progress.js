import { list } from "./words.js";

/** What shows that a search runs: words with a bar and Cancel, and the buttons that search. */
export class SearchProgress {
  #root;
  #words;

  /** @param {HTMLElement} root the page's element @param {string[]} sources by their titles */
  constructor(root, sources) {
    this.#root = root;
    this.#words = `Asking ${list(sources)}…`;
  }

  show(isRunning) {
    const place = this.#root.querySelector("[data-progress]");
    place.hidden = !isRunning;
    // Filled after it is shown: a screen reader hears the change.
    place.querySelector("[role=status]").textContent = isRunning ? this.#words : "";
    for (const button of this.#root.querySelectorAll("button[form=nearby-form]")) {
      button.ariaBusy = isRunning ? "true" : null;
    }
    this.#root.querySelector("[data-results]").toggleAttribute("data-waiting", isRunning);
  }
}
