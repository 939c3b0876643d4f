import { hear } from "../outbox/hearing.js";
import { request } from "../web/api.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { ChatPeople } from "./chat-people.js";
import { showInstructions } from "./instructions.js";
import { MessageActions } from "./message-actions.js";
import { MessageHistory } from "./message-history.js";
import { MessageList } from "./message-list.js";
import { NewestButton } from "./newest-button.js";
import { lacksLater } from "./reading-place.js";
import { kind } from "./sending.js";
import { waitingMessages } from "./writing.js";
import { ReadMarker } from "./read-marker.js";
import { Typing } from "./typing.js";

/** Pixels from the top or the end from which earlier or later messages are fetched. */
const nearEdge = 800;

/**
 * `<chat-thread data-chat data-name>` around the messages of a chat, with `data-peer` in one of two: shows messages that
 * arrive, messages that wait to be sent and their state, and fetches what is missing.
 */
class ChatThread extends Enhancement {
  /** @type {ChatPeople} */
  #people;
  /** @type {MessageList} */
  #list;
  /** @type {ReadMarker} */
  #marker;
  /** @type {MessageHistory} */
  #history;
  #signal;

  enhance(signal) {
    const { chat, peer } = this.dataset;
    this.#signal = signal;
    this.#people = new ChatPeople(this);
    this.#list = new MessageList(this, this.#people);
    this.#history = new MessageHistory(this, this.#list, signal);
    this.#history.onfetched = () => this.#marker.look();
    this.#history.onclosed = () => this.#close();
    this.#marker = new ReadMarker(this, this.#list, signal);
    new MessageActions(this, this.#list, this.#history, signal);
    new NewestButton(this, this.#list, this.#history, signal);
    const typing = new Typing(this, this.#people, signal);
    const hear = (name, action) => {
      const mine = ({ detail }) => detail.chat_id === chat && action(detail);
      addEventListener(`tintype:${name}`, mine, { signal });
    };
    hear("message", (message) => {
      typing.stop(message.account_id);
      this.#receive(message);
    });
    hear("message.deleted", ({ id }) => this.#list.remove(id));
    hear("message.reaction", (message) => this.#list.react(message));
    hear("typing", ({ account_id }) => typing.show(account_id));
    hear("delivered", (mark) => this.#mark(mark.account_id, { delivered: mark.last_delivered_id }));
    hear("read", (mark) => {
      if (peer && mark.account_id !== peer) return;
      const { last_read_id: read, read_at: readAt } = mark;
      this.#mark(mark.account_id, { delivered: read, read, readAt });
    });
    hear("chat", () => this.#lookAtPeople());
    addEventListener("tintype:reset", () => this.#renew(), { signal });
    this.addEventListener("click", (event) => this.#unfold(event), { signal });
    addEventListener("online", () => this.#history.catchUp(), { signal });
    this.addEventListener("scroll", () => this.#look(), { signal, passive: true });
    this.querySelector("#found")?.scrollIntoView({ block: "center" });
    this.#watchStream();
    this.#showOutbox();
    this.#look();
    showInstructions(this.querySelector("[data-items]"));
    this.#marker.look();
  }

  #mark(account, marks) {
    if (this.#people.isGroup) this.#people.mark(account, marks);
    this.#list.mark(this.#people.isGroup ? {} : marks);
  }

  async #renew() {
    this.#history.renew();
    await this.#lookAtPeople();
  }

  /** Fetches who is in a group. It may be closed to this person now. */
  async #lookAtPeople() {
    if (!this.#people.isGroup) return;
    try {
      const { members } = await request("GET", `/api/v1/chats/${this.dataset.chat}`, undefined, { signal: this.#signal });
      this.#people.renew(members);
      this.#list.mark({});
    } catch (error) {
      if (error.status === 404) this.#close();
    }
  }

  /** Shows the message of a blocked person, or who has read the last one. Without scripts, the links lead to a page. */
  #unfold(event) {
    const fold = event.target.closest("[data-unfold]");
    const readers = event.target.closest("[data-readers]");
    if (!fold && !readers) return;
    event.preventDefault();
    if (readers) return this.#list.toggleReaders();
    const item = fold.closest("li");
    delete item.dataset.folded;
    // The link is hidden now, and the focus would be lost with it.
    item.querySelector("[data-options]").focus();
  }

  /** Fetches what came meanwhile whenever the stream is open again. */
  #watchStream() {
    const root = document.documentElement;
    const look = () => root.dataset.live === "on" && this.#history.catchUp();
    const observer = new MutationObserver(look);
    observer.observe(root, { attributeFilter: ["data-live"] });
    this.#signal.addEventListener("abort", () => observer.disconnect());
    look();
  }

  async #showOutbox() {
    const { chat } = this.dataset;
    const signal = this.#signal;
    const mine = (action) => (detail) => detail.entry.chat === chat && action(detail);
    const follow = (name, action) => hear(kind, [name], mine(action), signal);
    follow("added", async ({ entry }) => {
      this.#list.pending.show(entry);
      await this.#history.showNewest();
      this.scrollTop = 0;
    });
    follow("changed", ({ entry }) => this.#list.pending.show(entry));
    follow("progress", ({ entry, loaded }) => this.#list.pending.showProgress(entry, loaded));
    follow("posting", ({ entry }) => this.#list.pending.showPosting(entry));
    follow("sent", async ({ result }) => {
      // Without a network, the newest messages couldn't be fetched before.
      await this.#history.showNewest();
      this.#receive(result);
    });
    follow("removed", ({ entry }) => this.#list.pending.remove(entry.key));
    try {
      for (const entry of await waitingMessages(chat)) this.#list.pending.show(entry);
    } catch {
      // The browser's store failed. The outbox tries again, and reports what it does with each message.
    }
  }

  #receive(message) {
    // A message far above what is shown may change, for instance when it is opened. It is fetched together with its
    // neighbours: on its own it would hide that they are missing.
    if (this.#history.isBeyond(message)) return;
    const isNext = this.#list.add(message);
    // A number is missing: a message came while the stream was closed, or was deleted.
    if (!isNext) this.#history.catchUp();
    this.#marker.look();
  }

  #close() {
    this.replaceChildren(element("p", { class: "note apart" }, "This chat no longer exists."));
    document.querySelector("chat-composer")?.remove();
  }

  async #look() {
    this.#marker.look();
    const isNear = () => this.scrollHeight - this.clientHeight + this.scrollTop <= nearEdge;
    // Short messages may take several pages to fill the screen.
    while (isNear() && (await this.#history.fetchEarlier()));
    const isNearEnd = () => lacksLater(this) && -this.scrollTop <= nearEdge;
    while (isNearEnd() && (await this.#history.fetchLater()));
  }
}

customElements.define("chat-thread", ChatThread);
