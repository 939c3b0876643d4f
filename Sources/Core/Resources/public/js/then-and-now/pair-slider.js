/**
 * The line between then and now: dragged by touch or mouse, moved by the keys of its `<input type=range>`, which keeps
 * the value.
 *
 * Only the line and its handle can be dragged. A finger elsewhere moves the picture.
 */
export class PairSlider {
  #divider;
  #picture;
  #input;
  /** Pixels from the finger to the line, while it is held. */
  #distance = 0;

  /**
   * @param {HTMLElement} divider the line, with the input and the handle
   * @param {HTMLElement} picture which it divides; its style gets `--shown`
   * @param {AbortSignal} signal ends the listening
   */
  constructor(divider, picture, signal) {
    this.#divider = divider;
    this.#picture = picture;
    this.#input = divider.querySelector("input");
    this.#input.addEventListener("input", () => this.#show(this.#input.valueAsNumber), { signal });
    divider.addEventListener("pointerdown", (event) => this.#take(event), { signal });
    divider.addEventListener("pointermove", (event) => this.#drag(event), { signal });
    for (const name of ["pointerup", "pointercancel"]) {
      divider.addEventListener(name, () => this.#release(), { signal });
    }
    this.#release();
    this.#show(this.#input.valueAsNumber);
  }

  #take(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const line = this.#divider.getBoundingClientRect();
    this.#distance = line.x + line.width / 2 - event.clientX;
    this.#divider.setPointerCapture(event.pointerId);
    this.#divider.toggleAttribute("data-held", true);
  }

  #drag(event) {
    if (!("held" in this.#divider.dataset) || !event.isPrimary) return;
    const { x, width } = this.#picture.getBoundingClientRect();
    const share = ((event.clientX + this.#distance - x) / width) * 100;
    this.#show(Math.min(100, Math.max(0, share)));
  }

  #release() {
    if (!("held" in this.#divider.dataset)) return;
    this.#divider.toggleAttribute("data-held", false);
    // The arrow keys continue from here.
    this.#input.focus({ preventScroll: true });
  }

  /** @param {number} share of the picture that shows then, in per cent */
  #show(share) {
    this.#input.value = Math.round(share);
    this.#input.ariaValueText = `${Math.round(share)} %`;
    this.#picture.style.setProperty("--shown", `${share}%`);
  }
}
