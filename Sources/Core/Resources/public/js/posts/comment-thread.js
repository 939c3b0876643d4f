import { hear } from "../outbox/hearing.js";
import { newKey, request } from "../web/api.js";
import { Draft } from "../web/draft.js";
import { Enhancement } from "../web/enhancement.js";
import { clearErrors, showErrors } from "../web/form-errors.js";
import { scrollBehavior } from "../web/motion.js";
import { Template } from "../web/template.js";
import { CommentList } from "./comment-list.js";
import { laneOf } from "./sending-comments.js";

/** What the form begins with. */
const nothing = { text: "" };

/**
 * `<comment-thread data-post data-newest>` around the comments of a post, `[data-items]` of
 * `<li data-id data-thread data-own?>`, each followed by its replies. The form `.write` beside it,
 * with the fields `text`, `covered` and `warning` (its cover) and `reply` (the id of the comment that is answered, or
 * nothing), writes one; it shows at once, drawn from the template `pending`, and without a network it waits below (`<waiting-list>`). Others, newer than `data-newest`, arrive
 * live, and edits and removals too.
 */
class CommentThread extends Enhancement {
  /** One text keeps its key, so that a lost answer makes no second comment. */
  #key = newKey();
  #draft;
  #form;
  #field;
  /** @type {CommentList} */
  #list;
  #pending;

  enhance(signal) {
    this.#list = new CommentList(this, signal);
    this.#pending = Template.in(this, "pending");
    this.#draft = new Draft(`comment:${this.dataset.post}`);
    this.#form = this.parentElement.querySelector(".write");
    this.#field = this.#form.elements.text;
    if (!this.#field.value) this.#fill(this.#draft.read() ?? nothing);
    this.#form.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.#form.addEventListener("input", () => this.#keep(), { signal });
    const { covered, warning } = this.#form.elements;
    covered.addEventListener("change", () => covered.checked && warning.focus(), { signal });
    this.#field.addEventListener("keydown", (event) => this.#press(event), { signal });
    this.addEventListener("click", (event) => this.#reply(event), { signal });
    const look = ({ entry }) => entry.lane === laneOf(this.dataset.post) && this.#list.lookForNew();
    hear("comment", ["sent"], look, signal);
  }

  /** Names the person who is answered after a tap on Reply, without leaving the page. */
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

  /** What is written, and its cover. */
  get #written() {
    const { text, covered, warning } = this.#form.elements;
    return { text: text.value, covered: covered.checked, warning: warning.value };
  }

  #fill({ text, covered = false, warning = "" }) {
    const { elements } = this.#form;
    elements.text.value = text;
    elements.covered.checked = covered;
    elements.warning.value = warning;
  }

  #keep() {
    this.#key = newKey();
    if (this.#field.value) this.#draft.keep(this.#written);
    else this.#draft.clear();
  }

  async #submit(event) {
    event.preventDefault();
    const written = this.#written;
    const text = written.text.trim();
    if (!text) return;
    clearErrors(this.#form);
    const key = this.#key;
    const parent = this.#form.elements.reply?.value || this.dataset.post;
    const pending = this.#showPending(text);
    this.#fill(nothing);
    try {
      const cover = written.covered ? { sensitive: true, spoiler_text: written.warning } : {};
      const isSent = await this.#send({ text, cover, parent, key });
      if (!this.#field.value) this.#draft.clear();
      this.#form.elements.reply.value = "";
      this.#key = newKey();
      if (isSent) await this.#list.lookForNew();
    } catch (error) {
      if (!this.#field.value) {
        this.#fill(written);
        this.#key = key;
      }
      showErrors(this.#form, error, { status: "text", spoiler_text: "warning" });
    } finally {
      pending.remove();
    }
  }

  /**
   * Sends a comment, or lets it wait for a network.
   *
   * @returns {Promise<boolean>} whether the server has it
   */
  async #send({ text, cover, parent, key }) {
    // What waits would come after it.
    const isEmpty = this.parentElement.querySelector("waiting-list li") === null;
    const body = { status: text, in_reply_to_id: parent, ...cover };
    try {
      if (isEmpty) await request("POST", "/api/v1/statuses", body, { key });
      if (isEmpty) return true;
    } catch (error) {
      if (error.status !== 0) throw error;
    }
    const { outbox } = await import("../outbox/outbox.js");
    await outbox.add({ kind: "comment", lane: laneOf(this.dataset.post), key, words: text, cover, parent });
    return false;
  }

  /** Shows an own comment before the server has it. */
  #showPending(text) {
    const list = this.querySelector("[data-items]");
    list.append(this.#pending.fill({ text }));
    const item = list.lastElementChild;
    item.scrollIntoView({ block: "nearest", behavior: scrollBehavior() });
    return item;
  }
}

customElements.define("comment-thread", CommentThread);
