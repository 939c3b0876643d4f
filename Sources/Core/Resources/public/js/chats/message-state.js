import { element } from "../web/element.js";
import { clockTime } from "./message-times.js";

/**
 * The state of the person's own messages, shown below the last one that was read and below the last one. In a group, the
 * last one says how many have read it.
 */
export class MessageState {
  #drawing;
  #delivered;
  #read;
  #readAt;
  #people;
  /** Whether the readers of a group's last message are named. */
  #namesReaders = false;

  /**
   * @param {DOMStringMap} marks `delivered` and `read` are ids, `readAt` a time
   * @param {import("./message-item.js").MessageDrawing} drawing
   * @param {import("./chat-people.js").ChatPeople} people
   */
  constructor({ delivered = "0", read = "0", readAt }, drawing, people) {
    this.#people = people;
    this.#drawing = drawing;
    this.#delivered = BigInt(delivered);
    this.#read = BigInt(read);
    this.#readAt = readAt;
  }

  /**
   * Moves the marks, forward only.
   *
   * @param {{delivered?: string, read?: string, readAt?: string}} marks
   */
  move({ delivered = "0", read = "0", readAt }) {
    if (BigInt(delivered) > this.#delivered) this.#delivered = BigInt(delivered);
    if (BigInt(read) <= this.#read) return;
    this.#read = BigInt(read);
    this.#readAt = readAt;
  }

  /** Names the readers of a group's last message, or says only how many they are. */
  toggleReaders() {
    this.#namesReaders = !this.#namesReaders;
  }

  /** @param {HTMLElement[]} items the person's own messages, oldest first */
  show(items) {
    const { isGroup } = this.#people;
    const lastRead = isGroup ? undefined : items.findLast((item) => BigInt(item.dataset.id) <= this.#read);
    const last = items.at(-1);
    for (const item of items) {
      const words = item === lastRead ? this.#readWords : item === last ? this.#lastWords(last) : null;
      const bubble = item.querySelector("message-bubble");
      const line = bubble.querySelector(".state");
      if (!words) line?.remove();
      else if (!line) bubble.append(this.#drawing.state(this.#drawn(words, item)));
      else if (line.textContent !== words) this.#change(line, words, item);
    }
  }

  /** Shows other words. A link that names readers stays, since the focus may be on it. */
  #change(line, words, item) {
    const link = words.startsWith("Seen") && line.querySelector("[data-readers]");
    if (link) link.textContent = words;
    else line.replaceChildren(this.#drawn(words, item));
  }

  /** Returns the words, as a link where it says who the readers are, as the server draws them. */
  #drawn(words, item) {
    if (!words.startsWith("Seen")) return words;
    return element("a", { href: item.querySelector("[data-options]").href, "data-readers": "" }, words);
  }

  get #readWords() {
    return this.#readAt ? `Read ${clockTime(this.#readAt)}` : "Read";
  }

  #lastWords(item) {
    if (this.#people.isGroup) return this.#groupWords(item.dataset);
    return BigInt(item.dataset.id) <= this.#delivered ? "Delivered" : "Sent";
  }

  #groupWords({ id, at }) {
    const readers = this.#people.readersOf(id, at);
    if (readers.length > 0) return `Seen by ${this.#namesReaders ? readers.join(", ") : readers.length}`;
    return this.#people.isDelivered(id) ? "Delivered" : "Sent";
  }
}
