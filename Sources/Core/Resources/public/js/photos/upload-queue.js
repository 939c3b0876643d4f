import { Upload } from "./upload.js";

/** The most uploads that run at the same time, and the most that run or wait. */
const lanes = 3;
export const room = 50;

/** A queue of uploads, of which a few run at the same time. */
export class UploadQueue {
  #running = new Set();
  /** @type {{upload: Upload, start: (none?: any) => void}[]} */
  #waiting = [];

  /** How many more uploads there is room for. */
  get free() {
    return room - this.#running.size - this.#waiting.length;
  }

  /**
   * Sends an upload when its turn comes.
   *
   * @param {Upload} upload
   * @returns {Promise<object>} as `upload.send()`
   */
  async add(upload) {
    await new Promise((start) => {
      this.#waiting.push({ upload, start });
      this.#startNext();
    });
    try {
      return await upload.send();
    } finally {
      this.#running.delete(upload);
      this.#startNext();
    }
  }

  /** Cancels all uploads, waiting or running. */
  cancelAll() {
    for (const { upload } of this.#waiting) upload.cancel();
    for (const upload of this.#running) upload.cancel();
  }

  #startNext() {
    while (this.#running.size < lanes && this.#waiting.length > 0) {
      const { upload, start } = this.#waiting.shift();
      this.#running.add(upload);
      start();
    }
  }
}
