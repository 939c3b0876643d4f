import { picture as pictureAt } from "../photos/paths.js";
import { element } from "../web/element.js";
import { filePicture } from "../web/file-picture.js";
import { inLocalTime } from "../web/local-time.js";
import { Template } from "../web/template.js";
import { dayTime } from "./message-times.js";

/** @typedef {import("./quote.js").Quote} Quote */

const self = document.documentElement.dataset.account;

/** The drawing of a chat's messages, from the template that the server draws its own messages with. */
export class MessageDrawing {
  #template;
  #event;
  #day;
  #people;
  /** The members of a message that name what it shares. */
  #shared;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`, with templates of a message, of what happens and of a day
   * @param {import("./chat-people.js").ChatPeople} people
   */
  constructor(thread, people) {
    this.#template = Template.in(thread, "message");
    this.#event = Template.in(thread, "event");
    this.#day = Template.in(thread, "day");
    this.#people = people;
    this.#shared = this.#template.part("shared").names;
  }

  /**
   * Draws a message.
   *
   * @param {object} message as in the JSON interface
   * @returns {HTMLElement}
   */
  item(message) {
    const { id, created_at, number, idempotency_key: key, photo, view_once, opened, expired } = message;
    const { account_id: from, blocked: folded, event, opened_by: openedBy = [] } = message;
    if (event) return this.#event.fill({ id, created_at, number, words: event.words });
    this.#people.learn(message.account);
    const isOwn = from === self;
    const isShared = this.#shared.some((member) => message[member]);
    const item = this.#item({
      ...{ id, created_at, number, key, from, side: isOwn ? "out" : "in", portrait: !isOwn },
      ...{ name: this.#people.isGroup && !isOwn && this.#people.name(from), folded, fold: folded },
      quote: message.in_reply_to && this.#quoted(message),
      gone_quote: message.in_reply_to_id && !message.in_reply_to,
      snap_quote: message.snap_id && this.#snapOf(isOwn),
      once: view_once && {
        disabled: isOwn || opened || expired,
        expired,
        unopened: !opened && !expired,
        opened: opened && (isOwn && this.#people.isGroup ? `Opened by ${openedBy.length}` : "Opened"),
      },
      photo: photo && this.#photo(photo, isOwn ? "to" : "from", this.#people.name(isOwn ? undefined : from)),
      text: message.text && !(isShared && isLinkAlone(message)) && textOf(message),
      shared: isShared && message,
      reactions: this.#reactions(message),
      options: true,
    });
    item.querySelector("[data-portrait]")?.replaceWith(this.#people.portrait(from) ?? "");
    return item;
  }

  #item(values) {
    return /** @type {HTMLElement} */ (this.#template.fill(values));
  }

  #photo({ id, description, blurhash, meta: { small: { width, height } } }, way, name) {
    const alt = description ?? `Photo ${way} ${name}`;
    return { photo_id: id, width, height, alt, blurhash };
  }

