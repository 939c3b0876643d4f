import { update } from "../photos/arrivals.js";
import { UploadQueue } from "../photos/upload-queue.js";
import { Upload } from "../photos/upload.js";

/** The uploads of photos that another app has handed over, for the library. A photo that is up is erased here. */
export class HandingOver {
  /** @type {(loaded: number) => void} gets how much has gone, from 0 to 1 */
  onprogress = () => {};
  #arrival;
  #queue = new UploadQueue();
  /** @type {number[]} how much of each photo has gone */
  #loaded;
  /** @type {Promise<void>} */
  #noting = Promise.resolve();
  #isOver = false;

  /** @param {import("../photos/arrivals.js").Arrival} arrival */
  constructor(arrival) {
    this.#arrival = arrival;
    this.#loaded = arrival.photos.map(({ media }) => (media ? 1 : 0));
  }

  /**
   * Waits until all photos are up.
   *
   * @returns {Promise<string[]>} their ids, in order
   * @throws {ApiError} when the server refuses one, which is then left out, or can't be reached
   * @throws {DOMException} `AbortError` after `cancel()`
   */
  async finish() {
    const { photos } = this.#arrival;
    await this.#note();
    const sent = await Promise.allSettled(photos.map((photo, index) => photo.media ?? this.#send(photo, index)));
    const failed = sent.find(({ status }) => status === "rejected");
    if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
    return photos.map(({ media }) => media);
  }

  /** Ends what is under way. */
  cancel() {
    this.#isOver = true;
    this.#queue.cancelAll();
  }

  /** @param {import("../photos/arrivals.js").Arrived} photo */
  async #send(photo, index) {
    const upload = new Upload(photo.file, "post", photo.key);
    upload.onprogress = (loaded) => this.#progress(index, loaded);
    try {
      const { id } = await this.#queue.add(upload);
      photo.media = id;
      delete photo.file;
    } catch (error) {
      // What can't be uploaded holds up no other.
      if (error.isFinal) this.#arrival.photos = this.#arrival.photos.filter((one) => one !== photo);
      throw error;
    } finally {
      this.#progress(index, 1);
      await this.#note();
    }
  }

  #progress(index, loaded) {
    this.#loaded[index] = loaded;
    this.onprogress(this.#loaded.reduce((sum, one) => sum + one, 0) / this.#loaded.length);
  }

  /** Keeps how far it is, one note after the other. */
  #note() {
    this.#noting = this.#noting.then(() => (this.#isOver ? undefined : update(this.#arrival)));
    return this.#noting;
  }
}
