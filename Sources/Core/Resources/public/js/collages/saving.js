import { request } from "../web/api.js";
import { requestOf } from "./changes.js";
import { apply, concerns } from "./effects.js";
import { Sending } from "./sending.js";
import { Unsent } from "./unsent.js";

/**
 * A draft as the server last sent it, with the changes on top that the server doesn't have yet.
 *
 * Fires `changed` for each new draft, `refused` with `{change, error}` for a change that the server doesn't take, and
 * `gone` when the draft no longer exists.
 */
export class Saving extends EventTarget {
  /** The draft that the server last sent. */
  #known;
  #world;
  #path;
  #unsent;
  #sending;
  #isGone = false;
  /**
   * The callers that wait until everything is sent.
   *
   * @type {{resolve: (none?: any) => void, reject: (error: Error) => void}[]}
   */
  #waiting = [];
  /** The draft with all changes of this browser. */
  draft;
  /** Whether the last try to send a change failed. */
  isTroubled = false;

  /**
   * @param {object} draft as the server wrote it
   * @param {object} world as in `apply`
   * @param {AbortSignal} signal ends the sending
   */
  constructor(draft, world, signal) {
    super();
    this.#known = draft;
    this.#world = world;
    this.#path = `/api/v1/collage_drafts/${draft.id}`;
    this.#unsent = new Unsent(draft.id);
    this.#unsent.watch(() => this.#report(), signal);
    const send = (entry) => this.#send(entry);
    const failed = (error) => this.#note(error);
    this.#sending = new Sending(this.#unsent, { send, failed, lock: this.#path }, signal);
    this.#show();
    this.#sending.start();
  }

  /** Whether the server has all changes. */
  get isSaved() {
    return this.#unsent.all.length === 0;
  }

  /**
   * Makes a change. Returns false when there is no room to keep it.
   *
   * @param {import("./changes.js").Change} change
   */
  add(change) {
    if (this.#isGone || !this.#unsent.add(change)) return false;
    this.#report();
    this.#sending.start();
    return true;
  }

  /** Takes over a draft that the server sent, unless a newer one is known. */
  take(draft) {
    if (draft.revision < this.#known.revision) return;
    const { spare = [] } = this.draft;
    // The server sends how many photos wait for room. Which ones they are, only this page may know.
    this.#known = { ...draft, spare: draft.spare_count > 0 ? spare : [] };
    this.#report();
  }

  /** Asks the server for the draft. */
  async refresh() {
    try {
      this.take(await this.#request("GET", ""));
    } catch (error) {
      if (error.status === 404) this.end();
      else throw error;
    }
  }

  /**
   * Asks the server to render the picture, once it has all changes.
   *
   * @returns {Promise<object>} the photo
   * @throws {ApiError} when the server can't be reached or refuses
   */
  async finish() {
    if (!this.isSaved) {
      const settled = new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
      this.#sending.wake();
      await settled;
    }
    return this.#request("POST", "/finish", {});
  }

  /** Ends the saving of a draft that no longer exists. */
  end() {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#unsent.clear();
    this.#report();
    this.dispatchEvent(new Event("gone"));
  }

  /**
   * Sends one change.
   *
   * @throws {ApiError} when the change has to be sent again
   */
  async #send(entry) {
    // If the answer to a swap was lost, only the draft shows whether the swap was made.
    if (entry.isTried && entry.kind === "swap") await this.refresh();
    if (!concerns(this.#known, entry)) return this.#done(entry);
    const [method, path, body] = requestOf(entry);
    this.#unsent.try(entry);
    try {
      this.#done(entry, await this.#request(method, path, body, entry.key));
    } catch (error) {
      if (!error.isFinal) throw error;
      await this.refresh();
      this.#done(entry);
      const detail = { change: entry, error };
      if (!this.#isGone) this.dispatchEvent(new CustomEvent("refused", { detail }));
    }
  }

  /**
   * Takes over the answer's draft and removes the sent change together, so that no page shows one without the other.
   */
  #done(entry, draft) {
    this.#unsent.remove(entry);
    if (draft) this.take(draft);
    this.#report();
  }

  #note(error) {
    this.isTroubled = error !== null;
    if (error) this.#waiting.splice(0).forEach(({ reject }) => reject(error));
    this.#report();
  }

  /** Sends a request that goes on when the page is left. */
  #request(method, path, body, key) {
    return request(method, this.#path + path, body, { key, keepalive: method !== "GET" });
  }

  #show() {
    const on = (draft, change) => apply(draft, change, this.#world);
    this.draft = this.#unsent.all.reduce(on, this.#known);
  }

  #report() {
    this.#show();
    if (this.isSaved) this.#waiting.splice(0).forEach(({ resolve }) => resolve());
    this.dispatchEvent(new Event("changed"));
  }
}
