import { element } from "../web/element.js";

/**
 * A member of a group, or somebody who was one.
 *
 * @typedef {object} Person
 * @property {string} name
 * @property {HTMLElement} portrait
 * @property {bigint} delivered the last message that has arrived on a device of theirs
 * @property {bigint} read the last message that they have read
 * @property {number} joined when they joined, in milliseconds
 * @property {boolean} isReader whether they are a member who has accepted
 */

const self = document.documentElement.dataset.account;

/** The people of a chat: their names and portraits, and in a group how far each has received and read. */
export class ChatPeople {
  /** Whether the chat is one of a group. */
  isGroup;
  /** The name of the other person of two. */
  #name;
  /** @type {Map<string, Person>} the members of a group and the authors of its messages, by id */
  #people = new Map();

  /** @param {HTMLElement} thread the `<chat-thread>`, in a group with the template `people` */
  constructor(thread) {
    this.#name = thread.dataset.name;
    /** @type {HTMLTemplateElement} */
    const template = thread.querySelector("template[data-template=people]");
    this.isGroup = template !== null;
    for (const one of template?.content.children ?? []) {
      const { account, name, delivered, read, joined, invited } = /** @type {HTMLElement} */ (one).dataset;
      const portrait = /** @type {HTMLElement} */ (one.firstElementChild);
      const marks = { delivered: BigInt(delivered), read: BigInt(read) };
      const isReader = invited === undefined;
      this.#people.set(account, { name, portrait, ...marks, joined: Date.parse(joined), isReader });
    }
  }

  /**
   * Returns somebody's name, or that of the chat.
   *
   * @param {string} [id] the person; none for the chat, which is that of the other of two
   * @param {string | null} [known] the name of somebody who isn't in the group any more
   */
  name(id, known) {
    if (!this.isGroup || id === undefined) return this.#name;
    return this.#people.get(id)?.name ?? known ?? "Someone";
  }

  /** Returns a copy of somebody's portrait. */
  portrait(id) {
    return this.#people.get(id)?.portrait.cloneNode(true);
  }

  /** Notes the author of a message, who may have left the group. */
  learn(account) {
    if (!account || this.#people.has(account.id)) return;
    this.#add(account, { delivered: 0n, read: 0n, joined: 0, isReader: false });
  }

  #add({ id, display_name: name, avatar_static: src }, rest) {
    const portrait = element("img", { class: "portrait", src, alt: "", width: 28, height: 28 });
    this.#people.set(id, { name, portrait: this.#people.get(id)?.portrait ?? portrait, ...rest });
  }

  /**
   * Notes who is in the group now.
   *
   * @param {object[]} members as in the JSON interface
   */
  renew(members) {
    for (const person of this.#people.values()) person.isReader = false;
    for (const { account, invited, joined_at, last_delivered_id: delivered, last_read_id: read } of members) {
      const marks = { delivered: BigInt(delivered), read: BigInt(read) };
      this.#add(account, { ...marks, joined: Date.parse(joined_at), isReader: !invited });
    }
  }

  /** Notes how far somebody has received or read. Marks move forward only. */
  mark(id, { delivered = "0", read = "0" }) {
    const person = this.#people.get(id);
    if (!person) return;
    if (BigInt(delivered) > person.delivered) person.delivered = BigInt(delivered);
    if (BigInt(read) > person.read) person.read = BigInt(read);
  }

  get #readers() {
    return [...this.#people].filter(([id, { isReader }]) => isReader && id !== self).map(([, person]) => person);
  }

  /**
   * Returns the names of the members who have read a message. Who joined later hasn't got it, although what came before counts as
   * read for them.
   *
   * @param {string} id
   * @param {string} at when it was sent
   * @returns {string[]}
   */
  readersOf(id, at) {
    const sent = Date.parse(at);
    return this.#readers.filter(({ read, joined }) => joined <= sent && read >= BigInt(id)).map(({ name }) => name);
  }

  /** Returns whether a message has arrived at every member. */
  isDelivered(id) {
    const readers = this.#readers;
    return readers.length > 0 && readers.every(({ delivered }) => delivered >= BigInt(id));
  }
}
