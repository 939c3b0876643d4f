import { copyText } from "./clipboard.js";
import { Enhancement } from "./enhancement.js";
import { flash } from "./flash-message.js";

/** `<copy-link data-url>` around a button that copies the link, or with `data-code` a code. */
class CopyLink extends Enhancement {
  enhance(signal) {
    const button = this.querySelector("button");
    button.addEventListener("click", () => this.#copy(), { signal });
  }

  async #copy() {
    const { code, url } = this.dataset;
    const [what, text] = code ? ["code", code] : ["link", new URL(url, location.origin).href];
    try {
      await copyText(text);
      flash(code ? "Code copied." : "Link copied.");
    } catch {
      flash(`This browser doesn’t allow copying. The ${what} is ${text}`, "error");
    }
  }
}

customElements.define("copy-link", CopyLink);
