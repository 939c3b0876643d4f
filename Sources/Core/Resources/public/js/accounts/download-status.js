import { ApiError, fragment } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";

/** Milliseconds between two requests while a download is being made. */
const pause = 2_000;

/**
 * `<download-status>` around the state of a person's download: asks the server for the state regularly while it
 * shows a progress bar, and at once when the server reports a change.
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
      // Without a connection, or with a busy server, the shown state stays, and the next request may succeed.
      if (!(error instanceof ApiError)) throw error;
    }
    this.#wait(signal);
  }
}

customElements.define("download-status", DownloadStatus);
