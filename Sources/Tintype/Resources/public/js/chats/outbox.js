import { Upload } from "../photos/upload.js";
import { newKey, request } from "../web/api.js";
import { libraryFile } from "./library-file.js";
import * as store from "./outbox-store.js";

/** Milliseconds before a message is tried again after the network failed, at first and at most. */
const pause = { first: 1_000, longest: 15_000 };

/**
 * Sends what is written, in order within each conversation, until the server has it.
 *
 * A message leaves the store only when the server has acknowledged it; its key makes a second
 * try harmless. What the server refuses stays, marked as failed, and lets the next ones pass.
 * Fires `added`, `changed`, `progress`, `sent` and `removed`, with `{entry, message?, loaded?}`.
 */
class Outbox extends EventTarget {
  #account = document.documentElement.dataset.account;
  /** @type {Map<string, {again: boolean}>} conversations that are being sent from */
  #running = new Map();
  /** @type {Map<string, Upload>} by the message's key */
  #uploads = new Map();
  /** @type {Set<() => void>} ends the pauses between two tries */
  #resting = new Set();

  constructor() {
    super();
    addEventListener("online", () => this.wake());
  }

  /** @param {string} chat @returns {Promise<import("./outbox-store.js").Entry[]>} what waits there */
  async waiting(chat) {
    return (await store.entries(this.#account)).filter((entry) => entry.chat === chat);
  }

  /** @param {{chat: string, text?: string, file?: File, library?: string, once?: boolean}} message */
  async add(message) {
    const entry = { text: "", ...message, key: newKey(), account: this.#account, state: "waiting" };
    await store.put(entry);
    this.#tell("added", { entry });
    this.wake();
  }

  /** Tries a message again that the server has refused. */
  async retry(entry) {
    await this.#change(entry, { state: "waiting", error: undefined });
    this.wake();
  }

  /** Takes back a message that has not gone out. */
  async cancel(entry) {
    await store.remove(entry);
    this.#uploads.get(entry.key)?.cancel();
    this.#tell("removed", { entry });
  }

  /** Says that something waits, or that the network is back. */
  async wake() {
    for (const resume of this.#resting) resume();
    const entries = await store.entries(this.#account);
    const chats = new Set(entries.filter((one) => one.state === "waiting").map((one) => one.chat));
    for (const chat of chats) this.#run(chat);
  }

  async #run(chat) {
    const running = this.#running.get(chat);
    if (running) {
      running.again = true;
      return;
    }
    const state = { again: true };
    this.#running.set(chat, state);
    while (state.again) {
      state.again = false;
      // One tab sends. (Without locks two may, and the keys keep that harmless.)
      const drain = () => this.#drain(chat);
      await (navigator.locks ? navigator.locks.request(`tintype-outbox-${chat}`, drain) : drain());
    }
    this.#running.delete(chat);
  }

  async #drain(chat) {
    let wait = pause.first;
    for (;;) {
      const entry = (await this.waiting(chat)).find((one) => one.state === "waiting");
      if (!entry) return;
      try {
        const message = await this.#send(entry);
        await store.remove(entry);
        this.#tell("sent", { entry, message });
        wait = pause.first;
      } catch (error) {
        if (error.name === "AbortError") continue;
        if (error.isFinal) {
          await this.#change(entry, { state: "failed", error: error.message });
          continue;
        }
        this.#tell("changed", { entry });
        await this.#rest(Math.max(wait, (error.pause ?? 0) * 1_000));
        wait = Math.min(wait * 2, pause.longest);
      }
    }
  }

  async #send(entry) {
    this.#tell("progress", { entry, loaded: 0 });
    if (entry.library && !entry.once) entry.photo = entry.library;
    if (!entry.photo && (entry.file || entry.library)) {
      // To be seen once it goes as a picture of its own, never as the library's.
      entry.file ??= await libraryFile(entry.library);
      const upload = new Upload(entry.file, entry.once ? "view_once" : "post", entry.key);
      upload.onprogress = (loaded) => this.#tell("progress", { entry, loaded });
      this.#uploads.set(entry.key, upload);
      try {
        entry.photo = (await upload.send()).id;
      } finally {
        this.#uploads.delete(entry.key);
      }
      await store.put(entry);
    }
    const photo = entry.once ? { media_id: entry.photo, view_once: true } : { photo_id: entry.photo };
    const body = { text: entry.text, ...(entry.photo ? photo : {}) };
    return request("POST", `/api/v1/chats/${entry.chat}/messages`, body, { key: entry.key });
  }

  async #change(entry, change) {
    Object.assign(entry, change);
    await store.put(entry);
    this.#tell("changed", { entry });
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

  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** This page's way out. */
export const outbox = new Outbox();
