import { fragment } from "./api.js";
import { Enhancement } from "./enhancement.js";
import { flash } from "./flash-message.js";

/** Milliseconds of rest after a key before the server is asked. */
const rest = 150;

/**
 * `<live-search>` around a search form and its `[data-results]`: searches while one types. The form may
 * hold other fields, which go with the question, and a button that posts it.
 */
class LiveSearch extends Enhancement {
  #timer;
  #asking = new AbortController();
  #signal;

  enhance(signal) {
    this.#signal = signal;
    const form = this.querySelector("form");
    const search = () => {
      clearTimeout(this.#timer);
      this.#search(form);
    };
    const searchLater = (event) => {
      if (event.target.type !== "search") return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(search, rest);
    };
    const submit = (event) => {
      if (event.submitter?.formMethod === "post") return;
      event.preventDefault();
      search();
    };
    form.addEventListener("input", searchLater, { signal });
    form.addEventListener("submit", submit, { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  async #search(form) {
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form)) if (value) url.searchParams.append(name, String(value));
    this.#asking.abort();
    const asking = (this.#asking = new AbortController());
    const results = this.querySelector("[data-results]");
    results.ariaBusy = "true";
    try {
      const signal = AbortSignal.any([asking.signal, this.#signal]);
      results.replaceChildren(await fragment(url.href, "list", signal));
      history.replaceState(history.state, "", url);
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    } finally {
      if (asking === this.#asking) results.ariaBusy = null;
    }
  }
}

customElements.define("live-search", LiveSearch);
