import { request } from "../web/api.js";
import { isAtEnd } from "./reading-place.js";

/** Milliseconds in which messages that were read are gathered into one report. */
const gathering = 250;

/** Returns whether new messages count as read: the end of the chat is visible, and the chat is no request. */
export function isBeingRead(thread) {
  return document.visibilityState === "visible" && isAtEnd(thread) && !("request" in thread.dataset);
}

/** Reports to the server which messages have been read, while the end of the chat is visible. */
export class ReadMarker {
  #thread;
  #list;
  #last = "0";
  /** The newest message that has been visible. What comes while the person is further up isn't read. */
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

  /** Reports messages that have been read since the last report. */
  look() {
    // Without a network nothing is reported; the page looks again when the network is back.
    if (!isBeingRead(this.#thread) || !navigator.onLine) return;
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
      // The next call sends it again, at the latest when the network is back.
      this.#last = before;
    }
  }
}
