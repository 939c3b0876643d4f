import { Enhancement } from "../web/enhancement.js";

/**
 * `<radius-slider>` around a `<select>` of radii: a slider whose steps are the select's options, with its value in
 * words. The select keeps the value.
 */
class RadiusSlider extends Enhancement {
  #select;
  #range;

  enhance(signal) {
    this.#select = this.querySelector("select");
    this.#range = this.querySelector("[type=range]");
    this.#range.max = this.#select.length - 1;
    this.#range.addEventListener("input", () => this.#choose(), { signal });
    this.#select.addEventListener("change", () => this.#show(), { signal });
    this.#show();
  }

  #choose() {
    this.#select.selectedIndex = Number(this.#range.value);
    this.#select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #show() {
    const { selectedIndex: index, length } = this.#select;
    const words = this.#select.options[index].text;
    this.#range.value = index;
    this.#range.setAttribute("aria-valuetext", words);
    this.#range.style.setProperty("--part", index / (length - 1));
    this.querySelector("output").value = words;
  }
}

customElements.define("radius-slider", RadiusSlider);
