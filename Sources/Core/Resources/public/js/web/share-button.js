import { copyText } from "./clipboard.js";
import { Enhancement } from "./enhancement.js";
import { flash } from "./flash-message.js";

/**
 * `<share-button data-picture data-text data-url>` around a button `[data-share]`: opens the phone's share sheet with
 * the picture itself.
 *
 * With a `data-url`, which others can open, the address is shared too, and copied where there is no share sheet.
 * Without one only the picture can be shared: the button is shown where the browser can share files, beside a link that
 * downloads the picture in every browser.
 */
class ShareButton extends Enhancement {
  /** @type {Promise<File | null>} */
  #picture;
  /** The address that the picture was fetched from. */
  #pictureOf;

  enhance(signal) {
    const button = this.querySelector("[data-share]");
    if (!this.dataset.url) button.hidden = !takesFiles();
    // The sheet must open soon after the tap, so the picture is fetched as soon as the button is touched.
    const prepare = () => this.#prepare();
    button.addEventListener("pointerdown", prepare, { signal });
    button.addEventListener("focus", prepare, { signal });
    button.addEventListener("click", () => this.#share(), { signal });
  }

  async #share() {
    const { url } = this.dataset;
    try {
      if (url && !navigator.share) {
        await copyText(new URL(url, location.origin).href);
        return flash("Link copied.");
      }
      const content = await this.#content();
      if (content) await navigator.share(content);
    } catch (error) {
      // AbortError: the person closed the sheet.
      if (error.name !== "AbortError") flash(problem(error), "error");
    }
  }

  /** Returns what the share sheet gets, or nothing when there is only a picture that the browser can't share. */
  async #content() {
    const { text, url } = this.dataset;
    const words = { ...(text && { text }), ...(url && { url: new URL(url, location.origin).href }) };
    const picture = await this.#prepare();
    const whole = { ...words, files: [picture] };
    if (picture && navigator.canShare?.(whole)) return whole;
    if (url) return words;
    const sentence = picture
      ? "Your other apps don’t take this kind of picture. Download it instead."
      : "The picture could not be loaded. Check the network and try again.";
    flash(sentence, "error");
    return null;
  }

  /** Begins to fetch the picture, unless it has been fetched already. */
  #prepare() {
    const { picture } = this.dataset;
    if (this.#pictureOf !== picture) {
      const fetching = this.#fetchPicture(picture);
      this.#picture = fetching;
      // A picture that couldn't be fetched is tried again.
      fetching.then((file) => !file && this.#picture === fetching && (this.#pictureOf = undefined));
    }
    this.#pictureOf = picture;
    return this.#picture;
  }

  /** Returns the picture as a file, or nothing when it can't be fetched. */
  async #fetchPicture(path) {
    if (!path) return null;
    const response = await fetch(path).catch(() => null);
    if (!response?.ok) return null;
    const bytes = await response.blob();
    const kind = bytes.type.split("/")[1]?.replace("jpeg", "jpg");
    return new File([bytes], `tintype.${kind}`, { type: bytes.type });
  }
}

/** Returns whether the browser can share pictures with other apps. */
function takesFiles() {
  const probe = new File([], "tintype.jpg", { type: "image/jpeg" });
  return Boolean(navigator.share && navigator.canShare?.({ files: [probe] }));
}

/** @param {Error} error of the share sheet */
function problem({ name }) {
  // The picture took so long that the tap no longer counts. It has been fetched now.
  if (name === "NotAllowedError") return "The picture is ready now. Tap once more to share it.";
  return "This couldn’t be shared.";
}

customElements.define("share-button", ShareButton);
