import { request } from "../web/api.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { showInstructions } from "./instructions.js";
import { MessageActions } from "./message-actions.js";
import { MessageList } from "./message-list.js";
import { outbox } from "./outbox.js";
import { ReadMarker } from "./read-marker.js";
import { Typing } from "./typing.js";

/** Pixels from the top from which earlier messages are fetched, and messages a page. */
const nearTop = 800;
const page = 40;

/**
 * `<chat-thread data-chat data-peer data-name>` around the messages of a conversation: shows
 * what comes, what waits to go out and what became of it, and fetches what is missing.
 */
class ChatThread extends Enhancement {
  /** @type {MessageList} */
  #list;
  /** @type {ReadMarker} */
  #marker;
  #path;
  #signal;
  #fetching;
  #hasEarlier;

  enhance(signal) {
    const { chat, peer } = this.dataset;
    this.#signal = signal;
    this.#path = `/api/v1/chats/${chat}/messages`;
    this.#hasEarlier = this.querySelector("a[rel=next]") !== null;
    this.#list = new MessageList(this);
    this.#marker = new ReadMarker(this, this.#list, signal);
    new MessageActions(this, this.#list, signal);
    const typing = new Typing(this, signal);
    const hear = (name, action) => {
      const mine = ({ detail }) => detail.chat_id === chat && action(detail);
      addEventListener(`tintype:${name}`, mine, { signal });
    };
    hear("message", (message) => {
      if (message.account_id === peer) typing.stop();
      this.#receive(message);
    });
    hear("message.deleted", ({ id }) => this.#list.remove(id));
    hear("typing", () => typing.show());
    hear("delivered", (mark) => this.#list.mark({ delivered: mark.last_delivered_id }));
    hear("read", (mark) => {
      if (mark.account_id !== peer) return;
      this.#list.mark({ delivered: mark.last_read_id, read: mark.last_read_id, readAt: mark.read_at });
    });
    addEventListener("tintype:reset", () => this.#catchUp(), { signal });
    addEventListener("online", () => this.#catchUp(), { signal });
    this.addEventListener("scroll", () => this.#look(), { signal, passive: true });
    this.#watchStream();
    this.#showOutbox();
    this.#look();
    showInstructions(this.querySelector("[data-items]"));
    this.#marker.look();
  }

  /** Whenever the stream is open (again), what came before that is fetched. */
  #watchStream() {
    const root = document.documentElement;
    const look = () => root.dataset.live === "on" && this.#catchUp();
    const observer = new MutationObserver(look);
    observer.observe(root, { attributeFilter: ["data-live"] });
    this.#signal.addEventListener("abort", () => observer.disconnect());
    look();
  }

  async #showOutbox() {
    const { chat } = this.dataset;
    const signal = this.#signal;
    const hear = (name, action) => {
      const mine = ({ detail }) => detail.entry.chat === chat && action(detail);
      outbox.addEventListener(name, mine, { signal });
    };
    hear("added", ({ entry }) => {
      this.#list.pending.show(entry);
      this.scrollTop = 0;
    });
    hear("changed", ({ entry }) => this.#list.pending.show(entry));
    hear("progress", ({ entry, loaded }) => this.#list.pending.showProgress(entry, loaded));
    hear("sent", ({ message }) => this.#receive(message));
    hear("removed", ({ entry }) => this.#list.pending.remove(entry.key));
    for (const entry of await outbox.waiting(chat)) this.#list.pending.show(entry);
  }

  #receive(message) {
    const isNext = this.#list.add(message);
    // A number is missing: something came while nobody listened, or was deleted.
    if (!isNext) this.#catchUp();
    this.#marker.look();
  }

  /** Fetches what is newer than all that is known without a gap; many calls make one. */
  #catchUp() {
    this.#fetching ??= this.#fetchNewer().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  async #fetchNewer() {
    try {
      for (;;) {
        const query = `?min_id=${this.#list.complete}&limit=${page}`;
        const messages = await request("GET", this.#path + query, undefined, { signal: this.#signal });
        this.#list.addComplete(messages.reverse());
        if (messages.length < page) break;
      }
      this.#marker.look();
    } catch (error) {
      if (error.name === "AbortError") return;
      // Blocked, or gone. Without a network the stream's return asks again.
      if (error.status === 404) this.#close();
    }
  }

  #close() {
    this.replaceChildren(element("p", { class: "note apart" }, "This conversation is no longer there."));
    document.querySelector("chat-composer")?.remove();
  }

  async #look() {
    this.#marker.look();
    const toTop = this.scrollHeight - this.clientHeight + this.scrollTop;
    if (!this.#hasEarlier || this.ariaBusy === "true" || toTop > nearTop) return;
    this.ariaBusy = "true";
    try {
      const query = `?max_id=${this.#list.oldest}&limit=${page}`;
      const messages = await request("GET", this.#path + query, undefined, { signal: this.#signal });
      this.#hasEarlier = messages.length === page;
      this.#list.addEarlier(messages);
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    } finally {
      this.ariaBusy = null;
    }
  }
}

customElements.define("chat-thread", ChatThread);
