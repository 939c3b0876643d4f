import { hear } from "../outbox/hearing.js";
import { recall, remember } from "../web/browser-memory.js";
import { element, icon } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { takeAway } from "../web/take-away.js";
import { sayWentOut } from "./background.js";
import { kind } from "./sending.js";
import { pairsWaiting } from "./waiting-pairs.js";
import { showWaiting } from "./waiting-sheet.js";

/** The name under which a pair is noted that was sent just before the page was loaded again. */
const note = "pair-sent";

/**
 * `<waiting-pairs>` in the library, before its grid: shows the pairs that wait for a network as the grid's first
 * cells, each until the server's own cell replaces it.
 */
class WaitingCells extends Enhancement {
  /** @type {Map<string, string>} addresses of previews, by key */
  #pictures = new Map();

  enhance(signal) {
    hear(kind, ["added", "changed", "removed"], () => this.#show(), signal);
    hear(kind, ["sent"], ({ result }) => this.#showSent(result), signal);
    addEventListener("online", () => this.#show(), { signal });
    addEventListener("offline", () => this.#show(), { signal });
    signal.addEventListener("abort", () => {
      for (const url of this.#pictures.values()) URL.revokeObjectURL(url);
      this.#pictures.clear();
    });
    const sent = recall(note);
    if (sent) {
      remember(note, null);
      sayWentOut(sent);
    }
    this.#show();
  }

  /** The library's grid. An empty library has none. */
  get #grid() {
    return this.parentElement.querySelector("endless-list > .grid") ?? this.querySelector(".grid");
  }

  /** Brings the server's cell into the grid, at its top. */
  async #showSent(pair) {
    const list = this.parentElement.querySelector("endless-list");
    if (!list) {
      remember(note, { id: pair.id });
      return location.reload();
    }
    await customElements.whenDefined("endless-list");
    await list.refresh().catch(() => {}); // Without it the pair appears at the next look.
    await this.#show();
  }

  async #show() {
    const entries = await pairsWaiting();
    if (!this.isConnected) return;
    if (entries.length > 0 && !this.#grid) this.append(element("ul", { class: "grid" }));
    const empty = this.parentElement.querySelector(":scope > .empty");
    if (empty) empty.hidden = entries.length > 0;
    const cells = [...(this.#grid?.querySelectorAll("li[data-waiting]") ?? [])];
    const keys = new Set(entries.map(({ key }) => key));
    for (const cell of cells) if (!keys.has(cell.dataset.waiting)) this.#remove(cell);
    // The newest first, as in the grid.
    for (const entry of entries) {
      const known = cells.find((cell) => cell.dataset.waiting === entry.key);
      const cell = known ?? element("li", { "data-waiting": entry.key });
      const state = stateOf(entry);
      if (cell.dataset.state !== state) this.#fill(cell, entry, state);
      if (this.#grid.firstElementChild !== cell && !known) this.#grid.prepend(cell);
    }
    // What the server has sent since stays behind those that wait.
    const waiting = [...(this.#grid?.querySelectorAll("li[data-waiting]") ?? [])];
    if (waiting.some((cell, index) => this.#grid.children[index] !== cell)) this.#grid.prepend(...waiting);
  }

  #fill(cell, entry, state) {
    const words = { failed: "Not saved", sending: "Sending", waiting: "Waiting for the network" }[state];
    cell.dataset.state = state;
    const button = element("button", { type: "button", "aria-label": `Then & Now pair: ${words}` });
    button.onclick = () => showWaiting(entry, words);
    button.append(
      element("img", { src: this.#picture(entry), alt: "" }),
      icon(state === "failed" ? "exclamation-circle" : "clock"),
      element("small", { "aria-hidden": "true" }, words),
    );
    button.querySelector("svg").classList.add("mark");
    const hadFocus = cell.contains(document.activeElement);
    cell.replaceChildren(button);
    if (hadFocus) button.focus();
  }

  #picture({ key, preview, file }) {
    if (!this.#pictures.has(key)) this.#pictures.set(key, URL.createObjectURL(preview ?? file));
    return this.#pictures.get(key);
  }

  #remove(cell) {
    const { waiting } = cell.dataset;
    if (this.#pictures.has(waiting)) URL.revokeObjectURL(this.#pictures.get(waiting));
    this.#pictures.delete(waiting);
    takeAway(cell);
  }
}

/** @param {import("./sending.js").Entry} entry */
function stateOf({ state }) {
  if (state === "failed") return "failed";
  return navigator.onLine ? "sending" : "waiting";
}

customElements.define("waiting-pairs", WaitingCells);
