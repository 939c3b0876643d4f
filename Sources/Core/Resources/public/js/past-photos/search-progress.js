import { list } from "./words.js";

/** The signs that a search is running: words with a progress bar and Cancel, and busy search buttons. */
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
    // The text is set after the element is shown, so that screen readers announce it.
    place.querySelector("[role=status]").textContent = isRunning ? this.#words : "";
    for (const button of this.#root.querySelectorAll("button[form=nearby-form]")) {
      button.ariaBusy = isRunning ? "true" : null;
    }
    this.#root.querySelector("[data-results]").toggleAttribute("data-waiting", isRunning);
  }
}
