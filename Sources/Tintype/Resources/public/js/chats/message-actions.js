import { request } from "../web/api.js";
import { copyText } from "../web/clipboard.js";
import { DoubleTap } from "../web/double-tap.js";
import { flash } from "../web/flash-message.js";
import { SnapViewer } from "../snaps/snap-viewer.js";
import { MessageOptions } from "./message-options.js";

/** Milliseconds: a tap that may become a double tap, and a long press. */
const tap = 320;
const hold = 500;

/** Pixels to the left that count as a slide, and that a finger may shake. */
const slide = 40;
const slack = 8;

/** What can be done with a message: save its photo, zoom it, copy, delete for both. */
export class MessageActions {
  #thread;
  #list;
  #options;
  #chosen;
  #tapTimer;
  /** What is down on a message, and whether the last press has done something: the click after it does nothing. */
  #press = null;
  #wasDone = false;

  /**
   * @param {HTMLElement} thread the `<chat-thread>`
   * @param {import("./message-list.js").MessageList} list
   * @param {AbortSignal} signal ends the listening
   */
  constructor(thread, list, signal) {
    this.#thread = thread;
    this.#list = list;
    const save = (photo) => this.#finish(() => this.#save(photo.closest("li")));
    new DoubleTap(thread, "a.bubble.photo", save, signal);
    thread.addEventListener("click", (event) => this.#click(event), { signal });
    thread.addEventListener("pointerdown", (event) => this.#down(event), { signal });
    thread.addEventListener("pointermove", (event) => this.#move(event), { signal });
    // A finger that scrolls cancels its pointer; the thread scrolls by itself as well, which ends no hold.
    for (const name of ["pointerup", "pointercancel"]) {
      thread.addEventListener(name, () => this.#release(), { signal });
    }
    thread.addEventListener("dragstart", (event) => event.preventDefault(), { signal });
    const sheet = document.getElementById("message-options");
    this.#options = new MessageOptions(sheet, (name) => this.#act(name), signal);
  }

  #click(event) {
    const options = event.target.closest("[data-options]");
    const photo = event.target.closest("a.bubble.photo");
    const once = event.target.closest("[data-open]");
    if (once) {
      event.preventDefault();
      this.#openOnce(once);
    }
    if (options) {
      event.preventDefault();
      this.#choose(options.closest("li"));
    } else if (photo && event.detail > 0 && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      clearTimeout(this.#tapTimer);
      if (this.#wasDone) return;
      // A second tap within this time saves it instead.
      this.#tapTimer = setTimeout(() => location.assign(photo.href), tap);
    }
  }

  #down(event) {
    this.#release();
    this.#wasDone = false;
    const item = event.target.closest("li.message[data-id]");
    if (!item || !event.isPrimary || event.button !== 0) return;
    const photo = event.target.closest("a.bubble.photo");
    const timer = setTimeout(() => this.#finish(() => this.#choose(item)), hold);
    this.#press = { x: event.clientX, y: event.clientY, photo, timer };
  }

  #move({ clientX, clientY, buttons }) {
    const press = this.#press;
    if (!press || !buttons) return this.#release(); // let go of somewhere else
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
    this.#options.show({ copy, save, report: !isOwn, delete: isOwn }, page);
  }

  async #act(name) {
    const item = this.#chosen;
    try {
      if (name === "save") await this.#save(item);
      else if (name === "delete") await this.#delete(item);
      else {
        await copyText(item.querySelector("p.bubble").textContent);
        flash("Copied.");
      }
    } catch (error) {
      flash(error.message, "error");
    }
  }

  /** One look, as with a snap. */
  async #openOnce(button) {
    const item = button.closest("li");
    try {
      await new SnapViewer(item.dataset.id, this.#thread.dataset.name, this.#path(item)).show(item);
    } catch (error) {
      flash(error.message, "error");
    }
  }

  async #save(item) {
    clearTimeout(this.#tapTimer);
    if (item.classList.contains("out")) return flash("It is in your library already.");
    try {
      await request("POST", `${this.#path(item)}/save`);
      flash("Saved");
    } catch (error) {
      flash(error.message, "error");
    }
  }

  async #delete(item) {
    await request("DELETE", this.#path(item));
    this.#list.remove(item.dataset.id);
  }

  #path(item) {
    return `/api/v1/chats/${this.#thread.dataset.chat}/messages/${item.dataset.id}`;
  }
}
