import { Camera } from "../photos/camera.js";
import { takesArrival } from "../photos/arrivals.js";
import { editsPhotos } from "../editing/availability.js";
import { edit } from "../editing/library-photo.js";
import { element, icon } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";

/**
 * A picture that is shown, to be used, edited or replaced by another one.
 *
 * @typedef {object} Taken
 * @property {File} file
 * @property {File} source the file that it was before it was edited
 * @property {boolean} isShot whether the camera took it
 */

/**
 * `<snap-camera>`: a camera with shutter, front and back, retake, edit and use. Without a camera, it says why and offers
 * a file picker. Fires `picture-taken` with `Taken` as detail. The camera stops when the page is left.
 */
class SnapCamera extends Enhancement {
  #video = element("video", { muted: true, playsInline: true, "aria-label": "What the camera sees" });
  #camera = new Camera(this.#video);
  /** @type {Taken | null} */
  #taken = null;

  enhance(signal) {
    this.addEventListener("click", (event) => this.#click(event), { signal });
    this.addEventListener("change", (event) => this.#choose(event), { signal });
    addEventListener("pagehide", () => this.#camera.stop(), { signal });
    const goOn = () => !this.hidden && !this.#taken && this.start();
    addEventListener("pageshow", ({ persisted }) => persisted && goOn(), { signal });
    const rest = () => {
      if (document.visibilityState === "hidden") this.#camera.stop();
      else goOn();
    };
    document.addEventListener("visibilitychange", rest, { signal });
    signal.addEventListener("abort", () => this.#camera.stop());
    // A photo is there already.
    if (!takesArrival()) this.start();
  }

  /** Turns the camera on, for a new picture. */
  async start() {
    this.#taken = null;
    this.#draw(this.#video);
    await this.#see(() => this.#camera.start());
  }

  /** Shows what the camera sees once it is on, unless a picture has been chosen meanwhile. */
  async #see(turnOn) {
    this.dataset.state = "starting";
    try {
      await turnOn();
      if (!this.#taken) this.dataset.state = "live";
    } catch (error) {
      if (!this.#taken) this.#explain(error.message);
    }
  }

  /**
   * Shows a picture that was chosen, to use it, edit it, or choose another one.
   *
   * @param {File} file
   */
  offer(file) {
    this.#show({ file, source: file, isShot: false });
  }

  /** Shows the last picture, to use it or take another one. Without a picture, shows what the camera sees. */
  resume() {
    if (this.#taken) this.querySelector("[data-use]").focus();
    else this.start();
  }

  #draw(picture) {
    const controls = this.#taken
      ? this.#choices
      : [
          element("label", { class: "round" }, icon("images"), this.#fileInput("Choose a file instead")),
          element("button", { type: "button", class: "shutter", "aria-label": "Take the picture", "data-shutter": "" }),
          element("button", { type: "button", class: "round", "aria-label": "Switch camera", "data-turn": "" }, icon("arrow-repeat")),
        ];
    this.replaceChildren(picture, this.#top(), element("div", { class: "camera-controls" }, ...controls));
  }

  /** What can be done with the picture that is shown. */
  get #choices() {
    const button = (name, data, look = "button") => element("button", { type: "button", class: look, [data]: "" }, name);
    const another = () => element("label", { class: "button" }, "Choose another", this.#fileInput("Choose another"));
    return [
      this.#taken.isShot ? button("Retake", "data-retake") : another(),
      ...(editsPhotos ? [button("Edit", "data-edit")] : []),
      button("Use", "data-use", "button primary"),
    ];
  }

  #explain(reason) {
    this.dataset.state = "none";
    const choose = element("label", { class: "button primary" }, "Choose a picture", this.#fileInput("Choose a picture"));
    const empty = element("div", { class: "empty" }, icon("camera"), element("h2", {}, "No camera here"), element("p", {}, reason), choose);
    this.replaceChildren(this.#top(), empty);
  }

  #top() {
    const close = element("a", { class: "round", href: "/snaps/new", "data-back": "", "aria-label": "Close" }, icon("x-lg"));
    return element("div", { class: "camera-top" }, close);
  }

  #fileInput(label) {
    return element("input", { class: "unseen", type: "file", accept: "image/*", "aria-label": label });
  }

  #click({ target }) {
    const button = target.closest("button");
    if (!button) return;
    if ("shutter" in button.dataset) this.#shoot();
    if ("turn" in button.dataset) this.#turn();
    if ("retake" in button.dataset) this.start();
    if ("edit" in button.dataset) this.#edit();
    if ("use" in button.dataset) this.#use();
  }

  async #shoot() {
    if (this.dataset.state !== "live") return;
    const file = await this.#camera.shoot();
    this.#show({ file, source: file, isShot: true });
  }

  /** @param {Taken} taken */
  #show(taken) {
    this.#taken = taken;
    this.#camera.stop();
    const url = URL.createObjectURL(taken.file);
    const alt = taken.isShot ? "The picture just taken" : "The picture just chosen";
    const picture = element("img", { class: "taken", src: url, alt });
    picture.onload = () => URL.revokeObjectURL(url);
    picture.onerror = () => this.#explainUndrawable(picture);
    this.#draw(picture);
    this.dataset.state = "taken";
    this.querySelector("[data-use]").focus();
  }

  /** Says that a picture can be used, although the browser can't draw it (HEIC). */
  #explainUndrawable(picture) {
    URL.revokeObjectURL(picture.src);
    const words = "This browser can’t show this picture, but your friends will see it.";
    picture.replaceWith(element("div", { class: "empty" }, icon("image"), element("p", {}, words)));
    this.querySelector("[data-edit]")?.remove();
  }

  async #edit() {
    const { file } = this.#taken;
    const edited = await edit(file, file.name);
    if (edited) this.#show({ ...this.#taken, file: edited });
  }

  async #turn() {
    if (this.dataset.state === "live") await this.#see(() => this.#camera.turn());
  }

  #use() {
    this.dispatchEvent(new CustomEvent("picture-taken", { bubbles: true, detail: this.#taken }));
  }

  #choose({ target }) {
    if (target.files?.[0]) this.offer(target.files[0]);
  }
}

customElements.define("snap-camera", SnapCamera);
