import { request } from "../web/api.js";
import { fetchPicture } from "./snap-picture.js";

/** One look at a snap as the server keeps it: opened once, its picture fetched, shown and closed. */
export class SnapView {
  #path;
  #isOpened = false;

  /** @param {string} path of the calls that open, show and close it */
  constructor(path) {
    this.#path = path;
  }

  /**
   * Opens the snap: from then on it is used up.
   *
   * @returns {Promise<{url: string, description: string}>}
   * @throws {ApiError} when the server says no
   */
  async open() {
    const { view } = await request("POST", `${this.#path}/open`);
    this.#isOpened = true;
    return view;
  }

  /** @param {{url: string}} view @param {AbortSignal} signal @returns {Promise<Blob>} */
  fetch(view, signal) {
    return fetchPicture(view.url, signal);
  }

  /** Says that the picture is on the screen. */
  async show() {
    // Lost, it changes nothing for the person: the server closes the view by its own clock.
    await request("POST", `${this.#path}/shown`).catch(() => {});
  }

  /** Says that it is over, if it has begun; nobody needs to wait for the answer. */
  close() {
    if (!this.#isOpened) return;
    // The same holds for this one.
    request("POST", `${this.#path}/close`, undefined, { keepalive: true }).catch(() => {});
  }

  /** The same for a page that may never come back to life: it goes out by itself. */
  closeFromAfar() {
    if (this.#isOpened) navigator.sendBeacon(`${this.#path}/close`);
  }
}
