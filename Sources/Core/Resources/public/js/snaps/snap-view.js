import { request } from "../web/api.js";
import { fetchPicture } from "./snap-picture.js";

/** The requests of one view of a snap: open it, fetch its picture, report it as shown, and close it. */
export class SnapView {
  #path;
  #isOpened = false;

  /** @param {string} path of the calls that open, show and close it */
  constructor(path) {
    this.#path = path;
  }

  /**
   * Opens the snap, which can't be opened again.
   *
   * @returns {Promise<{url: string, description: string}>}
   * @throws {ApiError} when the server refuses
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

  /** Reports that the picture is on the screen. */
  async show() {
    // If this request is lost, the server closes the view by its own clock.
    await request("POST", `${this.#path}/shown`).catch(() => {});
  }

  /** Closes the view if it was opened. Nobody waits for the answer. */
  close() {
    if (!this.#isOpened) return;
    // If this request is lost, the server closes the view by its own clock.
    request("POST", `${this.#path}/close`, undefined, { keepalive: true }).catch(() => {});
  }

  /** Closes the view with a beacon, which the browser sends even after the page is gone. */
  closeFromAfar() {
    if (this.#isOpened) navigator.sendBeacon(`${this.#path}/close`);
  }
}
