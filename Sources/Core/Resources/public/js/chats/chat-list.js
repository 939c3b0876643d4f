import { fragment } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/** Milliseconds in which changes are gathered. */
const gathering = 150;

/**
 * `<chat-list data-source>` around chats or requests: what happens puts the newest at the top. Beside a
 * chat on a phone it is hidden, and fetches what happened meanwhile when it comes into sight.
 */
class ChatList extends Enhancement {
  #timer;
  #signal;
  /** Whether something happened that it does not show. */
  #isStale = false;

  enhance(signal) {
    this.#signal = signal;
    const later = () => (this.#timer ??= setTimeout(() => this.#refresh(), gathering));
    for (const name of ["message", "message.deleted", "read", "request", "reset"]) {
      addEventListener(`tintype:${name}`, later, { signal });
    }
    const observer = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && this.#isStale && later());
    observer.observe(this);
    signal.addEventListener("abort", () => {
      clearTimeout(this.#timer);
      observer.disconnect();
    });
  }

  async #refresh() {
    this.#timer = undefined;
    this.#isStale = true;
    if (!this.checkVisibility()) return;
    this.#isStale = false;
    const query = this.closest("live-search")?.querySelector("[name=q]")?.value ?? "";
    try {
      const source = `${this.dataset.source}?q=${encodeURIComponent(query)}`;
      const page = await fragment(source, "list", this.#signal);
      this.#show(page.querySelector("chat-list"));
    } catch (error) {
      if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }

  /** Fresh rows on top, and below them those of further pages that had been loaded. */
  #show(fresh) {
    const rows = [...fresh.querySelectorAll("li[data-id]")];
    const list = this.querySelector("[data-items]");
    const isAll = fresh.querySelector("a[rel=next]") === null;
    if (!list || rows.length === 0) {
      this.replaceChildren(...fresh.children);
      return;
    }
    const chips = fresh.querySelector(".chips");
    if (chips) this.querySelector(".chips")?.replaceWith(chips);
    const ids = new Set(rows.map((row) => row.dataset.id));
    const end = timeOf(rows.at(-1));
    for (const known of list.querySelectorAll("li[data-id]")) {
      // The others are gone, unless they are as old as what is on further pages. Requests have no time.
      if (ids.has(known.dataset.id) || isAll || (end && timeOf(known) >= end)) known.remove();
    }
    if (isAll) this.querySelector("a[rel=next]")?.remove();
    list.prepend(...rows);
    const chat = document.querySelector("chat-thread")?.dataset.chat;
    const current = chat && list.querySelector(`li[data-id="${chat}"] > a`);
    if (!current) return;
    current.setAttribute("aria-current", "page");
    current.classList.remove("unread");
    current.querySelector(".badge")?.remove();
  }
}

/** When the last message of a chat was sent, as ISO 8601: comparing these compares the times. */
function timeOf(row) {
  return row.querySelector("time")?.dateTime ?? "";
}

customElements.define("chat-list", ChatList);
