import { newKey } from "../web/api.js";
import * as store from "./outbox-store.js";
import { Sending } from "./sending.js";

/** Milliseconds before a message is tried again after the network failed, at first and at most. */
const pause = { first: 1_000, longest: 15_000 };

/** Milliseconds before what waits is looked for again after the browser's store failed. */
const patience = 5_000;

/**
 * Sends what is written, in order within each chat, until the server has it.
 *
 * A message leaves the store only when the server has acknowledged it; its key makes a second
 * try harmless. What the server refuses stays, marked as failed, and lets the next ones pass.
 * Fires `added`, `changed`, `progress`, `posting`, `sent` and `removed`, with `{entry, message?, loaded?}`.
 *
 * @typedef {import("./outbox-store.js").Entry} Entry
 */
class Outbox extends EventTarget {
  #account = document.documentElement.dataset.account;
  /** @type {Map<string, {again: boolean}>} chats that are being sent from */
  #running = new Map();
  /** @type {Map<string, Sending>} what is on its way, by the message's key */
  #sendings = new Map();
  /** @type {Set<() => void>} ends the pauses between two tries */
  #resting = new Set();
  #waking;

  constructor() {
    super();
    addEventListener("online", () => this.wake());
    // The browser may have closed its store meanwhile.
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.wake());
  }

  /** @param {string} chat @returns {Promise<Entry[]>} what waits there */
  async waiting(chat) {
    return (await store.entries(this.#account)).filter((entry) => entry.chat === chat);
  }

  /**
   * Adds a message and sends it when its turn comes.
   *
   * @param {Pick<Entry, "chat"> & Partial<Entry>} message its chat, and its text or its photo
   */
  async add(message) {
    /** @type {Entry} */
    const entry = { text: "", ...message, key: newKey(), account: this.#account, state: "waiting" };
    await store.put(entry);
    this.#report("added", { entry });
    this.wake();
  }

  /** Tries a message again that the server has refused. */
  async retry(entry) {
    await this.#change(entry, { state: "waiting", error: undefined, remedy: undefined });
    this.wake();
  }

  /**
   * Sends another file in place of one that the server has refused.
   *
   * @param {File} file
   */
  async replaceFile(entry, file) {
    Object.assign(entry, { file, description: "", photo: undefined, uploadKey: newKey() });
    this.#report("removed", { entry });
    await this.retry(entry);
  }

  /** Takes back a message that has not gone out. */
  async cancel(entry) {
    this.#sendings.get(entry.key)?.cancel();
    await store.remove(entry);
    this.#report("removed", { entry });
  }

  /** Says that something waits, or that the network is back. */
  async wake() {
    for (const resume of this.#resting) resume();
    try {
      const entries = await store.entries(this.#account);
      const chats = new Set(entries.filter((one) => one.state === "waiting").map((one) => one.chat));
      for (const chat of chats) this.#run(chat);
    } catch {
      this.#wakeLater();
    }
  }

  #wakeLater() {
    this.#waking ??= setTimeout(() => {
      this.#waking = undefined;
      this.wake();
    }, patience);
  }

  async #run(chat) {
    const running = this.#running.get(chat);
    if (running) {
      running.again = true;
      return;
    }
    const state = { again: true };
    this.#running.set(chat, state);
    try {
      while (state.again) {
        state.again = false;
        // One tab sends. (Without locks two may, and the keys keep that harmless.)
        const drain = () => this.#drain(chat);
        await (navigator.locks ? navigator.locks.request(`tintype-outbox-${chat}`, drain) : drain());
      }
    } catch {
      // The browser's store failed. What waits in it is safe.
      this.#wakeLater();
    } finally {
      this.#running.delete(chat);
    }
  }

  async #drain(chat) {
    let wait = pause.first;
    for (;;) {
      const entry = (await this.waiting(chat)).find((one) => one.state === "waiting");
      if (!entry) return;
      try {
        const message = await this.#send(entry);
        await store.remove(entry);
        this.#report("sent", { entry, message });
        wait = pause.first;
      } catch (error) {
        if (error.name === "AbortError") continue;
        if (error.isFinal) {
          await this.#change(entry, { state: "failed", error: error.message, remedy: error.remedy });
          continue;
        }
        this.#report("changed", { entry });
        await this.#rest(Math.max(wait, (error.pause ?? 0) * 1_000));
        wait = Math.min(wait * 2, pause.longest);
      }
    }
  }

  async #send(entry) {
    const sending = new Sending(entry);
    sending.onprogress = (loaded) => this.#report("progress", { entry, loaded });
    sending.onposting = () => this.#report("posting", { entry });
    this.#sendings.set(entry.key, sending);
    try {
      return await sending.send();
    } finally {
      this.#sendings.delete(entry.key);
    }
  }

  async #change(entry, change) {
    Object.assign(entry, change);
    if (await store.update(entry)) this.#report("changed", { entry });
  }

  #rest(milliseconds) {
    return new Promise((resolve) => {
      const resume = () => {
        clearTimeout(timer);
        this.#resting.delete(resume);
        resolve();
      };
      const timer = setTimeout(resume, milliseconds);
      this.#resting.add(resume);
    });
  }

  #report(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** This page's way out. */
export const outbox = new Outbox();
