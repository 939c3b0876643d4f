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

  /** The address that answers what the form asks now. */
  #address(form) {
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form)) if (value) url.searchParams.append(name, String(value));
    return url.href;
  }

  async #search(form) {
    const url = this.#address(form);
    this.#asking.abort();
    const asking = (this.#asking = new AbortController());
    const results = this.querySelector("[data-results]");
    results.ariaBusy = "true";
    try {
      const signal = AbortSignal.any([asking.signal, this.#signal]);
      const found = await fragment(url, "list", signal);
      // What was chosen meanwhile isn't chosen in this answer.
      if (this.#address(form) !== url) return this.#search(form);
      results.replaceChildren(found);
      history.replaceState(history.state, "", url);
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    } finally {
      if (asking === this.#asking) results.ariaBusy = null;
    }
  }
}

customElements.define("live-search", LiveSearch);
