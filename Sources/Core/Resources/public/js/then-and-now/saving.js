import { newKey, request } from "../web/api.js";
import { Upload } from "../photos/upload.js";
import { keepWaiting } from "./waiting-pairs.js";

/** Pauses in milliseconds before each new try to make the pair after a lost connection. */
const pauses = [1_000, 3_000];

/**
 * The saving of an accepted picture: its upload, and the pair that is made of it. Each has one `Idempotency-Key` for
 * all tries, so that a lost answer never makes a second pair.
 */
export class Saving {
  /** @type {(loaded: number) => void} gets how much of the picture has been sent, from 0 to 1 */
  onprogress = () => {};
  #file;
  #kind;
  #key = newKey();
  /**
   * The id of the upload that waits for its pair.
   *
   * @type {string | null}
   */
  #media = null;
  #upload;
  #isLost = false;

  /** @param {File} file @param {Upload["kind"]} kind */
  constructor(file, kind) {
    this.#file = file;
    this.#kind = kind;
  }

  /**
   * Makes the pair. Without a network, this device keeps the pair until there is one.
   *
   * @param {object} recipe what the pair is made of besides the picture, as in `POST /api/v1/rephotographs`
   * @param {() => Promise<Blob>} preview draws the pair, for the list of waiting pairs
   * @returns {Promise<string | null>} the pair's id; null when this device keeps it
   * @throws {Error} with a sentence for a person, when the server refuses it or this device can't keep it
   * @throws {DOMException} `AbortError` after `cancel()`
   */
  async send(recipe, preview) {
    this.#isLost = !navigator.onLine;
    const lose = () => {
      this.#isLost = true;
      this.#upload?.cancel();
    };
    addEventListener("offline", lose);
    try {
      if (!this.#isLost) return (await this.#make(recipe)).id;
    } catch (error) {
      const isCut = this.#isLost && error.name === "AbortError";
      if (!isCut && error.status !== 0) throw error;
    } finally {
      removeEventListener("offline", lose);
    }
    await this.#keep(recipe, preview);
    return null;
  }

  /** Ends the upload, if it is under way. */
  cancel() {
    this.#upload?.cancel();
  }

  async #make(recipe) {
    try {
      return await this.#post(recipe);
    } catch (error) {
      // The server keeps an upload for an hour only, so the picture is sent once more.
      if (!error.details?.media_id) throw error;
      this.#media = null;
      this.#key = newKey();
      return this.#post(recipe);
    }
  }

  async #post(recipe) {
    this.#media ??= await this.#uploaded();
    for (const pause of [...pauses, null]) {
      try {
        const body = { ...recipe, media_id: this.#media };
        return await request("POST", "/api/v1/rephotographs", body, { key: this.#key });
      } catch (error) {
        // 409: the server is still working on an earlier try with the same key.
        const mayPass = [0, 409, 429].includes(error.status) || error.status >= 500;
        if (!mayPass || this.#isLost || pause === null) throw error;
        await new Promise((resolve) => setTimeout(resolve, Math.max(pause, error.pause * 1_000)));
      }
    }
  }

  async #uploaded() {
    const upload = (this.#upload = new Upload(this.#file, "rephotograph", this.#key));
    upload.kind = this.#kind;
    upload.onprogress = (loaded) => this.onprogress(loaded);
    try {
      return (await upload.send()).id;
    } finally {
      this.#upload = null;
    }
  }

  async #keep(recipe, preview) {
    await keepWaiting({ file: this.#file, recipe, preview: await preview(), key: this.#key, uploadKey: this.#key });
  }
}
