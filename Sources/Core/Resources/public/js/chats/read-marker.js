import { request } from "../web/api.js";
import { isAtEnd } from "./reading-place.js";

/** Milliseconds in which what is read is gathered. */
const gathering = 250;

/** Whether what comes counts as read: its end is being looked at. A request isn't answered by reading it. */
export function isBeingRead(thread) {
  return document.visibilityState === "visible" && isAtEnd(thread) && !("request" in thread.dataset);
}

/** Tells the server what has been read: what stands at the end of a page that is being looked at. */
export class ReadMarker {
  #thread;
  #list;
  #last = "0";
  /** The newest message that has been looked at: what comes later, while somebody reads further up, isn't read. */
  #seen;
  #timer;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {import("./message-list.js").MessageList} list
   * @param {AbortSignal} signal ends the listening
   */
  constructor(thread, list, signal) {
    this.#thread = thread;
    this.#list = list;
    document.addEventListener("visibilitychange", () => this.look(), { signal });
    addEventListener("focus", () => this.look(), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  /** Looks whether there is something newly read. */
  look() {
    if (!isBeingRead(this.#thread)) return;
    this.#seen = this.#list.newestReceived;
    this.#timer ??= setTimeout(() => this.#send(), gathering);
  }

  async #send() {
    this.#timer = undefined;
    const newest = this.#seen;
    if (!newest || newest === this.#last) return;
    const before = this.#last;
    this.#last = newest;
    try {
      const path = `/api/v1/chats/${this.#thread.dataset.chat}/read`;
      await request("POST", path, { last_read_id: newest });
    } catch {
      // The next look sends it again, at the latest when the network is back.
      this.#last = before;
    }
  }
}
