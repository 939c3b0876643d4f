import { fragment, request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { count } from "../web/words.js";

/** Milliseconds in which changes are gathered. */
const gathering = 150;

/**
 * `<exchange-list>` around the `<endless-list>` of photos that two people sent each other: what comes, goes or is
 * written shows at once, and nothing moves under somebody who reads further down.
 */
class ExchangeList extends Enhancement {
  #signal;
  #timer;
  #refreshing = Promise.resolve();
  /** Whether photos may have come or gone without its showing that. */
  #isStale = false;
  /** @type {Set<string>} conversations whose number of messages has changed */
  #changed = new Set();

  enhance(signal) {
    this.#signal = signal;
    // An older page of the list is what it is.
    if (location.search) return;
    const refresh = () => {
      this.#timer = undefined;
      this.#refreshing = this.#refreshing.then(() => this.#refresh());
    };
    const hear = (name, action) => {
      const note = ({ detail }) => {
        action(detail);
        this.#timer ??= setTimeout(refresh, gathering);
      };
      addEventListener(`tintype:${name}`, note, { signal });
    };
    hear("message", ({ chat_id: chat, photo }) => {
      this.#changed.add(chat);
      this.#isStale ||= photo !== null;
    });
    hear("message.deleted", ({ chat_id: chat, id }) => {
      this.#changed.add(chat);
      this.#change(() => this.#items.find((item) => item.dataset.id === id)?.remove());
      // It may be in what is being fetched.
      this.#isStale = true;
    });
    hear("request", () => (this.#isStale = true));
    hear("reset", () => {
      this.#isStale = true;
      for (const item of this.#items) this.#changed.add(item.dataset.chat);
    });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  get #list() {
    return this.querySelector("[data-items]");
  }

  /** @returns {HTMLElement[]} newest first */
  get #items() {
    return [...this.#list.children].filter((item) => item.dataset.id);
  }

  async #refresh() {
    try {
      if (this.#isStale) await this.#fetchNewest();
      for (const chat of this.#changed) await this.#count(chat);
    } catch (error) {
      // Without a network the stream's return asks again.
      if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }

  async #fetchNewest() {
    this.#isStale = false;
    try {
      const page = await fragment("/feed", "list", this.#signal);
      this.#change(() => this.#merge([...page.querySelectorAll("li[data-id]")], page.querySelector("a[rel=next]")));
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  /** @param {HTMLElement[]} newest the first page as it is by now @param {Element | null} next the link to the second */
  #merge(newest, next) {
    const shown = new Map(this.#items.map((item) => [item.dataset.id, item]));
    const ids = new Set(newest.map((item) => item.dataset.id));
    const last = this.#items.findLastIndex((item) => ids.has(item.dataset.id));
    // With nothing in common, photos between these pages may be missing: they come from the second page on.
    const older = last < 0 || !next ? [] : this.#items.slice(last + 1);
    const rows = [...newest.map((item) => shown.get(item.dataset.id) ?? item), ...older];
    for (const item of this.#items) if (!rows.includes(item)) item.remove();
    const { children } = this.#list;
    rows.forEach((row, index) => {
      if (children[index] !== row) this.#list.insertBefore(row, children[index] ?? null);
    });
    if (last >= 0 && next) return;
    this.querySelector("a[rel=next]")?.remove();
    if (next) this.querySelector("endless-list").append(next);
  }

  async #count(chat) {
    const items = () => this.#items.filter((item) => item.dataset.chat === chat);
    this.#changed.delete(chat);
    if (items().length === 0) return;
    try {
      const { messages_count: number } = await request("GET", `/api/v1/chats/${chat}`, undefined, { signal: this.#signal });
      for (const item of items()) item.querySelector("[data-count]").textContent = count(number, "message");
    } catch (error) {
      // Blocked, or gone.
      if (error.status === 404) return this.#change(() => items().forEach((item) => item.remove()));
      this.#changed.add(chat);
      throw error;
    }
  }

  /** Changes the list without moving what somebody reads further down. */
  #change(change) {
    const inSight = this.#items.find((item) => item.getBoundingClientRect().bottom > 0);
    const before = inSight?.getBoundingClientRect().top;
    change();
    if (scrollY > 0 && inSight?.isConnected) scrollBy({ top: inSight.getBoundingClientRect().top - before });
  }
}

customElements.define("exchange-list", ExchangeList);
