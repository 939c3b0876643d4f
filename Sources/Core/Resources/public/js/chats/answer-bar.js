import { Template } from "../web/template.js";

/** The bar above the composer's text field that shows which message or snap is being answered. */
export class AnswerBar {
  #bar;
  #template;
  #name;
  /** @type {import("./quote.js").Quote | null} */
  #quote = null;

  /**
   * @param {HTMLElement} bar `[data-answering]`, already filled on a page opened to answer a message, beside the
   *   template `answer` of its content
   * @param {string} name of the other person of two
   * @param {() => void} focus moves the focus to the text field, also when the page is opened to answer
   * @param {AbortSignal} signal ends the listening
   */
  constructor(bar, name, focus, signal) {
    this.#bar = bar;
    this.#template = Template.in(bar.parentElement, "answer");
    this.#name = name;
    const field = bar.querySelector("input");
    const [title, words] = [...bar.querySelectorAll("p > *")].map((part) => part.textContent);
    const whom = title?.replace(/^Reply to /, "");
    if (field) {
      const isSnap = field.name === "snap_id";
      this.show({ id: field.value, isOwn: whom === "yourself", name: whom, words, isSnap });
      focus();
    }
    const dismiss = (event) => {
      if (!event.target.closest("[data-dismiss]")) return;
      this.show(null);
      focus();
    };
    bar.addEventListener("click", dismiss, { signal });
    const drop = ({ detail }) => detail.id === this.#quote?.id && this.show(null);
    addEventListener("tintype:message.deleted", drop, { signal });
  }

  /** @param {import("./quote.js").Quote | null} quote of the message to answer; null for none */
  show(quote) {
    if (this.#quote) forgetAddressed();
    this.#quote = quote;
    this.#bar.hidden = !quote;
    this.#bar.replaceChildren(...(quote ? [this.#draw(quote)] : []));
  }

  /** @param {import("./quote.js").Quote} quote */
  #draw({ isOwn, name, words }) {
    return this.#template.fill({ title: isOwn ? "Reply to yourself" : `Reply to ${name ?? this.#name}`, words });
  }

  /**
   * Ends the answer.
   *
   * @returns {import("./quote.js").Quote | null} the quote of the message that was being answered
   */
  take() {
    const quote = this.#quote;
    this.show(null);
    return quote;
  }
}

/** Takes out of the address what was to be answered when the page was opened, so that a reload doesn't begin it again. */
function forgetAddressed() {
  const address = new URL(location.href);
  for (const name of ["reply_to", "snap"]) address.searchParams.delete(name);
  if (address.href !== location.href) history.replaceState(history.state, "", address);
}
