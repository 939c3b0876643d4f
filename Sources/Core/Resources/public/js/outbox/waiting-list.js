import { mayExist } from "../web/browser-memory.js";
import { element, icon } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { takeAway } from "../web/take-away.js";
import { hear } from "./hearing.js";

/**
 * `<waiting-list data-kind data-lane?>`: what waits to go out, each with its words, and what was refused. It can be
 * cancelled, and tried again. With `data-lane` it shows that lane alone.
 */
class WaitingList extends Enhancement {
  enhance(signal) {
    const { kind } = this.dataset;
    this.hidden = false; // It was, so that it is loaded only where something waits (background.js).
    const mine = (action) => (detail) => this.#isMine(detail.entry) && action(detail.entry);
    hear(kind, ["added", "changed"], mine((entry) => this.#show(entry)), signal);
    hear(kind, ["posting"], mine((entry) => this.#show(entry, true)), signal);
    hear(kind, ["sent", "removed"], mine(({ key }) => this.#remove(key)), signal);
    for (const name of ["online", "offline"]) addEventListener(name, () => this.#showAll(), { signal });
    this.#showAll();
  }

  #isMine({ kind, lane }) {
    return kind === this.dataset.kind && (!this.dataset.lane || lane === this.dataset.lane);
  }

  async #showAll() {
    if (!(await mayExist("tintype-outbox"))) return;
    const { outbox } = await import("./outbox.js");
    // When the store fails the outbox tries again, and reports what it does with each entry.
    const waiting = await outbox.waiting((entry) => this.#isMine(entry)).catch(() => []);
    if (this.isConnected) for (const entry of waiting) this.#show(entry);
  }

  #item(key) {
    return this.querySelector(`li[data-key="${CSS.escape(key)}"]`);
  }

  #remove(key) {
    const item = this.#item(key);
    if (item) takeAway(item);
    if (!this.querySelector("li")) this.replaceChildren();
  }

  /** @param {import("./store.js").Entry} entry @param {boolean} [isPosting] whether it can't be cancelled any more */
  #show(entry, isPosting = false) {
    const list = this.querySelector("ul") ?? element("ul", { class: "waiting" });
    if (!list.isConnected) this.append(list);
    const known = this.#item(entry.key);
    const item = known ?? element("li", { "data-key": entry.key });
    const isFailed = entry.state === "failed";
    const state = navigator.onLine ? "Sending" : "Waiting for the network";
    const button = (words, action) => element("button", { type: "button", onclick: action }, words);
    const act = async (name) => (await import("./outbox.js")).outbox[name](entry);
    const buttons = isFailed ? [button("Retry", () => act("retry"))] : [];
    if (!isPosting) buttons.push(button(isFailed ? "Delete" : "Cancel", () => act("cancel")));
    item.replaceChildren(
      icon(isFailed ? "exclamation-circle" : "clock"),
      element(
        "div",
        {},
        element("p", {}, entry.words),
        element("small", {}, isFailed ? `Not sent: ${entry.error}` : state),
      ),
      ...buttons,
    );
    if (!known) list.append(item);
  }
}

customElements.define("waiting-list", WaitingList);
