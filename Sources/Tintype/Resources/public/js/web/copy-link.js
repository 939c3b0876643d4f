import { copyText } from "./clipboard.js";
import { Enhancement } from "./enhancement.js";
import { flash } from "./flash-message.js";

/** `<copy-link data-url>` around a button that copies the link. */
class CopyLink extends Enhancement {
  enhance(signal) {
    const button = this.querySelector("button");
    button.addEventListener("click", () => this.#copy(), { signal });
  }

  async #copy() {
    const url = new URL(this.dataset.url, location.origin).href;
    try {
      await copyText(url);
      flash("Link copied.");
    } catch {
      flash(`This browser doesn’t allow copying. The link is ${url}`, "error");
    }
  }
}

customElements.define("copy-link", CopyLink);
