import { outbox } from "../outbox/outbox.js";
import { library } from "../photos/paths.js";
import { newKey } from "../web/api.js";
import { element } from "../web/element.js";
import { quoteFrom } from "./quote.js";

/** The messages that wait to be sent, are being sent or were refused, below those that the server has. */
export class PendingMessages {
  #list;
  #drawing;

  /**
   * @param {HTMLElement} list of the messages
   * @param {import("./message-item.js").MessageDrawing} drawing
   */
  constructor(list, drawing) {
    this.#list = list;
    this.#drawing = drawing;
  }

  #item(key) {
    return this.#list.querySelector(`li[data-key="${CSS.escape(key)}"]:not([data-id])`);
  }

  remove(key) {
    this.#item(key)?.remove();
  }

  /** Shows a message that waits, is being sent, or was refused. */
  show(entry) {
    // It may have been sent while the page was still reading the outbox.
    if (this.#list.querySelector(`li[data-id][data-key="${CSS.escape(entry.key)}"]`)) return;
    let item = this.#item(entry.key);
    if (!item) {
      item = this.#drawing.pending(entry, this.#quote(entry));
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
      const remove = element("button", { type: "button", onclick: () => outbox.cancel(entry) }, "Delete");
      state.append(element("span", {}, `Not sent: ${entry.error}`), ...remedies(entry), remove);
    } else {
      state.append(navigator.onLine ? "Sending" : "Waiting for the network");
    }
    bubble.querySelector(".state")?.remove();
    bubble.append(state);
  }

  /** Returns the quote of the answered message, taken from the page, since the outbox doesn't keep its words. */
  #quote({ reply, snap }) {
    if (snap) return { id: snap, isOwn: false, isSnap: true, words: "" };
    if (!reply) return null;
    const item = this.#list.querySelector(`li.message[data-id="${CSS.escape(reply)}"]`);
    return item ? quoteFrom(item) : { id: reply, isOwn: false, words: "An earlier message" };
  }

  /** @param {number} loaded how much of its photo has been sent, from 0 to 1 */
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

  /** Shows that a message is being posted and can no longer be taken back. */
  showPosting(entry) {
    this.#item(entry.key)?.querySelector(".upload-state")?.remove();
  }
}

/**
 * Makes the buttons that may help a message that was refused.
 *
 * @param {import("./sending.js").Entry} entry
 * @returns {HTMLElement[]}
 */
function remedies(entry) {
  if (entry.remedy === "file") {
    const input = element("input", { class: "unseen", type: "file", accept: "image/*" });
    input.onchange = () => input.files[0] && replaceFile(entry, input.files[0]);
    return [element("label", {}, "Choose another file", input)];
  }
  const retry = element("button", { type: "button", onclick: () => outbox.retry(entry) }, "Retry");
  if (entry.remedy !== "room") return [retry];
  return [element("a", { href: library }, "Your library"), retry];
}

/** Sends another file in place of one that the server has refused. */
function replaceFile(entry, file) {
  // It is drawn again, with its new picture.
  dispatchEvent(new CustomEvent("outbox:removed", { detail: { entry } }));
  return outbox.retry(entry, { file, description: "", photo: undefined, uploadKey: newKey() });
}
