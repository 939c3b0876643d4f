import { fragment, newKey, request } from "../web/api.js";
import { Draft } from "../web/draft.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { clearErrors, showErrors } from "../web/form-errors.js";
import { scrollBehavior } from "../web/motion.js";
import { Comment } from "./comment.js";

/**
 * `<comment-thread data-post>` around the comments of a post, `[data-items]` of
 * `<li data-id data-thread>`, each comment followed by its replies. The form `.write` beside it, with
 * the fields `text` and `reply` (the id of the comment that is answered, or nothing), writes one; it
 * shows at once. Others arrive live.
 */
class CommentThread extends Enhancement {
  /** One text keeps its key, so that a lost answer makes no second comment. */
  #key = newKey();
  #draft;
  #form;
  #known = new WeakSet();
  #looking;
  #queued;
  #signal;

  enhance(signal) {
    this.#signal = signal;
    const { post } = this.dataset;
    this.#draft = new Draft(`comment:${post}`);
    this.#form = this.parentElement.querySelector(".write");
    this.#field.value ||= this.#draft.read()?.text ?? "";
    this.#greet();
    const growth = new MutationObserver(() => this.#greet());
    growth.observe(this.#list, { childList: true });
    signal.addEventListener("abort", () => growth.disconnect());
    const hear = ({ detail }) => {
      if (detail.id === post) this.#lookForNew();
    };
    this.#form.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.#field.addEventListener("input", () => this.#keep(), { signal });
    this.#field.addEventListener("keydown", (event) => this.#press(event), { signal });
    this.addEventListener("click", (event) => this.#reply(event), { signal });
    addEventListener("tintype:status.counts", hear, { signal });
    addEventListener("tintype:reset", () => this.#lookForNew(), { signal });
  }

  get #field() {
    return this.#form.elements.text;
  }

  get #list() {
    return this.querySelector("[data-items]");
  }

  get #items() {
    return [...this.#list.querySelectorAll("li[data-id]")];
  }

  #greet() {
    for (const item of this.#items) {
      if (this.#known.has(item)) continue;
      this.#known.add(item);
      new Comment(item, this.#signal);
    }
  }

  /** A tap on Reply names the one who is answered, without leaving the page. */
  #reply(event) {
    const link = event.target.closest("[data-reply]");
    if (!link) return;
    event.preventDefault();
    this.#form.elements.reply.value = link.closest("li").dataset.id;
    this.#field.value = `@${link.dataset.reply} `;
    this.#field.focus();
    this.#keep();
  }

  #press(event) {
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) this.#form.requestSubmit();
  }

  #keep() {
    this.#key = newKey();
    if (this.#field.value) this.#draft.keep({ text: this.#field.value });
    else this.#draft.clear();
  }

  async #submit(event) {
    event.preventDefault();
    const text = this.#field.value.trim();
    if (!text) return;
    clearErrors(this.#form);
    const key = this.#key;
    const parent = this.#form.elements.reply?.value || this.dataset.post;
    const pending = this.#showPending(text);
    this.#field.value = "";
    try {
      await request("POST", "/api/v1/statuses", { status: text, in_reply_to_id: parent }, { key });
      if (!this.#field.value) this.#draft.clear();
      this.#form.elements.reply.value = "";
      this.#key = newKey();
      await this.#lookForNew();
    } catch (error) {
      this.#field.value ||= text;
      if (this.#field.value === text) this.#key = key;
      showErrors(this.#form, error, { status: "text" });
    } finally {
      pending.remove();
    }
  }

  /** Shows an own comment before the server has it. */
  #showPending(text) {
    const portrait = element("a", {}, this.#form.querySelector(".portrait").cloneNode(true));
    const words = [element("p", {}, text), element("footer", {}, "Sending…")];
    const item = element("li", { class: "comment" }, portrait, ...words);
    this.#list.append(item);
    item.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
    return item;
  }

  /** Looks again when the look under way, if any, is over; many calls make one look. */
  #lookForNew() {
    this.#queued ??= Promise.resolve(this.#looking).then(() => {
      this.#queued = undefined;
      this.#looking = this.#look();
      return this.#looking;
    });
    return this.#queued;
  }

  /** Asks for the comments after the newest one here, and puts each at the end of its thread. */
  async #look() {
    const ids = this.#items.map((item) => item.dataset.id);
    const newest = ids.reduce((one, other) => (BigInt(one) > BigInt(other) ? one : other), "0");
    try {
      const url = `/posts/${this.dataset.post}/comments?min_id=${newest}`;
      const page = await fragment(url, "list", this.#signal);
      const items = [...page.querySelectorAll("li[data-id]")];
      for (const item of items) if (!ids.includes(item.dataset.id)) this.#place(item);
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    }
  }

  #place(item) {
    const thread = this.#list.querySelectorAll(`[data-thread="${item.dataset.thread}"]`);
    if (thread.length) thread[thread.length - 1].after(item);
    else this.#list.append(item);
  }
}

customElements.define("comment-thread", CommentThread);
