import { DoubleTap } from "../web/double-tap.js";
import { MessageCommands } from "./message-commands.js";
import { MessageOptions } from "./message-options.js";
import { ownReaction } from "./reactions.js";
import { ReplySwipe } from "./reply-swipe.js";

/** Milliseconds in which a tap may become a double tap, and after which a press is a long one. */
const tap = 320;
const hold = 500;

/** Pixels to the left that count as a slide, and pixels that a resting finger may move. */
const slide = 40;
const slack = 8;

/** The actions on a message: save its photo, enlarge it, reply, react, copy, delete for everyone. */
export class MessageActions {
  #thread;
  #commands;
  #options;
  #chosen;
  #tapTimer;
  /** The pointer that is down on a message, and whether the last press did something, so that its click is ignored. */
  #press = null;
  #wasDone = false;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {import("./message-list.js").MessageList} list
   * @param {import("./message-history.js").MessageHistory} history
   * @param {AbortSignal} signal ends the listening
   */
  constructor(thread, list, history, signal) {
    this.#thread = thread;
    this.#commands = new MessageCommands(thread, list, history);
    if (this.#mayAnswer) new ReplySwipe(thread, (item) => this.#finish(() => this.#commands.reply(item)), signal);
    const save = (photo) => this.#finish(() => this.#save(photo.closest("li")));
    new DoubleTap(thread, "a.bubble.photo", save, signal);
    thread.addEventListener("click", (event) => this.#click(event), { signal });
    thread.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    thread.addEventListener("pointermove", (event) => this.#move(event), { signal });
    // Scrolling with a finger cancels its pointer. The thread also scrolls by itself, which must not end a long press.
    for (const name of ["pointerup", "pointercancel"]) {
      thread.addEventListener(name, () => this.#release(), { signal });
    }
    thread.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
    const sheet = document.querySelector("#message-options");
    const act = (name, value) => this.#commands[name](this.#chosen, value);
    this.#options = new MessageOptions(sheet, act, signal);
  }

  /** Whether the person may answer. In a request that waits, the sender must not learn that it was looked at. */
  get #mayAnswer() {
    return !("request" in this.#thread.dataset);
  }

  #click(event) {
    const options = event.target.closest("[data-options]");
    const photo = event.target.closest("a.bubble.photo");
    const once = event.target.closest("[data-open]");
    const reaction = event.target.closest("[data-react]");
    const quote = event.target.closest("[data-quote]");
    if (reaction) {
      event.preventDefault();
      this.#commands.react(reaction.closest("li.message"), reaction.dataset.react);
    }
    if (quote && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      if (!this.#wasDone) this.#commands.showQuoted(quote);
    }
    if (once) {
      event.preventDefault();
      this.#commands.openOnce(once.closest("li"));
    }
    if (options) {
      event.preventDefault();
      this.#choose(options.closest("li"));
    } else if (photo && event.detail > 0 && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      clearTimeout(this.#tapTimer);
      if (this.#wasDone) return;
      // A second tap within this time saves the photo instead.
      this.#tapTimer = setTimeout(() => location.assign(photo.href), tap);
    }
  }

  #down(event) {
    this.#release();
    this.#wasDone = false;
    const item = event.target.closest("li.message[data-id]:not(.event)");
    if (!item || !event.isPrimary || event.button !== 0) return;
    const photo = event.target.closest("a.bubble.photo");
    const timer = setTimeout(() => this.#finish(() => this.#choose(item)), hold);
    this.#press = { x: event.clientX, y: event.clientY, photo, timer };
  }

  #move({ clientX, clientY, buttons }) {
    const press = this.#press;
    if (!press || !buttons) return this.#release(); // The pointer was released outside of the window.
    const [left, down] = [press.x - clientX, Math.abs(clientY - press.y)];
    if (Math.hypot(left, down) > slack) clearTimeout(press.timer);
    if (press.photo && left > slide && left > 2 * down) {
      this.#finish(() => location.assign(press.photo.href));
    }
  }

  #finish(action) {
    this.#release();
    this.#wasDone = true;
    action();
  }

  #release() {
    clearTimeout(this.#press?.timer);
    this.#press = null;
  }

  #choose(item) {
    this.#chosen = item;
    const isOwn = item.classList.contains("out");
    const save = !isOwn && item.querySelector("a.bubble.photo") !== null;
    const copy = item.querySelector("p.bubble") !== null;
    const page = `/messages/${this.#thread.dataset.chat}/${item.dataset.id}/report`;
    const reply = this.#mayAnswer;
    this.#options.show({ reply, copy, save, report: !isOwn, delete: isOwn }, page, ownReaction(item));
  }

  /** Saves the photo after a double tap, and cancels the zoom that the first tap would have begun. */
  #save(item) {
    clearTimeout(this.#tapTimer);
    this.#commands.save(item);
  }
}
