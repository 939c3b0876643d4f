import { request } from "../web/api.js";
import { Draft } from "../web/draft.js";

/** The search for past photos: runs one at a time, and keeps the last one with its results on this device. */
export class PastSearch {
  #running;
  #form = new Draft("nearby");
  #results = new Draft("nearby-results");

  /**
   * Asks the server. A search that is still running is cancelled.
   *
   * @param {Record<string, string>} query
   * @returns {Promise<object | null>} the answer, whose `search` is null when a source failed and nothing was found;
   *   null when the search was cancelled
   * @throws {import("../web/api.js").ApiError}
   */
  async ask(query) {
    this.cancel();
    const { signal } = (this.#running = new AbortController());
    try {
      const answer = await request("GET", `/api/v1/past_photos?${new URLSearchParams(query)}`, undefined, { signal });
      if (signal.aborted) return null;
      if (answer.search) this.#results.keep(answer);
      return answer;
    } catch (error) {
      if (signal.aborted) return null;
      throw error;
    } finally {
      if (this.#running?.signal === signal) this.#running = undefined;
    }
  }

  get isRunning() {
    return Boolean(this.#running);
  }

  cancel() {
    this.#running?.abort();
    this.#running = undefined;
  }

  /**
   * Returns the last search: the page's own, unless the page comes from a cache and this device has a later one.
   *
   * @param {object} page what the server wrote into the page
   */
  last(page) {
    const kept = this.#results.read();
    const isLater = Boolean(kept?.search) && Date.parse(kept.search.made_at) > (Date.parse(page.search?.made_at) || 0);
    return isLater ? kept : page;
  }

  /**
   * Keeps the text of the form.
   *
   * @param {object} typed
   * @param {string | null} search the id of the last search
   */
  keep(typed, search) {
    this.#form.keep({ typed, search });
  }

  /**
   * Returns what was changed in the form since a search, or null.
   *
   * @param {string | null} search its id
   */
  changes(search) {
    const kept = this.#form.read();
    return kept?.typed && kept.search === search ? kept.typed : null;
  }
}
