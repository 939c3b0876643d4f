import { freshFragment } from "../web/api.js";
import { Draft } from "../web/draft.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { replaceScreen } from "../web/trail.js";

/**
 * `<contract-live data-source>` around `[data-content]`, the part of the page that a move changes. It fetches that part
 * from the source again when somebody makes a move, or when a countdown ends. `data-contract` is the contract that is
 * shown. Without it, moves of all contracts count.
 *
 * Nothing is replaced under an open sheet, so that its question, and what is typed there, stay until it is closed. A
 * photo that is shown large is replaced at once, since the viewer may no longer be allowed to see it.
 */
class ContractLive extends Enhancement {
  #signal;
  /** @type {string | null} `load`, or `again` when a move while it loads makes it load again */
  #loading = null;

  enhance(signal) {
    this.#signal = signal;
    dropDraft();
    // An older page of a list gets nothing new.
    if (location.search.includes("max_id")) return;
    const { contract } = this.dataset;
    const hear = ({ detail }) => (!contract || detail.id === contract) && this.#load();
    addEventListener("tintype:contract", hear, { signal });
    addEventListener("tintype:reset", () => this.#load(), { signal });
    this.addEventListener("time-up", () => this.#load(), { signal });
  }

  async #load() {
    const isLoading = this.#loading !== null;
    this.#loading = isLoading ? "again" : "load";
    if (isLoading) return;
    try {
      do {
        await this.#sheetsClosed();
        if (this.#signal.aborted) return;
        this.#loading = "load";
        await this.#fetch();
      } while (this.#loading === "again");
    } finally {
      this.#loading = null;
    }
  }

  /** Waits until no question is open, or this element has left the document. */
  #sheetsClosed() {
    const sheet = this.querySelector(":popover-open:not(.contract-picture)");
    if (!sheet) return Promise.resolve();
    return new Promise((resolve) => {
      sheet.addEventListener("toggle", resolve, { once: true });
      this.#signal.addEventListener("abort", resolve, { once: true });
    });
  }

  async #fetch() {
    try {
      this.#show(await freshFragment(this.dataset.source, "list", this.#signal));
    } catch (error) {
      if (error.status === 404) this.#leave();
      // Without a network the page stays as it is, and is fetched again when the stream is back.
      else if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }

  /** Removes the card, or leaves the page, of a contract that the viewer may no longer see. */
  #leave() {
    if (this.dataset.contract) replaceScreen("/contracts");
    else this.querySelector("[data-content]").replaceChildren();
  }

  #show(content) {
    const focused = this.contains(document.activeElement) ? document.activeElement.id : "";
    this.querySelector("[data-content]").replaceChildren(content);
    if (focused) document.getElementById(focused)?.focus();
    const said = this.querySelector("[data-said]");
    const state = this.querySelector("[data-state]")?.textContent.trim();
    if (said && state && said.textContent !== state) said.textContent = state;
  }
}

/** Deletes the draft of a contract that has just been sent. The address of the page then names the recipient, once. */
function dropDraft() {
  const [, partner] = location.hash.match(/^#sent-to-(\d+)$/) ?? [];
  if (!partner) return;
  history.replaceState(history.state, "", location.pathname + location.search);
  new Draft(`contract:${partner}`).clear();
}

customElements.define("contract-live", ContractLive);
