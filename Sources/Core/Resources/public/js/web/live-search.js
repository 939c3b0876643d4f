import { fragment } from "./api.js";
import { Enhancement } from "./enhancement.js";
import { flash } from "./flash-message.js";

/** Milliseconds without a key before the search begins. */
const rest = 150;

/**
 * `<live-search>` around a search form and its `[data-results]`: searches while the person types. The form may have
 * other fields, which are sent with the search, and a button that posts the form. The results may lie in another form;
 * then what is chosen among them is sent with the search, too, and the address of the page stays.
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
      if (event.target.type !== "search" || event.target.form !== form) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(search, rest);
    };
    const submit = (event) => {
      if (event.submitter?.formMethod === "post") return;
      event.preventDefault();
      search();
    };
    // The search field may lie outside of its form.
    this.addEventListener("input", searchLater, { signal });
    form.addEventListener("submit", submit, { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  /** Returns the address of the search that the form describes now. */
  #address(form) {
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form)) if (value) url.searchParams.append(name, String(value));
    if (!this.#isApart(form)) return url.href;
    const chosen = this.#results.querySelectorAll(":checked");
    for (const { name, value } of /** @type {NodeListOf<HTMLInputElement>} */ (chosen)) url.searchParams.append(name, value);
    return url.href;
  }

  get #results() {
    return this.querySelector("[data-results]");
  }

  /** Whether the results lie in another form. */
  #isApart(form) {
    return this.#results.closest("form") !== null && !form.contains(this.#results);
  }

  async #search(form) {
    const url = this.#address(form);
    this.#asking.abort();
    const asking = (this.#asking = new AbortController());
    const results = this.#results;
    results.ariaBusy = "true";
    try {
      const signal = AbortSignal.any([asking.signal, this.#signal]);
      const found = await fragment(url, "list", signal);
      // The form has changed meanwhile, so this answer is out of date.
      if (this.#address(form) !== url) return this.#search(form);
      results.replaceChildren(found);
      if (!this.#isApart(form)) history.replaceState(history.state, "", url);
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    } finally {
      if (asking === this.#asking) results.ariaBusy = null;
    }
  }
}

customElements.define("live-search", LiveSearch);