  #quoted({ in_reply_to_id: id, in_reply_to: { account_id, name: known, view_once, text, photo_id } }) {
    const words = view_once ? "View-once photo" : text || "Photo";
    const picture = photo_id && pictureAt(photo_id, "square");
    return this.#quoteValues({ id, isOwn: account_id === self, name: this.#people.name(account_id, known), words, picture });
  }

  /** Says whose snap a message answers. */
  #snapOf(isOwn) {
    return { snap: isOwn ? `${this.#people.name()}’s snap` : "Your snap" };
  }

  /** @param {Quote} quote */
  #quoteValues({ id, isOwn, name, words, picture }) {
    return { id, name: isOwn ? "You" : name ?? this.#people.name(), words, picture };
  }

  /** Draws what remains of the quote of a deleted message. */
  goneQuote() {
    return this.#template.part("gone_quote").fill({});
  }

  /**
   * Draws the emoji below a message.
   *
   * @param {object} message as in the JSON interface, at least its `id` and `reactions`
   * @returns {HTMLElement | null} null where there are none
   */
  reactions(message) {
    const values = this.#reactions(message);
    return values && /** @type {HTMLElement} */ (this.#template.part("reactions").fill(values));
  }

  #reactions({ id, reactions }) {
    const emoji = [...new Set(reactions.map((reaction) => reaction.emoji))];
    if (emoji.length === 0) return null;
    const one = (emoji) => {
      const accounts = reactions.filter((reaction) => reaction.emoji === emoji).map(({ account_id }) => account_id);
      const isOwn = accounts.includes(self);
      const others = accounts.filter((account) => account !== self).map((account) => this.#people.name(account));
      const names = [...(isOwn ? ["you"] : []), ...others];
      const words = accounts.length > 1 ? `${emoji} ${accounts.length}` : emoji;
      const label = `${emoji} from ${names.join(" and ")}`;
      return { emoji, words, value: isOwn ? "" : emoji, is_own: String(isOwn), label };
    };
    return { id, reaction: emoji.map(one) };
  }

  /** Draws the line above the first message of a day. */
  day(time) {
    return this.#day.fill({ time, title: inLocalTime(new Date(time)), words: dayTime(time) });
  }

  /** Draws the last line of a message: whether it was delivered and read. */
  state(words) {
    return this.#template.part("state").fill({ words });
  }

  /**
   * Draws a message that waits to be sent.
   *
   * @param {import("./sending.js").Entry} entry
   * @param {Quote | null} quote of the message that it answers
   */
  pending(entry, quote) {
    const { key, text, once } = entry;
    const picture = !once && pictureOf(entry);
    const values = {
      ...{ key, side: "out", quote: quote && !quote.isSnap && this.#quoteValues(quote) },
      snap_quote: quote?.isSnap && this.#snapOf(true),
      ...{ pending_once: once, pending_photo: Boolean(picture) },
      text: text && { classes: "bubble", content: text },
    };
    const item = document.adoptNode(this.#item(values));
    // A picture of a file can be loaded only once, so it stays in the page's document.
    if (picture) item.querySelector(".bubble.photo").append(picture);
    return item;
  }
}

/**
 * Returns the picture of a message that waits to be sent, if there is one.
 *
 * @param {import("./sending.js").Entry} entry
 */
function pictureOf({ file, library, description }) {
  if (file) return filePicture(file, description || file.name);
  if (!library) return null;
  return element("img", { src: pictureAt(library, "medium"), alt: description || "Photo of your library" });
}

/** Parses HTML of the server. */
const parser = document.createElement("template");

/** Returns the text of a message from the server's own HTML, which is escaped and has links. */
function textOf({ content, emoji_only }) {
  return { classes: emoji_only ? "bubble emoji" : "bubble", content: nodesOf(content) };
}

/** Returns whether a message's text is only the link to what it shares. */
function isLinkAlone({ text, content }) {
  if (!content.includes("<a")) return false;
  parser.innerHTML = content;
  return parser.content.querySelector("a").textContent === text.trim();
}

/** Returns the nodes of some HTML, or its text if it has no markup. */
function nodesOf(content) {
  if (!/[<&]/.test(content)) return content;
  parser.innerHTML = content;
  return parser.content;
}

/** Returns whether two items look the same, apart from the state of the message. */
export function isSame(known, item) {
  return bare(known).isEqualNode(bare(item));
}

/**
 * Returns a copy of an item without the state of the message, and without what its place, loading a photo or leading to it
 * changes.
 */
function bare(item) {
  const copy = item.cloneNode(true);
  copy.querySelector(".state")?.remove();
  for (const name of ["id", "data-found", "data-continues", "data-folded"]) copy.removeAttribute(name);
  for (const picture of copy.querySelectorAll("img")) {
    for (const name of ["style", "data-blurhash"]) picture.removeAttribute(name);
  }
  // A card fetches its own content.
  copy.querySelector(".shared")?.replaceChildren();
  return copy;
}
