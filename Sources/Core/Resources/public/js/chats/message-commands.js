import { request } from "../web/api.js";
import { copyText } from "../web/clipboard.js";
import { flash } from "../web/flash-message.js";
import { SnapViewer } from "../snaps/snap-viewer.js";
import { quoteFrom } from "./quote.js";
import { ownReaction } from "./reactions.js";

/** What a person can do with the messages of a chat. Each command shows its own errors. */
export class MessageCommands {
  #thread;
  #list;
  #history;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {import("./message-list.js").MessageList} list
   * @param {import("./message-history.js").MessageHistory} history
   */
  constructor(thread, list, history) {
    this.#thread = thread;
    this.#list = list;
    this.#history = history;
  }

  /** Begins a reply to a message. */
  reply(item) {
    this.#thread.dispatchEvent(new CustomEvent("message-reply", { bubbles: true, detail: quoteFrom(item) }));
  }

  /** Sets this person's reaction, or removes it when it is the same emoji. */
  async react(item, emoji) {
    const isSame = ownReaction(item) === emoji;
    const path = `${this.#path(item)}/reaction`;
    await this.#try(async () => {
      this.#list.react(isSame ? await request("DELETE", path) : await request("PUT", path, { emoji }));
    });
  }

  /** Saves the photo of a message to the library. */
  async save(item) {
    if (item.classList.contains("out")) return flash("It’s already in your library.");
    await this.#try(async () => {
      await request("POST", `${this.#path(item)}/save`);
      flash("Saved");
    });
  }

  async copy(item) {
    await this.#try(async () => {
      await copyText(item.querySelector("p.bubble").textContent);
      flash("Copied.");
    });
  }

  /** Deletes a message for everyone. */
  async delete(item) {
    await this.#try(async () => {
      await request("DELETE", this.#path(item));
      this.#list.remove(item.dataset.id);
    });
  }

  /** Opens a view-once picture, in the viewer of snaps. */
  async openOnce(item) {
    // Without a network nothing is used up.
    if (!navigator.onLine) return flash("Photos to be seen once need a network. This one stays unopened.", "error");
    const { id } = item.dataset;
    const name = item.querySelector(".sender")?.textContent ?? this.#thread.dataset.name;
    const path = this.#path(item);
    const react = async (emoji) => this.#list.react(await request("PUT", `${path}/reaction`, { emoji }));
    const answering = { template: this.#thread.querySelector("template[data-template=answers]"), react };
    const viewer = new SnapViewer(id, name, answering, path, "message.deleted");
    await this.#try(async () => {
      if (await viewer.show(item)) this.reply(this.#list.item(id) ?? item);
    });
  }

  /**
   * Goes to the message that a reply quotes.
   *
   * @param {HTMLAnchorElement} link
   */
  async showQuoted(link) {
    const { quote: id } = link.dataset;
    const isThere = await this.#history.fetchThrough(id);
    if (isThere === null) return;
    if (!isThere) return location.assign(link.href);
    const item = this.#list.item(id);
    item.scrollIntoView({ block: "center" });
    item.dataset.found = "";
    item.addEventListener("animationend", () => delete item.dataset.found, { once: true });
  }

  async #try(action) {
    try {
      await action();
    } catch (error) {
      flash(error.message, "error");
    }
  }

  #path(item) {
    return `/api/v1/chats/${this.#thread.dataset.chat}/messages/${item.dataset.id}`;
  }
}
