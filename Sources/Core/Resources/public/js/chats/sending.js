import { Upload } from "../photos/upload.js";
import { newKey, request } from "../web/api.js";
import * as store from "./outbox-store.js";

/** @typedef {import("./outbox-store.js").Entry} Entry */

/** A message that is being sent: first its photo, then the message itself. */
export class Sending {
  /** @type {(loaded: number) => void} gets how much of the photo has gone, from 0 to 1 */
  onprogress = () => {};
  /** The function that is called when the message itself is sent, and can no longer be taken back. */
  onposting = () => {};
  #entry;
  /** @type {Upload} */
  #upload;
  #isCancelled = false;

  /** @param {Entry} entry */
  constructor(entry) {
    this.#entry = entry;
  }

  /**
   * Sends the message.
   *
   * @returns {Promise<object>} the message
   * @throws {ApiError} when the server refuses it or stays out of reach
   * @throws {DOMException} `AbortError` when it was taken back, here or in another tab
   */
  async send() {
    const entry = this.#entry;
    try {
      return await this.#try();
    } catch (error) {
      // The server keeps a view-once picture for an hour. Of one that was used up, only its key is left.
      const isTooOld = entry.once && entry.file && (error.status === 410 || (error.status === 422 && entry.photo));
      if (!isTooOld) throw error;
      Object.assign(entry, { photo: undefined, uploadKey: newKey() });
      return this.#try();
    }
  }

  /** Takes the message back, unless it is being sent already. */
  cancel() {
    this.#isCancelled = true;
    this.#upload?.cancel();
  }

  async #try() {
    const entry = this.#entry;
    this.onprogress(0);
    if (!entry.photo && entry.file) {
      entry.photo = await this.#uploadFile();
      if (!(await store.update(entry))) this.cancel();
    }
    if (this.#isCancelled) throw new DOMException("Taken back.", "AbortError");
    this.onposting();
    const body = { text: entry.text, ...this.#picture(), ...(entry.reply && { reply_to_id: entry.reply }) };
    return request("POST", `/api/v1/chats/${entry.chat}/messages`, body, { key: entry.key });
  }

  /** What the message says of its photo. One of the library to be seen once is copied there, with its description. */
  #picture() {
    const { library, photo, once } = this.#entry;
    if (library) return { photo_id: library, ...(once && { view_once: true }) };
    if (!photo) return {};
    return once ? { media_id: photo, view_once: true } : { photo_id: photo };
  }

  /** @returns {Promise<string>} the id of the photo */
  async #uploadFile() {
    const { file, kind = "upload", description = "", once, key, uploadKey = key } = this.#entry;
    this.#upload = new Upload(file, once ? "view_once" : "post", uploadKey);
    Object.assign(this.#upload, { kind, description });
    this.#upload.onprogress = (loaded) => this.onprogress(loaded);
    if (this.#isCancelled) this.#upload.cancel();
    try {
      return (await this.#upload.send()).id;
    } catch (error) {
      if ([413, 415].includes(error.status)) error.remedy = "file";
      if (error.details?.file?.some((problem) => problem.error === "ERR_STORAGE_FULL")) error.remedy = "room";
      throw error;
    }
  }
}
