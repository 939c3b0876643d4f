import { isAfter } from "../web/events.js";
import { takeAway } from "../web/take-away.js";
import { MessageState } from "./message-state.js";
import { isSame, MessageDrawing } from "./message-item.js";
import { PendingMessages } from "./pending-messages.js";
import { showReactions } from "./reactions.js";
import { keepPlace } from "./reading-place.js";

/** The messages on the page, each once, in the order of their ids, and below them those that wait to be sent. */
export class MessageList {
  #thread;
  #list;
  #self = document.documentElement.dataset.account;
  #drawing;
  #state;
  /** @type {PendingMessages} the messages that wait to be sent */
  pending;
  #tidying;
  /** The id and number of the last message up to which nothing is missing. */
  #complete = { id: "0", number: 0 };

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {import("./chat-people.js").ChatPeople} people
   */
  constructor(thread, people) {
    this.#thread = thread;
    this.#list = thread.querySelector("[data-items]");
    this.#drawing = new MessageDrawing(thread, people);
    this.#state = new MessageState(thread.dataset, this.#drawing, people);
    this.pending = new PendingMessages(this.#list, this.#drawing);
    const last = this.#items.at(-1);
    if (last) this.#complete = { id: last.dataset.id, number: Number(last.dataset.number) };
    this.#tidy();
  }

  get #items() {
    return [...this.#list.querySelectorAll("li.message[data-id]")];
  }

  /** The id up to which nothing is missing. */
  get complete() {
    return this.#complete.id;
  }

  /** The ids of the messages, oldest first. */
  get ids() {
    return this.#items.map((item) => item.dataset.id);
  }

  get oldest() {
    return this.ids[0] ?? "0";
  }

  /** Returns whether a message comes before all known ones. */
  isEarlier(id) {
    return isAfter(this.oldest, id);
  }

  /** The ids of the messages of others and of what happened, oldest first. */
  get received() {
    return this.#items.filter((item) => !item.classList.contains("out")).map((item) => item.dataset.id);
  }

  /** The newest message of others, or null. */
  get newestReceived() {
    return this.received.at(-1) ?? null;
  }

  /** @returns {HTMLElement | null} */
  item(id) {
    return this.#list.querySelector(`li[data-id="${CSS.escape(id)}"]`);
  }

  /** Shows a message that has just come. Returns whether no message is missing before it. */
  add(message) {
    keepPlace(this.#thread, () => this.#place(message));
    const { number } = this.#complete;
    if (message.number === number + 1) this.#complete = { id: message.id, number: message.number };
    return message.number <= number + 1;
  }

  /** @param {object[]} messages all that follow the last known, oldest first */
  addComplete(messages) {
    keepPlace(this.#thread, () => messages.forEach((message) => this.#place(message)));
    const last = messages.at(-1);
    if (last && last.number > this.#complete.number) this.#complete = { id: last.id, number: last.number };
  }

  /** @param {object[]} messages all that come before the oldest known, newest first */
  addEarlier(messages) {
    for (const message of messages) this.#place(message);
  }

  /**
   * @param {object[]} messages the newest messages of the chat, just fetched, oldest first
   * @param {string[]} shown the ids that were shown when the request began; the others have come since
   */
  renew(messages, shown) {
    const now = new Set(messages.map(({ id }) => id));
    keepPlace(this.#thread, () => {
      for (const id of shown) if (!now.has(id)) this.remove(id);
      for (const message of messages) this.#place(message);
    });
    this.addComplete(messages.slice(-1));
  }

  /** @param {object[]} messages the newest messages of the chat, in place of all that are shown, oldest first */
  replace(messages) {
    for (const item of this.#items) item.remove();
    for (const message of messages) this.#place(message);
    const last = messages.at(-1);
    this.#complete = last ? { id: last.id, number: last.number } : { id: "0", number: 0 };
  }

  #place(message) {
    const isOwn = message.account_id === this.#self;
    if (isOwn && message.idempotency_key) this.pending.remove(message.idempotency_key);
    const item = this.#drawing.item(message);
    const known = this.item(message.id);
    if (known) {
      if (!isSame(known, item)) known.replaceWith(item);
    } else {
      const before = this.#items.findLast((one) => isAfter(message.id, one.dataset.id));
      const instructions = this.#list.querySelector("[data-instructions]");
      if (before ?? instructions) (before ?? instructions).after(item);
      else this.#list.prepend(item);
    }
    this.#tidyLater();
  }

  remove(id) {
    const item = this.item(id);
    if (item) takeAway(item);
    const quotes = this.#list.querySelectorAll(`[data-quote="${CSS.escape(id)}"]`);
    for (const quote of quotes) quote.replaceWith(this.#drawing.goneQuote());
    this.#tidyLater();
  }

  /**
   * Shows all reactions to a message.
   *
   * @param {{id: string, chat_id: string, reactions: object[]}} message
   */
  react(message) {
    const item = this.item(message.id);
    if (item) keepPlace(this.#thread, () => showReactions(item, this.#drawing.reactions(message)));
  }

  /**
   * Notes up to which message the other person has received and read. In a group, the people have been noted.
   *
   * @param {{delivered?: string, read?: string, readAt?: string}} marks
   */
  mark(marks) {
    this.#state.move(marks);
    this.#tidyLater();
  }

  /** Shows who has read the last message of a group, or how many. */
  toggleReaders() {
    this.#state.toggleReaders();
    this.#tidyLater();
  }

  #tidyLater() {
    this.#tidying ??= setTimeout(() => {
      this.#tidying = undefined;
      this.#tidy();
    });
  }

  /** Updates the days between the messages, and the state of the last ones. */
  #tidy() {
    const items = this.#items;
    for (const line of this.#list.querySelectorAll(".day:has(time)")) line.remove();
    let day = "";
    for (const item of items) {
      const itsDay = new Date(item.dataset.at).toDateString();
      if (itsDay !== day) item.before(this.#drawing.day(item.dataset.at));
      day = itsDay;
      // A group names the sender above the first of several messages.
      const { from } = item.dataset;
      const before = /** @type {HTMLElement | null} */ (item.previousElementSibling);
      item.toggleAttribute("data-continues", from !== undefined && before?.dataset.from === from);
    }
    this.#state.show(items.filter((item) => item.classList.contains("out")));
  }
}
