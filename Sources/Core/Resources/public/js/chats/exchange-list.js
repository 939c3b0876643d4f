import { freshFragment, request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { isAfter } from "../web/events.js";
import { flash } from "../web/flash-message.js";
import { count } from "../web/words.js";

/** Milliseconds in which changes are gathered. */
const gathering = 150;

/**
 * `<exchange-list data-hears>` around the `<endless-list>` of photos that people sent each other: shows at once what is
 * added, deleted or written, and moves nothing on the screen of a person who is further down. `data-hears` has the events
 * of other things than messages into which photos are put. An item has the thing's id as `data-thing` and the photo's as
 * `data-photo`.
 */
class ExchangeList extends Enhancement {
  #signal;
  #timer;
  #refreshing = Promise.resolve();
  /** Whether photos may have been added or deleted that the list doesn't reflect yet. */
  #isStale = false;
  /** @type {Set<string>} chats whose number of messages has changed */
  #changed = new Set();

  enhance(signal) {
    this.#signal = signal;
    // An older page of the list gets nothing new.
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
      // The photo may be in the answer that is on its way.
      this.#isStale = true;
    });
    for (const event of this.dataset.hears.split(" ").filter(Boolean)) {
      hear(event.replace("tintype.", ""), (thing) => {
        this.#change(() => this.#removeFrom(thing));
        // Photos may have come into it.
        this.#isStale = true;
      });
    }
    hear("request", () => (this.#isStale = true));
    // A group has another name, or the person has left it.
    hear("chat", ({ chat_id: chat }) => {
      this.#isStale = true;
      this.#changed.add(chat);
    });
    hear("reset", () => {
      this.#isStale = true;
      for (const { dataset } of this.#items) if (dataset.chat) this.#changed.add(dataset.chat);
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

  /** Removes the photos that a thing doesn't have any more, also those of later pages. */
  #removeFrom({ id, state, cells, spare_count: spares }) {
    const isGone = state === "deleted";
    // An event doesn't say which photos wait for a layout with more cells.
    if (!isGone && spares > 0) return;
    const photos = new Set(isGone ? [] : cells.map(({ photo }) => photo?.id));
    for (const item of this.#items) {
      if (item.dataset.thing === id && !photos.has(item.dataset.photo)) item.remove();
    }
  }

  async #refresh() {
    try {
      if (this.#isStale) await this.#fetchNewest();
      for (const chat of this.#changed) await this.#count(chat);
    } catch (error) {
      // Without a network, the list is fetched again when the stream is back.
      if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }

  async #fetchNewest() {
    const asked = this.#changed;
    this.#changed = new Set();
    this.#isStale = false;
    try {
      const page = await freshFragment("/feed", "list", this.#signal);
      const newest = [...page.querySelectorAll("li[data-id]")];
      this.#change(() => this.#merge(newest, page.querySelector("a[rel=next]")));
      for (const item of newest) asked.delete(item.dataset.chat);
    } catch (error) {
      this.#isStale = true;
      throw error;
    } finally {
      for (const chat of asked) this.#changed.add(chat);
    }
  }

  /**
   * @param {HTMLElement[]} newest the items of the first page, just fetched
   * @param {Element | null} next the link to the second page
   */
  #merge(newest, next) {
    const shown = new Map(this.#items.map((item) => [item.dataset.id, item]));
    const ids = new Set(newest.map((item) => item.dataset.id));
    // If the two have no item in common, photos between them may be missing, so the list goes on from the second page.
    const meets = next && this.#items.some((item) => ids.has(item.dataset.id));
    const end = newest.at(-1)?.dataset.id;
    const older = meets ? this.#items.filter((item) => isAfter(end, item.dataset.id)) : [];
    for (const item of newest) {
      const words = item.querySelector("[data-count]")?.textContent;
      if (words) this.#showCount(item.dataset.chat, words);
    }
    const rows = [...newest.map((item) => shown.get(item.dataset.id) ?? item), ...older];
    for (const item of this.#items) if (!rows.includes(item)) item.remove();
    const { children } = this.#list;
    rows.forEach((row, index) => {
      if (children[index] !== row) this.#list.insertBefore(row, children[index] ?? null);
    });
    if (meets) return;
    this.querySelector("a[rel=next]")?.remove();
    if (next) this.querySelector("endless-list").append(next);
  }

  async #count(chat) {
    const items = () => this.#items.filter((item) => item.dataset.chat === chat);
    this.#changed.delete(chat);
    if (items().length === 0) return;
    try {
      const { messages_count: number } = await request("GET", `/api/v1/chats/${chat}`, undefined, { signal: this.#signal });
      this.#showCount(chat, count(number, "message"));
    } catch (error) {
      // The chat is blocked or deleted.
      if (error.status === 404) return this.#change(() => items().forEach((item) => item.remove()));
      this.#changed.add(chat);
      throw error;
    }
  }

  #showCount(chat, words) {
    for (const item of this.#items) {
      if (item.dataset.chat === chat) item.querySelector("[data-count]").textContent = words;
    }
  }

  /** Changes the list without moving what a person further down is looking at. */
  #change(change) {
    const inSight = this.#items.find((item) => item.getBoundingClientRect().bottom > 0);
    const before = inSight?.getBoundingClientRect().top;
    change();
    if (scrollY > 0 && inSight?.isConnected) scrollBy({ top: inSight.getBoundingClientRect().top - before });
  }
}

customElements.define("exchange-list", ExchangeList);
