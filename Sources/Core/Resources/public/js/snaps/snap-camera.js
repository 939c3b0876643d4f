import { Camera } from "../photos/camera.js";
import { takesArrival } from "../photos/arrivals.js";
import { element, icon } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";

/**
 * `<snap-camera>`: a camera with shutter, front and back, retake and use. Without a camera, it says why and offers a
 * file picker. Fires `picture-taken` with the file as detail. The camera stops when the page is left.
 */
class SnapCamera extends Enhancement {
  #video = element("video", { muted: true, playsInline: true, "aria-label": "What the camera sees" });
  #camera = new Camera(this.#video);
  /** @type {File | null} */
  #taken = null;

  enhance(signal) {
    this.addEventListener("click", (event) => this.#click(event), { signal });
    this.addEventListener("change", (event) => this.#choose(event), { signal });
    addEventListener("pagehide", () => this.#camera.stop(), { signal });
    addEventListener("pageshow", (event) => event.persisted && !this.hidden && this.start(), { signal });
    const rest = () => {
      if (document.visibilityState === "hidden") this.#camera.stop();
      else if (!this.hidden && !this.#taken) this.start();
    };
    document.addEventListener("visibilitychange", rest, { signal });
    signal.addEventListener("abort", () => this.#camera.stop());
    // A photo is there already.
    if (!takesArrival()) this.start();
  }

  /** Turns the camera on, for a new picture. */
  async start() {
    this.#taken = null;
    this.dataset.state = "starting";
    this.#offer(this.#video);
    try {
      await this.#camera.start();
      this.dataset.state = "live";
    } catch (error) {
      this.#explain(error.message);
    }
  }

  /** Shows the last picture, to use it or take another one. Without a picture, shows what the camera sees. */
  resume() {
    if (this.#taken) this.querySelector("[data-use]").focus();
    else this.start();
  }

  #offer(picture) {
    const controls = this.#taken
      ? [
          element("button", { type: "button", class: "button", "data-retake": "" }, "Retake"),
          element("button", { type: "button", class: "button primary", "data-use": "" }, "Use"),
        ]
      : [
          element("label", { class: "round" }, icon("images"), this.#fileInput("Choose a file instead")),
          element("button", { type: "button", class: "shutter", "aria-label": "Take the picture", "data-shutter": "" }),
          element("button", { type: "button", class: "round", "aria-label": "Switch camera", "data-turn": "" }, icon("arrow-repeat")),
        ];
    this.replaceChildren(picture, this.#top(), element("div", { class: "camera-controls" }, ...controls));
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
    if ("use" in button.dataset) this.#use(this.#taken);
  }

  async #shoot() {
    if (this.dataset.state !== "live") return;
    this.#taken = await this.#camera.shoot();
    this.#camera.stop();
    const url = URL.createObjectURL(this.#taken);
    const picture = element("img", { class: "taken", src: url, alt: "The picture just taken" });
    picture.onload = () => URL.revokeObjectURL(url);
    this.#offer(picture);
    this.dataset.state = "taken";
    this.querySelector("[data-use]").focus();
  }

  async #turn() {
    if (this.dataset.state !== "live") return;
    this.dataset.state = "starting";
    try {
      await this.#camera.turn();
      this.dataset.state = "live";
    } catch (error) {
      this.#explain(error.message);
    }
  }

  #choose({ target }) {
    if (target.files?.[0]) this.#use(target.files[0]);
  }

  #use(file) {
    this.#camera.stop();
    this.dispatchEvent(new CustomEvent("picture-taken", { bubbles: true, detail: file }));
  }
}

customElements.define("snap-camera", SnapCamera);
