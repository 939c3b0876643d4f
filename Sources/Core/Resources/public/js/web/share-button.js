import { copyText } from "./clipboard.js";
import { Enhancement } from "./enhancement.js";
import { flash } from "./flash-message.js";

/**
 * `<share-button data-picture data-text data-url>` around a button `[data-share]`: the phone's share sheet, with the
 * picture itself.
 *
 * With a `data-url`, which others can open, the address goes along, and where there is no share sheet it is copied.
 * Without one only the picture can be shared: the button is shown where the browser hands over files, beside a link
 * that downloads the picture everywhere.
 */
class ShareButton extends Enhancement {
  /** @type {Promise<File | null>} */
  #picture;
  /** The address that it was fetched from. */
  #pictureOf;

  enhance(signal) {
    const button = this.querySelector("[data-share]");
    if (!this.dataset.url) button.hidden = !takesFiles();
    // The sheet must open soon after the tap, so the picture is fetched when it is touched.
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

  /** What the share sheet gets; nothing when there is only the picture, and it can't be handed over. */
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

  /** Fetches the picture, once as long as it is the same. */
  #prepare() {
    const { picture } = this.dataset;
    if (this.#pictureOf !== picture) {
      const fetching = this.#fetchPicture(picture);
      this.#picture = fetching;
      // One that couldn't be fetched is tried again.
      fetching.then((file) => !file && this.#picture === fetching && (this.#pictureOf = undefined));
    }
    this.#pictureOf = picture;
    return this.#picture;
  }

  /** The picture as a file, or none when it can't be fetched. */
  async #fetchPicture(path) {
    if (!path) return null;
    const response = await fetch(path).catch(() => null);
    if (!response?.ok) return null;
    const bytes = await response.blob();
    const kind = bytes.type.split("/")[1]?.replace("jpeg", "jpg");
    return new File([bytes], `tintype.${kind}`, { type: bytes.type });
  }
}

/** Whether the browser hands pictures over to other apps. */
function takesFiles() {
  const probe = new File([], "tintype.jpg", { type: "image/jpeg" });
  return Boolean(navigator.share && navigator.canShare?.({ files: [probe] }));
}

/** @param {Error} error of the share sheet */
function problem({ name }) {
  // The browser finds the tap too long ago: the picture took its time, and is there now.
  if (name === "NotAllowedError") return "The picture is ready now. Tap once more to share it.";
  return "This couldn’t be shared.";
}

customElements.define("share-button", ShareButton);
