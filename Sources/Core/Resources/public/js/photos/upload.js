import { ApiError, goToLogin, newKey, pageOwner, readAnswer, request } from "../web/api.js";

/** Pauses in milliseconds before each new try after a lost connection. */
const pauses = [1_000, 3_000, 9_000];

/** Milliseconds without progress after which the connection counts as lost. */
const patience = 60_000;

/**
 * Returns where the pictures of a file input come from.
 *
 * @param {HTMLInputElement} input
 * @returns {Upload["kind"]}
 */
export function kindOf(input) {
  return input.hasAttribute("capture") ? "camera" : "upload";
}

/**
 * Sends a file, as part of something else.
 *
 * @param {File} file
 * @param {object} how
 * @param {string} how.purpose as in `POST /api/v2/media`
 * @param {string} how.key its `Idempotency-Key`
 * @param {Upload["kind"]} [how.kind]
 * @param {string} [how.description]
 * @param {Pick<import("../outbox/draining.js").Tools, "signal" | "onprogress">} tools
 * @returns {Promise<object>} the media attachment
 * @throws {ApiError | DOMException} as `Upload.send()`
 */
export async function sendFile(file, { purpose, key, kind = "upload", description = "" }, { signal, onprogress }) {
  const upload = new Upload(file, purpose, key);
  Object.assign(upload, { kind, description, onprogress });
  const cancel = () => upload.cancel();
  if (signal.aborted) cancel();
  signal.addEventListener("abort", cancel);
  try {
    return await upload.send();
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/**
 * One file on its way to the server.
 *
 * Its `Idempotency-Key` is the same for every try, so that a retry after a lost answer never makes a second copy.
 */
export class Upload {
  /** @type {(loaded: number) => void} gets how much has been sent, from 0 to 1 */
  onprogress = () => {};
  /** @type {"upload" | "camera"} where the picture comes from */
  kind = "upload";
  /** What the picture shows, in words. */
  description = "";
  #key;
  #request;
  #stop = new AbortController();

  /**
   * @param {File} file
   * @param {string} purpose as in `POST /api/v2/media`: `post`, `snap`, `view_once` or `stake`
   * @param {string} [key] of an upload that an earlier page began
   */
  constructor(file, purpose = "post", key = newKey()) {
    this.#key = key;
    this.file = file;
    this.purpose = purpose;
  }

  /**
   * Sends the file, trying again after a lost connection.
   *
   * @returns {Promise<object>} the media attachment
   * @throws {ApiError} when the server refuses it or stays out of reach
   * @throws {DOMException} `AbortError` after `cancel()`
   */
  async send() {
    for (const pause of [...pauses, null]) {
      this.#stop.signal.throwIfAborted();
      try {
        return await this.#try();
      } catch (error) {
        const mayPass = error.status === 0 || error.status === 429 || error.status >= 500;
        if (!mayPass || pause === null) throw error;
        this.onprogress(0);
        await this.#rest(Math.max(pause, error.pause * 1_000));
      }
    }
  }

  /** Ends the upload, also between two tries. */
  cancel() {
    this.#stop.abort();
    this.#request?.abort(); // after the signal, whose reason it passes on
  }

  #try() {
    const form = new FormData();
    form.append("purpose", this.purpose);
    form.append("kind", this.kind);
    form.append("description", this.description);
    form.append("file", this.file);
    // A service worker has no requests that report how far they are.
    if (!("XMLHttpRequest" in globalThis)) return request("POST", "/api/v2/media", form, { key: this.#key });
    return this.#post(form);
  }

  #post(form) {
    const going = (this.#request = new XMLHttpRequest());
    let timer;
    const sent = new Promise((resolve, reject) => {
      const lost = () => reject(new ApiError(0, "The connection was lost."));
      const hang = () => (lost(), going.abort());
      const goOn = () => {
        clearTimeout(timer);
        timer = setTimeout(hang, patience);
      };
      going.open("POST", "/api/v2/media");
      going.setRequestHeader("Accept", "application/json");
      going.setRequestHeader("Idempotency-Key", this.#key);
      if (pageOwner) going.setRequestHeader("X-Account", pageOwner);
      going.upload.onprogress = ({ loaded, total }) => {
        goOn();
        this.onprogress(loaded / total);
      };
      going.onerror = lost;
      going.onabort = () => reject(this.#stop.signal.reason);
      going.onload = () => {
        const { status, responseText } = going;
        const answer = readAnswer(status, responseText, going.getResponseHeader("Retry-After"));
        if (status === 401) goToLogin();
        if (answer instanceof ApiError) reject(answer);
        else resolve(answer);
      };
      going.send(form);
      goOn();
    });
    return sent.finally(() => clearTimeout(timer));
  }

  /** Waits for some time, and then until the browser reports a network. */
  async #rest(milliseconds) {
    const { signal } = this.#stop;
    await new Promise((resolve, reject) => {
      setTimeout(resolve, milliseconds);
      signal.addEventListener("abort", () => reject(signal.reason));
    });
    if (navigator.onLine) return;
    await new Promise((resolve, reject) => {
      addEventListener("online", resolve, { once: true, signal });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }
}
