import { Template } from "../web/template.js";

/** What stands above the line to write on while a message is answered. */
export class AnswerBar {
  #bar;
  #template;
  #name;
  /** @type {import("./quote.js").Quote | null} */
  #quote = null;

  /**
   * @param {HTMLElement} bar `[data-answering]`, filled where the page was opened to answer a message, beside the
   *   template `answer` of what fills it
   * @param {string} name of the other
   * @param {() => void} focus lets the person write on
   * @param {AbortSignal} signal ends the listening
   */
  constructor(bar, name, focus, signal) {
    this.#bar = bar;
    this.#template = Template.in(bar.parentElement, "answer");
    this.#name = name;
    const id = bar.querySelector("input")?.value;
    const [title, words] = [...bar.querySelectorAll("p > *")].map((part) => part.textContent);
    if (id) this.show({ id, isOwn: title === "Reply to yourself", words });
    const dismiss = (event) => {
      if (!event.target.closest("[data-dismiss]")) return;
      this.show(null);
      focus();
    };
    bar.addEventListener("click", dismiss, { signal });
    const drop = ({ detail }) => detail.id === this.#quote?.id && this.show(null);
    addEventListener("tintype:message.deleted", drop, { signal });
  }

  /** @param {import("./quote.js").Quote | null} quote of the message to answer, null for none */
  show(quote) {
    this.#quote = quote;
    this.#bar.hidden = !quote;
    this.#bar.replaceChildren(...(quote ? [this.#draw(quote)] : []));
  }

  /** @param {import("./quote.js").Quote} quote */
  #draw({ isOwn, words }) {
    return this.#template.fill({ title: isOwn ? "Reply to yourself" : `Reply to ${this.#name}`, words });
  }

  /**
   * Ends the answer.
   *
   * @returns {import("./quote.js").Quote | null} what it was to
   */
  take() {
    const quote = this.#quote;
    this.show(null);
    return quote;
  }
}
