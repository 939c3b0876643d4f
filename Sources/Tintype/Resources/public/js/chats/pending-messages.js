import { element } from "../web/element.js";
import { pendingItem } from "./message-item.js";
import { outbox } from "./outbox.js";

/** What waits to go out, below the messages that the server has: waiting, on its way, or refused. */
export class PendingMessages {
  #list;

  /** @param {HTMLElement} list of the messages */
  constructor(list) {
    this.#list = list;
  }

  #item(key) {
    return this.#list.querySelector(`li[data-key="${CSS.escape(key)}"]:not([data-id])`);
  }

  remove(key) {
    this.#item(key)?.remove();
  }

  /** Shows a message that waits, is on its way, or was refused. */
  show(entry) {
    // It may have gone out while the page was still reading what waits.
    if (this.#list.querySelector(`li[data-id][data-key="${CSS.escape(entry.key)}"]`)) return;
    let item = this.#item(entry.key);
    if (!item) {
      item = pendingItem(entry);
      const typing = this.#list.querySelector("[data-typing]");
      if (typing) typing.before(item);
      else this.#list.append(item);
    }
    item.setAttribute("aria-busy", entry.state !== "failed");
    const bubble = item.querySelector("message-bubble");
    bubble.dataset.state = entry.state;
    bubble.querySelector(".upload-state")?.remove();
    const state = element("footer", { class: "state" });
    if (entry.state === "failed") {
      const retry = element("button", { type: "button", onclick: () => outbox.retry(entry) }, "Retry");
      const remove = element("button", { type: "button", onclick: () => outbox.cancel(entry) }, "Delete");
      state.append(`Not sent: ${entry.error}`, retry, remove);
    } else {
      state.append(navigator.onLine ? "Sending" : "Waiting for the network");
    }
    bubble.querySelector(".state")?.remove();
    bubble.append(state);
  }

  /** @param {number} loaded how much of its photo has gone up, from 0 to 1 */
  showProgress(entry, loaded) {
    const bubble = this.#item(entry.key)?.querySelector("message-bubble");
    if (!bubble) return;
    bubble.dataset.state = "sending";
    const photo = bubble.querySelector(".bubble.photo, .bubble.once");
    if (!photo || !entry.file) return;
    let bar = photo.querySelector("progress");
    if (!bar) {
      bar = element("progress", { max: 1, "aria-label": "Sending the photo" });
      const cancel = element("button", { type: "button", onclick: () => outbox.cancel(entry) }, "Cancel");
      photo.append(element("div", { class: "upload-state" }, bar, cancel));
    }
    bar.value = loaded;
  }

  /** From here on it can't be taken back. */
  showPosting(entry) {
    this.#item(entry.key)?.querySelector(".upload-state")?.remove();
  }
}
