import { fragment, newKey, request } from "../web/api.js";
import { Draft } from "../web/draft.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { clearErrors, showErrors } from "../web/form-errors.js";
import { scrollBehavior } from "../web/motion.js";
import { Comment, pendingComment } from "./comment.js";

/**
 * `<comment-thread data-post data-newest>` around the comments of a post, `[data-items]` of
 * `<li data-id data-thread data-own?>`, each followed by its replies. The form `.write` beside it,
 * with the fields `text` and `reply` (the id of the comment that is answered, or nothing), writes
 * one; it shows at once. Others, newer than `data-newest`, arrive live.
 */
class CommentThread extends Enhancement {
  /** One text keeps its key, so that a lost answer makes no second comment. */
  #key = newKey();
  #draft;
  #form;
  #field;
  #known = new WeakSet();
  #newest;
  #looking;
  #queued;
  #signal;

  enhance(signal) {
    this.#signal = signal;
    this.#newest ??= this.dataset.newest;
    this.#draft = new Draft(`comment:${this.dataset.post}`);
    this.#form = this.parentElement.querySelector(".write");
    this.#field = this.#form.elements.text;
    this.#field.value ||= this.#draft.read()?.text ?? "";
    this.#greet();
    const growth = new MutationObserver(() => this.#greet());
    growth.observe(this.#list, { childList: true });
    signal.addEventListener("abort", () => growth.disconnect());
    const hear = ({ detail }) => detail.id === this.dataset.post && this.#lookForNew();
    this.#form.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.#field.addEventListener("input", () => this.#keep(), { signal });
    this.#field.addEventListener("keydown", (event) => this.#press(event), { signal });
    this.addEventListener("click", (event) => this.#reply(event), { signal });
    addEventListener("tintype:status.counts", hear, { signal });
    addEventListener("tintype:reset", () => this.#lookForNew(), { signal });
  }

  get #list() {
    return this.querySelector("[data-items]");
  }

  #greet() {
    for (const item of this.#list.querySelectorAll("li[data-id]")) {
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
    const item = pendingComment(this.#form.querySelector(".portrait"), text);
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

  /** Asks for the comments that are newer than all this page has heard of. */
  async #look() {
    try {
      let next = `/posts/${this.dataset.post}/comments?min_id=${this.#newest}`;
      while (next) {
        const page = await fragment(next, "list", this.#signal);
        for (const item of page.querySelectorAll("li[data-id]")) {
          this.#newest = item.dataset.id;
          this.#place(item);
        }
        next = page.querySelector("a[rel=next]")?.href;
      }
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    }
  }

  /** Puts a new comment at the end of its thread. Where the list goes on, others' come with their page. */
  #place(item) {
    const { id, thread, own } = item.dataset;
    if (this.#list.querySelector(`[data-id="${id}"]`)) return;
    const before = [...this.#list.querySelectorAll(`[data-thread="${thread}"]`)].at(-1);
    if (before) before.after(item);
    else if (own !== undefined || !this.querySelector("a[rel=next]")) this.#list.append(item);
  }
}

customElements.define("comment-thread", CommentThread);
