import { copyText } from "./clipboard.js";
import { Enhancement } from "./enhancement.js";
import { flash } from "./flash-message.js";

/**
 * `<share-button data-url data-text data-picture>` around a button or a link: the phone's share
 * sheet, with the picture itself where the phone takes files; elsewhere the link is copied.
 */
class ShareButton extends Enhancement {
  /** @type {Promise<File | null>} */
  #picture;
  /** The address that it was fetched from. */
  #pictureOf;

  enhance(signal) {
    const button = this.querySelector("button, a");
    // The sheet must open soon after the tap, so the picture is fetched when it is touched.
    const prepare = () => this.#prepare();
    button.addEventListener("pointerdown", prepare, { signal });
    button.addEventListener("focus", prepare, { signal });
    const share = (event) => {
      event.preventDefault();
      this.#share();
    };
    button.addEventListener("click", share, { signal });
  }

  async #share() {
    const url = new URL(this.dataset.url, location.origin).href;
    try {
      if (!navigator.share) {
        await copyText(url);
        return flash("Link copied.");
      }
      const content = { text: this.dataset.text, url };
      const picture = await this.#prepare();
      const withPicture = { ...content, files: [picture] };
      const takesIt = picture && navigator.canShare?.(withPicture);
      await navigator.share(takesIt ? withPicture : content);
    } catch (error) {
      // AbortError: the person closed the sheet.
      if (error.name !== "AbortError") flash("This couldn’t be shared.", "error");
    }
  }

  /** Fetches the picture, once as long as it is the same. */
  #prepare() {
    if (this.#pictureOf !== this.dataset.picture) this.#picture = this.#fetchPicture();
    this.#pictureOf = this.dataset.picture;
    return this.#picture;
  }

  /** The picture as a file, or none when it can't be had: the link is shared without it. */
  async #fetchPicture() {
    if (!this.dataset.picture) return null;
    const response = await fetch(this.dataset.picture).catch(() => null);
    if (!response?.ok) return null;
    const bytes = await response.blob();
    return new File([bytes], `tintype.${bytes.type.split("/")[1]}`, { type: bytes.type });
  }
}

customElements.define("share-button", ShareButton);
