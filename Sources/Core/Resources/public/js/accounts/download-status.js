import { ApiError, fragment } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";

/** Milliseconds between two looks while a download is being made. */
const pause = 2_000;

/**
 * `<download-status>` around how far one's download is: it asks for that anew while there is a
 * progress bar in it, and at once when the server says that something has changed.
 */
class DownloadStatus extends Enhancement {
  #timer;

  enhance(signal) {
    addEventListener("tintype:download", () => this.#look(signal), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
    this.#wait(signal);
  }

  #wait(signal) {
    const isUnderWay = this.querySelector("progress") !== null;
    document.querySelector("main form button").disabled = isUnderWay;
    clearTimeout(this.#timer);
    if (isUnderWay) this.#timer = setTimeout(() => this.#look(signal), pause);
  }

  async #look(signal) {
    try {
      this.replaceChildren(await fragment(location.pathname, "list", signal));
    } catch (error) {
      if (signal.aborted) return;
      // No connection, or a busy server: what stands there stays, and the next look may succeed.
      if (!(error instanceof ApiError)) throw error;
    }
    this.#wait(signal);
  }
}

customElements.define("download-status", DownloadStatus);
