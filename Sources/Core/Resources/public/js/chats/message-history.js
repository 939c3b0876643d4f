import { request } from "../web/api.js";
import { flash } from "../web/flash-message.js";
import { isAfter } from "../web/events.js";
import { lacksLater } from "./reading-place.js";

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
    thread.querySelector("a[rel=prev]")?.closest("li").remove();
  }

  /** Returns whether a message belongs among the earlier or later ones that haven't been fetched yet. */
  isBeyond({ id }) {
    return (this.#hasEarlier && this.#list.isEarlier(id)) || (this.#hasLater && isAfter(id, this.#list.complete));
  }

  /** Whether the page ends before the newest message, because it was opened further up. */
  get #hasLater() {
    return lacksLater(this.#thread);
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
        if (!this.#hasLater) await this.#fetchNewer();
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
    // Further up, nothing after the last message that is shown is fetched.
    const end = this.#hasLater ? String(BigInt(this.#list.complete) + 1n) : undefined;
    try {
      const { peer } = await this.#get("");
      // A group's people have their own marks, which the thread looks at.
      if (peer) {
        this.#list.mark({ delivered: peer.last_delivered_id, read: peer.last_read_id, readAt: peer.read_at });
      }
      for (let number = 0; number < renewed && hasEarlier; number += 1) {
        const messages = await this.#fetchBefore(fetched.at(-1)?.id ?? end);
        fetched.push(...messages);
        hasEarlier = messages.length === page;
        if (!shown.length || (hasEarlier && !isAfter(fetched.at(-1).id, shown[0]))) break;
      }
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
    // The newest messages were shown meanwhile, with which these have nothing in common.
    if (end && !this.#hasLater) {
      this.#isStale = true;
      return;
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
   * @returns {Promise<boolean>} whether a page was fetched
   */
  async fetchEarlier() {
    if (!this.#hasEarlier || this.#thread.ariaBusy === "true") return false;
    return this.#busily(async () => {
      const { oldest } = this.#list;
      const messages = await this.#fetchBefore(oldest);
      // The list was fetched again meanwhile and may begin elsewhere, so these messages could leave a gap.
      if (oldest !== this.#list.oldest) return;
      this.#hasEarlier = messages.length === page;
      this.#list.addEarlier(messages);
    });
  }

  /**
   * Fetches a page of later messages on a page that was opened further up, unless one is being fetched already.
   *
   * @returns {Promise<boolean>} whether a page was fetched
   */
  async fetchLater() {
    if (!this.#hasLater || this.#thread.ariaBusy === "true") return false;
    return this.#busily(async () => {
      const { complete } = this.#list;
      const messages = await this.#get(`/messages?min_id=${complete}&limit=${page}`);
      // The newest messages were fetched meanwhile.
      if (!this.#hasLater || complete !== this.#list.complete) return;
      this.#list.addComplete(messages.reverse());
      // Only then the last of those that were there before have been seen as such, and not as new ones.
      if (messages.length === 0) this.#reachEnd();
    });
  }

  /** Shows the newest messages in place of those of a page that was opened further up. */
  async showNewest() {
    if (!this.#hasLater) return;
    await this.#busily(async () => {
      const messages = await this.#fetchBefore();
      if (!this.#hasLater) return;
      this.#hasEarlier = messages.length === page;
      this.#list.replace(messages.reverse());
      this.#reachEnd();
    });
  }

  /**
   * Changes the list while it says that it is busy, and tells the person when that fails.
   *
   * @param {() => Promise<void>} work
   * @returns {Promise<boolean>} whether it is done
   */
  async #busily(work) {
    this.#thread.ariaBusy = "true";
    try {
      await work();
      return true;
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
      return false;
    } finally {
      this.#thread.ariaBusy = null;
    }
  }

  #reachEnd() {
    delete this.#thread.dataset.later;
    this.catchUp();
  }

  /**
   * Fetches earlier messages until a certain one is there.
   *
   * @returns {Promise<boolean | null>} whether it is, as far as is known while a page is being fetched; null when that couldn't
   *   be found out, which the person was told
   */
  async fetchThrough(id) {
    for (let number = 0; number < searched && this.isBeyond({ id }); number += 1) {
      // A page is being fetched already. The address of the message leads there, too.
      if (this.#thread.ariaBusy === "true") return false;
      if (!(await this.fetchEarlier())) return null;
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
