import { fragment } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/** Milliseconds in which changes are gathered. */
const gathering = 150;

/** `<chat-list>` around the conversations: what happens puts the newest at the top. */
class ChatList extends Enhancement {
  #timer;
  #signal;

  enhance(signal) {
    this.#signal = signal;
    const later = () => (this.#timer ??= setTimeout(() => this.#refresh(), gathering));
    for (const name of ["message", "message.deleted", "read", "reset"]) {
      addEventListener(`tintype:${name}`, later, { signal });
    }
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  async #refresh() {
    this.#timer = undefined;
    const query = this.closest("live-search")?.querySelector("[name=q]")?.value ?? "";
    try {
      const page = await fragment(`/messages?q=${encodeURIComponent(query)}`, "list", this.#signal);
      this.#show(page.querySelector("chat-list"));
    } catch (error) {
      if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }

  /** Fresh rows on top, and below them those of further pages that had been loaded. */
  #show(fresh) {
    const rows = fresh.querySelectorAll("li[data-id]");
    const list = this.querySelector("[data-items]");
    if (!list || rows.length === 0) {
      this.replaceChildren(...fresh.children);
      return;
    }
    for (const row of rows) list.querySelector(`li[data-id="${row.dataset.id}"]`)?.remove();
    list.prepend(...rows);
    const chat = document.querySelector("chat-thread")?.dataset.chat;
    const current = chat && list.querySelector(`li[data-id="${chat}"] > a`);
    if (!current) return;
    current.setAttribute("aria-current", "page");
    current.classList.remove("unread");
    current.querySelector(".badge")?.remove();
  }
}

customElements.define("chat-list", ChatList);
