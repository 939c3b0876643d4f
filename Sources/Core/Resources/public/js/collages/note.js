/** Milliseconds for which a sentence stays, and after which changes that aren't saved yet are mentioned. */
const stay = 5_000;
const patience = 2_000;

/** The line below the square (`role="status"`): what has just happened, or that something isn't saved yet. */
export class Note {
  #element;
  /** The sentence for when nothing has just happened; at first the one that the server wrote. */
  #rest;
  #sentence = "";
  #state = "";
  #timer;
  #waiting;

  /** @param {HTMLElement} element @param {AbortSignal} signal */
  constructor(element, signal) {
    this.#element = element;
    this.#rest = element.textContent.trim();
    signal.addEventListener("abort", () => [this.#timer, this.#waiting].forEach(clearTimeout));
  }

  /**
   * The sentence for when there is nothing else to say.
   *
   * @param {string} sentence
   */
  set rest(sentence) {
    this.#rest = sentence;
    this.#show();
  }

  /** Shows a sentence for a while, or until the person does something else. */
  say(sentence) {
    this.keep(sentence);
    this.#timer = setTimeout(() => this.#forget(), stay);
  }

  /** Shows a sentence until the next one. */
  keep(sentence) {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sentence = sentence;
    this.#show();
  }

  /** Removes a sentence about something that is over, as the person has gone on. */
  clear() {
    if (this.#timer) this.#forget();
  }

  #forget() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sentence = "";
    this.#show();
  }

  /** @param {{isSaved: boolean, isTroubled: boolean}} saved */
  showSaved({ isSaved, isTroubled }) {
    if (isSaved) {
      clearTimeout(this.#waiting);
      this.#waiting = undefined;
      this.#state = "";
    } else if (isTroubled) {
      this.#state = "Not saved yet…";
    } else {
      const mention = () => this.showSaved({ isSaved: false, isTroubled: true });
      this.#waiting ??= setTimeout(mention, patience);
    }
    this.#show();
  }

  #show() {
    const text = this.#sentence || this.#state || this.#rest;
    if (this.#element.textContent !== text) this.#element.textContent = text;
  }
}
