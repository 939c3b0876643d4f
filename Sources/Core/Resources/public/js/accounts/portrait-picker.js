import { Enhancement } from "../web/enhancement.js";
import { Gesture } from "../web/gesture.js";
import { element } from "../web/element.js";
import { ways } from "../web/moving-keys.js";
import { SquareCrop } from "./square-crop.js";

/** Pixels that an arrow key moves the picture. */
const step = 8;

/**
 * `<portrait-picker>` around `input[type=file]`s, one for the files and one for the camera, shows
 * the square that will be the portrait: drag it, or zoom with the slider. The square goes with the
 * form in the hidden fields `crop_x`, `crop_y` (of the picture's width and height) and `crop_size`
 * (of its shorter side).
 */
class PortraitPicker extends Enhancement {
  /** @type {SquareCrop | null} */
  #crop = null;
  #stage;
  #slider;
  #fields;

  enhance(signal) {
    this.#makeParts(signal);
    this.addEventListener("change", (event) => this.#choose(event.target), { signal });
    signal.addEventListener("abort", () => this.#drop());
  }

  #makeParts(signal) {
    if (this.#stage) return;
    const names = ["crop_x", "crop_y", "crop_size"];
    this.#fields = names.map((name) => this.querySelector(`[name=${name}]`));
    this.#slider = element("input", {
      type: "range",
      min: 1,
      max: 4,
      step: 0.01,
      "aria-label": "Zoom",
    });
    this.#stage = element("div", {
      class: "crop",
      tabIndex: 0,
      role: "img",
      "aria-label": "Portrait. Drag, or press the arrow keys, to move the picture.",
    });
    const move = ({ dx, dy, factor }) => this.#change((crop) => crop.move(dx, dy, factor));
    new Gesture(this.#stage, { move, end: () => {} }, signal);
    const zoom = () => this.#change((crop) => crop.zoomTo(Number(this.#slider.value)));
    this.#slider.addEventListener("input", zoom, { signal });
    this.#stage.addEventListener("keydown", (event) => this.#press(event), { signal });
  }

  async #choose(input) {
    if (input.type !== "file" || input.files.length === 0) return;
    // One picture goes with the form: a picture chosen in the other input is removed.
    for (const other of this.querySelectorAll("[type=file]")) if (other !== input) other.value = "";
    this.#drop();
    const picture = element("img", { src: URL.createObjectURL(input.files[0]), alt: "" });
    this.#stage.replaceChildren(picture);
    this.append(this.#stage, this.#slider);
    this.classList.add("cropping");
    try {
      await picture.decode();
    } catch {
      // Only the server can read this kind of picture (HEIC). It takes the middle.
      return this.#drop();
    }
    const { naturalWidth, naturalHeight } = picture;
    this.#crop = new SquareCrop(naturalWidth, naturalHeight, this.#stage.clientWidth);
    this.#change(() => {});
  }

  #press(event) {
    const way = ways[event.key];
    if (!way) return;
    event.preventDefault();
    this.#change((crop) => crop.move(way[0] * step, way[1] * step));
  }

  /** @param {(crop: SquareCrop) => void} change */
  #change(change) {
    if (!this.#crop) return;
    change(this.#crop);
    this.#stage.firstChild.style.cssText = this.#crop.css;
    this.#slider.value = this.#crop.zoom;
    const { x, y, size } = this.#crop.unit;
    [x, y, size].forEach((value, index) => (this.#fields[index].value = value.toFixed(5)));
  }

  /** Removes the preview and the fields of the square. Without them the server takes the middle. */
  #drop() {
    const picture = this.#stage.firstChild;
    if (picture) URL.revokeObjectURL(picture.src);
    this.#crop = null;
    this.classList.remove("cropping");
    this.#stage.remove();
    this.#slider.remove();
    for (const field of this.#fields) field.value = "";
  }
}

customElements.define("portrait-picker", PortraitPicker);
