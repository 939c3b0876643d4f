import { recall, remember } from "../web/browser-memory.js";

/** The proportions, width / height, of the narrowest and of the widest frame. */
const narrowest = 0.4;
const widest = 2.5;

/** Where this browser tab remembers the options. */
const memory = "then-and-now-frame";

/**
 * The options of the two frames: as large as the screen allows or with the past photo's proportions, with or without
 * lines at the thirds. While a picture is reviewed, both frames keep the proportions in which it was shot.
 */
export class FrameOptions {
  #root;
  #buttons;
  #proportions;
  #isWhole = false;
  #hasGrid = false;

  /**
   * @param {HTMLElement} root gets `data-grid`, and `data-shape` with `--aspect`
   * @param {{whole: HTMLButtonElement, lines: HTMLButtonElement}} buttons
   * @param {{width: number, height: number}} size of the past photo
   * @param {AbortSignal} signal ends the listening
   */
  constructor(root, buttons, { width, height }, signal) {
    this.#root = root;
    this.#buttons = buttons;
    this.#proportions = within(width / height);
    const known = recall(memory);
    this.#isWhole = Boolean(known?.isWhole);
    this.#hasGrid = Boolean(known?.hasGrid);
    const change = (flip) => () => {
      flip();
      remember(memory, { isWhole: this.#isWhole, hasGrid: this.#hasGrid });
      this.#show();
    };
    buttons.whole.addEventListener("click", change(() => (this.#isWhole = !this.#isWhole)), { signal });
    buttons.lines.addEventListener("click", change(() => (this.#hasGrid = !this.#hasGrid)), { signal });
    this.#show();
  }

  /**
   * Keeps both frames as they are, also when the phone is turned.
   *
   * @param {number} aspect
   */
  freeze(aspect) {
    this.#shape(aspect);
  }

  /** Lets the frames follow the screen again. */
  thaw() {
    this.#show();
  }

  #show() {
    this.#root.toggleAttribute("data-grid", this.#hasGrid);
    this.#buttons.lines.ariaPressed = String(this.#hasGrid);
    this.#buttons.whole.ariaPressed = String(this.#isWhole);
    this.#shape(this.#isWhole ? this.#proportions : null);
  }

  #shape(aspect) {
    this.#root.toggleAttribute("data-shape", aspect !== null);
    if (aspect !== null) this.#root.style.setProperty("--aspect", aspect);
  }
}

/** Returns the proportions, width / height, of a frame within the limits for a pair, in ten-thousandths. */
export function within(aspect) {
  return Math.round(Math.min(widest, Math.max(narrowest, aspect)) * 10_000) / 10_000;
}
