import { freshFragment } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/** Milliseconds in which changes are gathered. */
const gathering = 150;

/**
 * `<chat-list data-source>` around chats or requests: keeps the chat with the newest message at the top. On a phone the
 * list beside a chat is hidden, and fetches what has changed when it is shown again.
 */
class ChatList extends Enhancement {
  #timer;
  #signal;
  /** Whether something has changed that the list doesn't show yet. */
  #isStale = false;

  enhance(signal) {
    this.#signal = signal;
    const later = () => (this.#timer ??= setTimeout(() => this.#refresh(), gathering));
    for (const name of ["message", "message.deleted", "read", "request", "chat.mute", "chat", "reset"]) {
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
      const page = await freshFragment(source, "list", this.#signal);
      this.#show(page.querySelector("chat-list"));
    } catch (error) {
      if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }

  /** Shows the fetched rows at the top, and below them the rows of further pages that had been loaded. */
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
      // A chat that wasn't fetched is gone, unless it is old enough to be on a further page. Requests have no time.
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

/** Returns when the last message of a chat was sent, as ISO 8601, whose texts compare like the times. */
function timeOf(row) {
  return row.querySelector("time")?.dateTime ?? "";
}

customElements.define("chat-list", ChatList);
