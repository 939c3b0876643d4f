import { prefersStillness } from "../web/motion.js";

/**
 * The button of the fading picture: pauses the fade and plays it again. With reduced motion nothing fades, and the
 * button shows the other photo.
 */
export class PairFade {
  #picture;
  #button;

  /**
   * @param {HTMLElement} picture gets `data-paused` while the fade is paused, and `data-shown` with reduced motion
   * @param {AbortSignal} signal ends the listening
   */
  constructor(picture, signal) {
    this.#picture = picture;
    this.#button = picture.querySelector("[data-fade]");
    this.#button.addEventListener("click", () => this.#press(), { signal });
    matchMedia("(prefers-reduced-motion: reduce)").addEventListener("change", () => this.#name(), { signal });
    this.#name();
  }

  #press() {
    const { dataset } = this.#picture;
    if (prefersStillness()) dataset.shown = dataset.shown === "then" ? "now" : "then";
    else this.#picture.toggleAttribute("data-paused");
    this.#name();
  }

  #name() {
    const { dataset } = this.#picture;
    const [moving, still] = ["paused" in dataset ? "Play" : "Pause", dataset.shown === "then" ? "Show now" : "Show then"];
    this.#button.textContent = prefersStillness() ? still : moving;
  }
}
