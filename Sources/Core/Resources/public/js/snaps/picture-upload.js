import { Upload } from "../photos/upload.js";
import { newKey } from "../web/api.js";
import { element } from "../web/element.js";

/**
 * The upload of a new snap's picture, with its progress and Cancel. After a failure or Cancel it begins again when its
 * id is asked for.
 */
export class PictureUpload {
  #file;
  #place;
  /** The `Idempotency-Key` of every try, so that the server never keeps two pictures. */
  #key;
  #onsent;
  /** @type {Promise<string> | null} */
  #sent = null;
  /** @type {Upload | null} the try under way */
  #upload = null;
  #isDropped = false;

  /**
   * @param {File} file
   * @param {HTMLElement} place that shows at its start how far it is
   * @param {string} [key] of an upload that an earlier page began
   * @param {() => Promise<void>} [onsent] called when the server has the picture
   */
  constructor(file, place, key = newKey(), onsent = async () => {}) {
    this.#file = file;
    this.#place = place;
    this.#key = key;
    this.#onsent = onsent;
    this.id().catch(() => {}); // reported to who asks for it
  }

  /**
   * Waits until the picture has been uploaded.
   *
   * @returns {Promise<string>} the id of the upload
   * @throws {ApiError} when it failed
   * @throws {DOMException} `AbortError` when the person cancelled it
   */
  id() {
    this.#sent ??= this.#send();
    return this.#sent;
  }

  /** Ends the upload without a message, because another picture replaces this one. */
  drop() {
    this.#show();
    this.#isDropped = true;
    this.#upload?.cancel();
  }

  async #send() {
    const upload = (this.#upload = new Upload(this.#file, "snap", this.#key));
    const bar = element("progress", { max: 1, value: 0, "aria-label": "Uploading the picture" });
    const cancel = element("button", { type: "button" }, "Cancel");
    cancel.onclick = () => {
      upload.cancel();
      this.#place.querySelector(".button").focus();
    };
    upload.onprogress = (loaded) => (bar.value = loaded);
    this.#show(bar, cancel);
    try {
      const { id } = await upload.send();
      await this.#onsent();
      this.#show();
      return id;
    } catch (error) {
      this.#sent = null;
      const words = element("span", { role: "status" }, "The picture isn’t uploaded. Post sends it.");
      this.#show(...(error.name === "AbortError" ? [words] : []));
      throw error;
    }
  }

  #show(...state) {
    if (this.#isDropped) return;
    this.#place.querySelector(".upload-state")?.remove();
    if (state.length > 0) this.#place.prepend(element("div", { class: "upload-state" }, ...state));
  }
}
