import { goToLogin, newKey } from "../web/api.js";
import { flash } from "../web/flash-message.js";
import { openChannel, sendWaiting, syncTag } from "./waiting-sending.js";
import * as store from "./waiting-store.js";

/** Milliseconds before what waits is tried again, at first and at most. */
const pause = { first: 2_000, longest: 300_000 };

const account = document.documentElement.dataset.account;

/** The page's way out for pairs: sends what waits, after growing pauses and as soon as there is a network. */
class WaitingPairs extends EventTarget {
  /** @type {BroadcastChannel} */
  #channel;
  #isRunning = false;
  #isWoken = false;
  /** Ends the pause between two tries. */
  #resume = () => {};

  constructor() {
    super();
    this.#listen();
    // A page with a channel may not be kept for a quick Back.
    addEventListener("pagehide", () => this.#channel.close());
    addEventListener("pageshow", ({ persisted }) => persisted && this.#listen());
    addEventListener("online", () => this.wake());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.wake());
  }

  /** Hears of changes by other tabs, by the service worker, and by what sends for this page. */
  #listen() {
    this.#channel = openChannel();
    this.#channel.onmessage = ({ data }) => this.dispatchEvent(new CustomEvent("change", { detail: data }));
    this.dispatchEvent(new CustomEvent("change", { detail: {} }));
  }

  /** Reports a change to this page and to the other tabs. */
  report(detail) {
    this.#channel.postMessage(detail);
    this.dispatchEvent(new CustomEvent("change", { detail }));
  }

  /** Sends what waits now, without the rest of a pause. */
  async wake() {
    this.#isWoken = true;
    this.#resume();
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let wait = pause.first; ; wait = Math.min(wait * 2, pause.longest)) {
        this.#isWoken = false;
        const error = await sendWaiting(account).then(() => null, (error) => error);
        if (error?.status === 401) return goToLogin();
        if (!error && !this.#isWoken) return;
        if (error && !("status" in error)) console.warn("What waits can’t be read:", error);
        if (error) await this.#rest(Math.max(wait, (error.pause ?? 0) * 1_000));
      }
    } finally {
      this.#isRunning = false;
    }
  }

  async #rest(milliseconds) {
    if (this.#isWoken) return;
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#resume = () => (clearTimeout(timer), resolve());
    });
    this.#resume = () => {};
  }
}

/** Fires `change` with `{added?, changed?, removed?, sent?, pair?}`: keys, and the pair that a sent one has become. */
export const waitingPairs = new WaitingPairs();

waitingPairs.addEventListener("change", (event) => {
  const { sent, pair } = /** @type {CustomEvent} */ (event).detail;
  if (sent) sayWentOut(pair);
});

/**
 * Says that a pair has gone out, as soon as the page is looked at.
 *
 * @param {{id: string}} pair
 */
export async function sayWentOut({ id }) {
  while (document.visibilityState === "hidden") {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
  const show = { name: "Show", perform: () => location.assign(`/library/${id}`) };
  flash("Your Then & Now pair was sent. It is in your library.", "good", show);
}

/**
 * Keeps a pair until the server has it, and begins to send it.
 *
 * @param {object} pair
 * @param {Blob} pair.file the new picture
 * @param {object} pair.recipe the body of `POST /api/v1/rephotographs`, without the `media_id`
 * @param {Blob} [pair.preview] a small picture of the pair
 * @param {string} [pair.key] its `Idempotency-Key`: a second call with the same key keeps nothing new
 * @param {string} [pair.uploadKey] the `Idempotency-Key` of its picture, when that may have gone up already
 * @returns {Promise<string>} the key, which the events name
 * @throws {Error} with a sentence for a person, when there is no room for it
 */
export async function keepWaiting({ file, recipe, preview, key = newKey(), uploadKey = `${key}-media` }) {
  await store.add({ key, uploadKey, account, recipe, file, preview, madeAt: Date.now(), state: "waiting" });
  waitingPairs.report({ added: key });
  waitingPairs.wake();
  // Both are extras that a browser may lack or refuse: the store is kept when room is short, and a closed app sends.
  navigator.storage?.persist?.().catch(() => {});
  navigator.serviceWorker?.ready.then(({ sync }) => sync?.register(syncTag)).catch(() => {});
  return key;
}

/**
 * Returns the viewer's waiting pairs, oldest first.
 *
 * @returns {Promise<import("./waiting-store.js").Entry[]>}
 */
export function pairsWaiting() {
  return store.entries(account);
}

/**
 * Sends a pair again that was refused.
 *
 * @param {import("./waiting-store.js").Entry} entry
 */
export async function sendAgain(entry) {
  const again = { key: newKey(), uploadKey: newKey(), media: undefined, isAgain: false, postedAt: undefined };
  Object.assign(entry, again, { state: "waiting", error: undefined, remedy: undefined });
  if (await store.update(entry)) waitingPairs.report({ changed: entry.key });
  waitingPairs.wake();
}

/**
 * Deletes a pair that has not gone out.
 *
 * @param {import("./waiting-store.js").Entry} entry
 */
export async function giveUp(entry) {
  await store.remove(entry);
  waitingPairs.report({ removed: entry.key });
}
