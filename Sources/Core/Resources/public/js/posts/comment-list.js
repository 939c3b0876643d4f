import { freshFragment } from "../web/api.js";
import { flash } from "../web/flash-message.js";
import { Comment } from "./comment.js";
import { beginningAt, commentsFrom, isAfter } from "./comment-pages.js";

/** The comments that a page shows: new ones arrive live, and missed ones are fetched. */
export class CommentList {
  #thread;
  #path;
  #newest;
  #signal;
  /** @type {WeakMap<HTMLElement, Comment>} */
  #comments = new WeakMap();
  /** Whether events were missed, so that everything shown may be out of date. */
  #isStale = false;
  #looking;
  #queued;

  /**
   * @param {HTMLElement} thread the `<comment-thread>`
   * @param {AbortSignal} signal ends the listening
   */
  constructor(thread, signal) {
    const { post, newest } = thread.dataset;
    this.#thread = thread;
    this.#path = `/posts/${post}/comments`;
    this.#newest = newest;
    this.#signal = signal;
    this.#greet();
    const growth = new MutationObserver(() => this.#greet());
    growth.observe(this.#place, { childList: true });
    signal.addEventListener("abort", () => growth.disconnect());
    const hear = (name, action) => addEventListener(`tintype:${name}`, ({ detail }) => action(detail), { signal });
    hear("status.counts", ({ id }) => id === post && this.lookForNew());
    hear("status.update", ({ id }) => this.#flashing(() => (id === post ? this.#renewTopic() : this.#renewOne(id))));
    hear("reset", () => ((this.#isStale = true), this.lookForNew()));
  }

  get #place() {
    return this.#thread.querySelector("[data-items]");
  }

  get #items() {
    return [...this.#place.querySelectorAll("li[data-id]")];
  }

  /** Whether there are earlier comments than the first one shown. */
  get #isCut() {
    return this.#thread.querySelector("a[rel=prev]") !== null;
  }

  #find(id) {
    return this.#place.querySelector(`li[data-id="${CSS.escape(id)}"]`);
  }

  #greet() {
    for (const item of this.#items) {
      if (!this.#comments.has(item)) this.#comments.set(item, new Comment(item, this.#signal));
    }
  }

  /** Fetches new comments, after a fetch that is already running. Many calls fetch once. */
  lookForNew() {
    this.#queued ??= Promise.resolve(this.#looking).then(() => {
      this.#queued = undefined;
      this.#looking = this.#flashing(() => this.#look());
      return this.#looking;
    });
    return this.#queued;
  }

  /** Fetches the comments that are newer than all that this page knows. */
  async #look() {
    if (this.#isStale) await this.#renew();
    for await (const item of this.#fetch(`min_id=${this.#newest}`)) {
      this.#newest = item.dataset.id;
      if (!this.#find(item.dataset.id)) this.#insert(item);
    }
  }

  /** Adds a new comment to the end of its thread. If the list has further pages, comments of others come with those. */
  #insert(item) {
    const { thread, own } = item.dataset;
    const before = [...this.#place.querySelectorAll(`[data-thread="${thread}"]`)].at(-1);
    if (before) before.after(item);
    else if (own !== undefined || !this.#thread.querySelector("a[rel=next]")) this.#place.append(item);
  }

  /** Fetches everything that is shown again, and removes what the server no longer shows. */
  async #renew() {
    this.#isStale = false;
    const left = new Set(this.#items);
    const renew = (item) => {
      const known = this.#find(item.dataset.id);
      if (known) this.#comments.get(known).renew(item);
      left.delete(known);
      return known;
    };
    const [first] = left;
    const next = this.#thread.querySelector("a[rel=next]")?.cloneNode();
    try {
      await this.#renewTopic();
      let last = this.#place.querySelector(".topic");
      for await (const item of this.#fetch(this.#isCut && first ? beginningAt(first) : "")) {
        if (next && isAfter(item, next)) break;
        const known = renew(item);
        if (!known && last) last.after(item);
        else if (!known) this.#place.prepend(item);
        last = known ?? item;
      }
      // The person's own comments show here before their page is loaded, so they are fetched by being newer than the
      // page.
      const heard = left.size > 0 ? this.#fetch(`min_id=${this.#thread.dataset.newest}`) : [];
      for await (const item of heard) renew(item);
      for (const item of left) this.#comments.get(item).remove();
    } catch (error) {
      this.#isStale = true;
      throw error;
    }
  }

  async #renewOne(id) {
    const item = this.#find(id);
    if (!item) return;
    const { value: fresh } = await this.#fetch(beginningAt(item)).next();
    if (fresh?.dataset.id === id) this.#comments.get(item).renew(fresh);
  }

  /** Fetches the caption that the thread is about, which only shows above the beginning of the thread. */
  async #renewTopic() {
    if (this.#isCut) return;
    const page = await freshFragment(this.#path, "thread", this.#signal);
    this.#place.querySelector(".topic")?.remove();
    const topic = page.querySelector(".topic");
    if (topic) this.#place.prepend(topic);
  }

  #fetch(query) {
    return commentsFrom(`${this.#path}?${query}`, this.#signal);
  }

  /** Runs an action, and shows its error. */
  async #flashing(look) {
    try {
      await look();
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    }
  }
}
