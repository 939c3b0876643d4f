import { middle } from "../photos/placing.js";
import { within } from "./frame-options.js";
import { previewOf } from "./preview.js";
import { Saving } from "./saving.js";

/** The review of a picture, which is shown in the lower frame and then accepted or rejected. */
export class Verdict {
  #tools;
  #picture;
  #url = "";
  /** The proportions in which the picture was shot; null for a file, which fills a frame of any proportions. */
  #aspect = null;
  /** @type {Saving | null} */
  #saving = null;

  /**
   * @param {HTMLImageElement} picture shows it
   * @param {object} tools
   * @param {import("./framed-picture.js").FramedPicture} tools.now the frame of `picture`
   * @param {import("./framed-picture.js").FramedPicture} tools.past
   * @param {HTMLImageElement} tools.image the past photo
   * @param {import("./overlay.js").Overlay} tools.overlay
   * @param {import("./frame-options.js").FrameOptions} tools.options
   * @param {object} tools.reference what the pair is made of: `{photo_id: "12"}`
   * @param {HTMLProgressElement} tools.progress
   */
  constructor(picture, tools) {
    this.#picture = picture;
    this.#tools = tools;
  }

  /**
   * Shows a picture from the camera, or another file, which can be panned and zoomed.
   *
   * @param {File} file
   * @param {"camera" | "upload"} kind
   * @param {number | null} aspect of the frame in which it was shot
   * @throws {Error} with a message to show, when something is wrong with the file
   */
  async show(file, kind, aspect = null) {
    const url = URL.createObjectURL(file);
    try {
      const probe = new Image();
      probe.src = url;
      await probe.decode();
    } catch {
      URL.revokeObjectURL(url);
      throw new Error("This browser can’t show this file. Choose a JPEG, PNG or WebP picture.");
    }
    this.clear();
    this.#url = this.#picture.src = url;
    await this.#picture.decode();
    this.#aspect = aspect;
    this.#saving = new Saving(file, kind);
    const { now, options, overlay } = this.#tools;
    overlay.review();
    if (aspect !== null) options.freeze(aspect);
    const { naturalWidth: width, naturalHeight: height } = this.#picture;
    now.show({ width, height }, middle);
  }

  /** Removes the picture. */
  clear() {
    URL.revokeObjectURL(this.#url);
    this.#picture.removeAttribute("src");
    this.#tools.now.clear();
    this.#tools.options.thaw();
    this.#tools.overlay.endReview();
    this.#saving = null;
  }

  /**
   * Saves the pair as both frames show it.
   *
   * @returns {Promise<string | null>} its id; null when this device keeps it until there is a network
   * @throws {Error} as `Saving.send()`
   */
  accept() {
    const { past, now, image, reference, progress } = this.#tools;
    const { width, height } = past.frame;
    const aspect = within(this.#aspect ?? width / height);
    const halves = [
      { image, size: past.size, view: past.view },
      { image: this.#picture, size: now.size, view: now.view },
    ];
    progress.value = 0;
    this.#saving.onprogress = (loaded) => (progress.value = loaded);
    const recipe = { ...reference, aspect, past_view: past.view, now_view: now.view };
    return this.#saving.send(recipe, () => previewOf(aspect, halves));
  }

  /** Ends the upload; `accept()` then throws an `AbortError`. */
  cancel() {
    this.#saving?.cancel();
  }
}
