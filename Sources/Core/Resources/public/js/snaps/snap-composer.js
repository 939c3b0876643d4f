import { arrivalFor, erase, takesArrival } from "../photos/arrivals.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { step } from "../web/trail.js";
import "./feed-picker.js";
import { PictureUpload } from "./picture-upload.js";

/**
 * `<snap-composer>` around a `<snap-camera>` and a `<feed-picker>`: the picture that one takes goes
 * on its way to the server, for one use, while the feed is chosen in the other. The page keeps it in
 * memory only. Back leads from the feeds to the picture in the camera. A photo that another app of the device has handed
 * over takes the place of one that the camera takes.
 */
class SnapComposer extends Enhancement {
  /** @type {File | null} the picture that was chosen last */
  #file = null;
  /** The classes of the page while the camera is shown. */
  #look = document.body.className;

  enhance(signal) {
    this.#camera.hidden = false;
    this.addEventListener("picture-taken", ({ detail: file }) => this.#choose(file), { signal });
    addEventListener("popstate", ({ state }) => this.#show(state?.isChosen && this.#file), { signal });
    if (takesArrival()) this.#takeArrival();
  }

  async #takeArrival() {
    const arrival = await arrivalFor(document.documentElement.dataset.account);
    const [photo] = arrival?.photos ?? [];
    if (photo?.file) this.#choose(photo.file, photo.key, () => erase(arrival));
    else this.#camera.resume();
  }

  get #camera() {
    return this.querySelector("snap-camera");
  }

  /**
   * @param {File} file
   * @param {[key?: string, onsent?: () => Promise<void>]} upload of its upload, when an earlier page has begun it
   */
  #choose(file, ...upload) {
    if (file !== this.#file) this.#take(file, upload);
    step("Camera", { isChosen: true });
    this.#show(true);
  }

  #take(file, upload) {
    this.#file = file;
    const picker = this.querySelector("feed-picker");
    const url = URL.createObjectURL(file);
    const picture = element("img", { class: "picture", src: url, alt: "The picture you chose" });
    // A picture that the browser can't draw (HEIC) can still be posted.
    picture.onerror = () => picture.remove();
    picker.querySelector("[type=file], .picture")?.remove();
    picker.querySelector("form").prepend(picture);
    picker.upload = new PictureUpload(file, picker.querySelector(".post"), ...upload);
  }

  /** Shows the feeds to choose from, or the camera. */
  #show(isChosen) {
    if (Boolean(isChosen) === this.#camera.hidden) return;
    this.#camera.hidden = Boolean(isChosen);
    document.body.className = isChosen ? "grouped pushed" : this.#look;
    if (isChosen) this.querySelector("h1").focus();
    else this.#camera.resume();
  }
}

customElements.define("snap-composer", SnapComposer);
