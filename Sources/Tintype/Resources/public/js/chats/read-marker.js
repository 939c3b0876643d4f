import { request } from "../web/api.js";

/** Milliseconds in which what is read is gathered. */
const gathering = 250;

/** Tells the server what has been read: what stands at the end of a page that is being looked at. */
export class ReadMarker {
  #thread;
  #list;
  #last = "0";
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

  /** Looks whether there is something newly read. A request isn't answered by reading it. */
  look() {
    const isSeen = document.visibilityState === "visible" && this.#thread.scrollTop > -80;
    if (!isSeen || "request" in this.#thread.dataset || this.#timer) return;
    this.#timer = setTimeout(() => this.#tell(), gathering);
  }

  async #tell() {
    this.#timer = undefined;
    const newest = this.#list.newestReceived;
    if (!newest || newest === this.#last) return;
    const before = this.#last;
    this.#last = newest;
    try {
      const path = `/api/v1/chats/${this.#thread.dataset.chat}/read`;
      await request("POST", path, { last_read_id: newest });
    } catch {
      // Not told: the next look, at the latest when the network is back, tells it again.
      this.#last = before;
    }
  }
}
