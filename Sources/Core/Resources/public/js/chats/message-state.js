import { clockTime } from "./message-times.js";

/** The state of the person's own messages, shown below the last one that was read and below the last one. */
export class MessageState {
  #drawing;
  #delivered;
  #read;
  #readAt;

  /**
   * @param {DOMStringMap} marks `delivered` and `read` are ids, `readAt` a time
   * @param {import("./message-item.js").MessageDrawing} drawing
   */
  constructor({ delivered = "0", read = "0", readAt }, drawing) {
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

  /** @param {HTMLElement[]} items the person's own messages, oldest first */
  show(items) {
    const lastRead = items.findLast((item) => BigInt(item.dataset.id) <= this.#read);
    const last = items.at(-1);
    for (const item of items) {
      const words = item === lastRead ? this.#readWords : item === last ? this.#lastWords(last) : null;
      const bubble = item.querySelector("message-bubble");
      const line = bubble.querySelector(".state");
      if (!words) line?.remove();
      else if (!line) bubble.append(this.#drawing.state(words));
      else if (line.textContent !== words) line.textContent = words;
    }
  }

  get #readWords() {
    return this.#readAt ? `Read ${clockTime(this.#readAt)}` : "Read";
  }

  #lastWords(item) {
    return BigInt(item.dataset.id) <= this.#delivered ? "Delivered" : "Sent";
  }
}
