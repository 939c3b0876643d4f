import { features } from "../features.js";
import { goToLogin, newKey } from "../web/api.js";
import { drain, isFull, openChannel, syncTag, unkept } from "./draining.js";
import * as store from "./store.js";

/** @typedef {import("./store.js").Entry} Entry */

/** Milliseconds before what waits is tried again, at first and at most, and while the browser lacks a network or room. */
const pause = { first: 1_000, longest: 15_000, offline: 60_000, full: 60_000 };

/** Milliseconds before what waits is looked for again after the browser's store failed. */
const patience = 5_000;

/**
 * The outbox of a page: sends what is written, in order within each lane, until the server has it.
 *
 * An entry leaves the store only when the server has acknowledged it; its key makes a second try harmless. What the
 * server refuses stays, marked as failed, and lets the next ones pass. What becomes of entries, also in other tabs, is
 * fired at `window` (`hear`).
 */
class Outbox {
  #account = document.documentElement.dataset.account;
  /** @type {BroadcastChannel} */
  #channel;
  /** @type {Map<string, {again: boolean}>} lanes that are being sent from */
  #running = new Map();
  /** @type {Map<string, AbortController>} take back what is on its way, by its key */
  #stops = new Map();
  /** @type {Set<() => void>} end the pauses between two tries */
  #resting = new Set();
  #waking;

  constructor() {
    this.#listen();
    // A page with a channel may not be kept for a quick Back.
    addEventListener("pagehide", () => this.#channel.close());
    addEventListener("pageshow", ({ persisted }) => persisted && (this.#listen(), this.wake()));
    addEventListener("online", () => this.wake());
    addEventListener("beforeunload", (event) => store.losesWithPage() && event.preventDefault());
    // The browser may have closed its store meanwhile.
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.wake());
    // The stream of events may be back before the browser knows of a network.
    const root = document.documentElement;
    new MutationObserver(() => root.dataset.live === "on" && this.wake())
      .observe(root, { attributeFilter: ["data-live"] });
  }

  #listen() {
    this.#channel = openChannel();
    this.#channel.onmessage = ({ data }) => fire(data.name, data.detail);
  }

  /** @param {(entry: Entry) => boolean} [isMeant] @returns {Promise<Entry[]>} what waits or was refused */
  async waiting(isMeant = () => true) {
    return (await store.entries(this.#account)).filter(isMeant);
  }

  /**
   * Adds an entry and sends it when its turn comes.
   *
   * @param {Pick<Entry, "kind" | "lane"> & Partial<Entry>} content
   * @param {boolean} [isLatest] whether it is in place of all that waits in its lane
   * @throws {Error} when there is no room for it
   */
  async add(content, isLatest = false) {
    /** @type {Entry} */
    const entry = { key: newKey(), ...content, account: this.#account, madeAt: 0, state: "waiting" };
    if (await store.add(entry, isLatest)) this.#report("added", { entry });
    this.wake();
    // An extra that a browser may lack or refuse: a closed app sends.
    navigator.serviceWorker?.ready.then(({ sync }) => sync?.register(syncTag)).catch(() => {});
  }

  /**
   * Tries an entry again that the server has refused, or whose state had no room in the browser's store.
   *
   * @param {Partial<Entry>} [change] what is different this time
   */
  async retry(entry, change = {}) {
    // The server has made nothing of what it refused, and may have what only had no room.
    const postedAt = entry.isUnkept ? entry.postedAt : undefined;
    const fresh = { state: "waiting", error: undefined, remedy: undefined, isUnkept: undefined, postedAt };
    Object.assign(entry, fresh, change);
    try {
      if (await store.update(entry)) this.#report("changed", { entry });
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#report("changed", { entry: unkept(entry) });
    }
    this.wake();
  }

  /** Takes back an entry that has not gone out. */
  async cancel(entry) {
    this.#stops.get(entry.key)?.abort();
    await store.remove(entry);
    this.#report("removed", { entry });
  }

  /** Sends what waits now, since something was added or the network may be back. */
  async wake() {
    for (const resume of this.#resting) resume();
    try {
      const entries = await store.entries(this.#account);
      const lanes = new Set(entries.filter((one) => one.state === "waiting").map((one) => one.lane));
      for (const lane of lanes) this.#run(lane);
    } catch {
      // The browser's store failed. What waits in it is safe.
      this.#wakeLater();
    }
  }

  #wakeLater(milliseconds = patience) {
    this.#waking ??= setTimeout(() => {
      this.#waking = undefined;
      this.wake();
    }, milliseconds);
  }

  async #run(lane) {
    const running = this.#running.get(lane);
    if (running) {
      running.again = true;
      return;
    }
    const state = { again: true };
    this.#running.set(lane, state);
    try {
      for (let wait = pause.first; state.again; wait = Math.min(wait * 2, pause.longest)) {
        state.again = false;
        const error = await this.#drain(lane);
        if (error?.status === 401) return goToLogin();
        // Somebody has asked for another try meanwhile.
        if (!error || (!("status" in error) && state.again)) continue;
        if (!("status" in error)) return this.#wakeLater(isFull(error) ? pause.full : patience);
        await this.#rest(Math.max(navigator.onLine ? wait : pause.offline, (error.pause ?? 0) * 1_000));
        state.again = true;
      }
    } finally {
      this.#running.delete(lane);
    }
  }

  /** @returns {Promise<any>} what prevented it, if anything did */
  async #drain(lane) {
    const report = (name, detail) => this.#report(name, detail);
    const senderOf = async (kind) => (await import(`../${features.outbox[kind]}`)).send;
    try {
      await drain(this.#account, lane, { senderOf, report, stops: this.#stops });
      return null;
    } catch (error) {
      return error;
    }
  }

  #rest(milliseconds) {
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.#resting.delete(resume);
        resolve(undefined);
      };
      const timer = setTimeout(resume, milliseconds);
      this.#resting.add(resume);
    });
  }

  #report(name, detail) {
    fire(name, detail);
    // Other tabs show nothing that only this page has.
    if (!detail.entry.isFleeting) this.#channel.postMessage({ name, detail });
  }
}

function fire(name, detail) {
  dispatchEvent(new CustomEvent(`outbox:${name}`, { detail }));
}

/** The outbox of this page. */
export const outbox = new Outbox();
