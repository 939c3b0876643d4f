import { request } from "../web/api.js";
import { flash } from "../web/flash-message.js";
import { isAfter } from "../web/events.js";

/**
 * The number of messages on a page, the most pages that are fetched again when something may have been missed, and
 * the most pages that are searched for one message.
 */
const page = 40;
const renewed = 5;
const searched = 50;

/** The messages of a chat that the page lacks: fetches newer and earlier ones, and all again after missed events. */
export class MessageHistory {
  /** Functions that are called when newer messages have been fetched, and when the chat no longer exists. */
  onfetched = () => {};
  onclosed = () => {};
  #thread;
  #list;
  #signal;
  #path;
  #hasEarlier;
  #fetching;
  /** Whether what is shown may have changed without an event. */
  #isStale = false;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`, with a link `a[rel=next]` if there are earlier messages
   * @param {import("./message-list.js").MessageList} list
   * @param {AbortSignal} signal ends the fetching
   */
  constructor(thread, list, signal) {
    this.#thread = thread;
    this.#list = list;
    this.#signal = signal;
    this.#path = `/api/v1/chats/${thread.dataset.chat}`;
    const link = thread.querySelector("a[rel=next]");
    this.#hasEarlier = link !== null;
    link?.closest("li").remove();
  }

  /** Returns whether a message belongs among the earlier ones that haven't been fetched yet. */
  isBeyond({ id }) {
    return this.#hasEarlier && this.#list.isEarlier(id);
  }

  /** Fetches the messages after the last one known without a gap. Many calls make one request. */
  catchUp() {
    this.#fetching ??= this.#fetchMissed().finally(() => (this.#fetching = undefined));
    return this.#fetching;
  }

  /**
   * Fetches the messages again after missed events, as they may have been added, deleted or opened, and marks moved.
   */
  renew() {
    this.#isStale = true;
    return this.catchUp();
  }

  async #fetchMissed() {
    try {
      do {
        if (this.#isStale) await this.#fetchAnew();
        await this.#fetchNewer();
      } while (this.#isStale);
      this.onfetched();
    } catch (error) {
      if (error.name === "AbortError") return;
      // The chat is blocked or deleted. Without a network, this is tried again when the stream is back.
      if (error.status === 404) this.onclosed();
    }
  }

  async #fetchAnew() {
    this.#isStale = false;
    const shown = this.#list.ids;
    const fetched = [];
    let hasEarlier = true;
    try {
      const { peer } = await this.#get("");
      // A group's people have their own marks, which the thread looks at.
      if (peer) {
        this.#list.mark({ delivered: peer.last_delivered_id, read: peer.last_read_id, readAt: peer.read_at });
      }
      for (let number = 0; number < renewed && hasEarlier; number += 1) {
        const messages = await this.#fetchBefore(fetched.at(-1)?.id);
        fetched.push(...messages);
        hasEarlier = messages.length === page;
        if (!shown.length || (hasEarlier && !isAfter(fetched.at(-1).id, shown[0]))) break;
      }
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    this.#hasEarlier = hasEarlier;
    this.#list.renew(fetched.reverse(), shown);
  }

  async #fetchNewer() {
    for (;;) {
      const messages = await this.#get(`/messages?min_id=${this.#list.complete}&limit=${page}`);
      this.#list.addComplete(messages.reverse());
      if (messages.length < page) return;
    }
  }

  /**
   * Fetches a page of earlier messages, unless one is being fetched already.
   *
   * @returns {Promise<boolean>} whether there are more now
   */
  async fetchEarlier() {
    if (!this.#hasEarlier || this.#thread.ariaBusy === "true") return false;
    this.#thread.ariaBusy = "true";
    try {
      const { oldest } = this.#list;
      const messages = await this.#fetchBefore(oldest);
      // The list was fetched again meanwhile and may begin elsewhere, so these messages could leave a gap.
      if (oldest !== this.#list.oldest) return true;
      this.#hasEarlier = messages.length === page;
      this.#list.addEarlier(messages);
      return true;
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
      return false;
    } finally {
      this.#thread.ariaBusy = null;
    }
  }

  /**
   * Fetches earlier messages until a certain one is there.
   *
   * @returns {Promise<boolean>} whether it is
   */
  async fetchThrough(id) {
    for (let number = 0; number < searched && this.isBeyond({ id }); number += 1) {
      if (!(await this.fetchEarlier())) break;
    }
    return this.#list.item(id) !== null;
  }

  /** @param {string} [id] without it, the newest @returns {Promise<object[]>} newest first */
  #fetchBefore(id = "0") {
    return this.#get(`/messages?max_id=${id}&limit=${page}`);
  }

  #get(path) {
    return request("GET", this.#path + path, undefined, { signal: this.#signal });
  }
}
