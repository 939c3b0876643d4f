import { request } from "../web/api.js";
import { flash } from "../web/flash-message.js";
import { ask } from "../web/question.js";
import { takeAway } from "../web/take-away.js";
import { count } from "../web/words.js";
import { StatusToggles } from "./status-toggles.js";

/** Returns what a comment says: a paragraph, or what folds one because of its cover or a filter. */
const wordsOf = (item) => item.querySelector(":scope > :is(p, .words, .filtered)");

/** Returns what a comment says as text to compare, in which it doesn't matter what is unfolded. */
function written(item) {
  const words = wordsOf(item).cloneNode(true);
  for (const fold of [words, ...words.querySelectorAll("details")]) fold.removeAttribute("open");
  return words.outerHTML;
}

/** A comment, an `<li data-id data-parent?>`: likes it, deletes the person's own, and follows its events. */
export class Comment {
  #item;
  #toggles;
  #left = new AbortController();

  /**
   * @param {HTMLElement} item
   * @param {AbortSignal} signal ends the listening
   */
  constructor(item, signal) {
    this.#item = item;
    const { id, parent } = item.dataset;
    const here = AbortSignal.any([signal, this.#left.signal]);
    const wording = (total) => (total > 0 ? count(total, "like") : "");
    this.#toggles = new StatusToggles(item, id, here, wording);
    const recount = ({ detail }) => {
      if (detail.id === id) this.#toggles.likesCount = detail.favourites_count;
    };
    const leave = ({ detail }) => (detail === id || detail === parent) && this.#leave();
    addEventListener("tintype:status.counts", recount, { signal: here });
    addEventListener("tintype:delete", leave, { signal: here });
    item.addEventListener("submit", (event) => this.#delete(event), { signal: here });
  }

  /**
   * Shows the server's current state.
   *
   * @param {HTMLElement} fresh the same item, as the server renders it now
   */
  renew(fresh) {
    this.#toggles.renew(fresh);
    if (written(this.#item) !== written(fresh)) wordsOf(this.#item).replaceWith(wordsOf(fresh));
  }

  /** Removes only this comment, since the server may still show its replies. */
  remove() {
    this.#left.abort();
    takeAway(this.#item);
  }

  async #delete(event) {
    if (!event.target.action.endsWith("/delete")) return;
    event.preventDefault();
    if (!(await ask("Delete this comment?", "Delete comment", "Keep it"))) return;
    try {
      await request("DELETE", `/api/v1/statuses/${this.#item.dataset.id}`);
      this.#leave();
    } catch (error) {
      flash(error.message, "error");
    }
  }

  #leave() {
    this.remove();
    // Its replies listen to this event, too, and are removed.
    dispatchEvent(new CustomEvent("tintype:delete", { detail: this.#item.dataset.id }));
  }
}
