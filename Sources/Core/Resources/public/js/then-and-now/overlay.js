import { recall, remember } from "../web/browser-memory.js";
import { drawEdges, edgesOf } from "./edges.js";

/** The name under which this browser tab remembers how the past photo is laid over the camera. */
const memory = "then-and-now";

/** What the slider does in each mode, and its value at first, in percent. It does nothing without the past photo. */
const modes = {
  none: { name: "", amount: 0 },
  overlay: { name: "Opacity of the past photo", amount: 40 },
  edges: { name: "Strength of the edges", amount: 45 },
  split: { name: "Position of the split", amount: 50 },
};

/**
 * The past photo over the camera, placed as in its own frame: translucent, as edges, or on one side of a line. While a
 * picture is reviewed, it is not there at first: the picture is seen alone.
 */
export class Overlay {
  #root;
  #past;
  #parts;
  /** @type {import("./edges.js").Edges | null} */
  #edges = null;
  #frame = 0;
  #mode = "overlay";
  /** How the person wants it over the camera. */
  #kept = "overlay";
  #isReview = false;
  #amounts = Object.fromEntries(Object.entries(modes).map(([mode, { amount }]) => [mode, amount]));

  /**
   * @param {HTMLElement} root `data-image`, `data-edges`, `data-divider` in it
   * @param {{modes: HTMLFieldSetElement, amount: HTMLInputElement}} controls
   * @param {import("./framed-picture.js").FramedPicture} past
   * @param {AbortSignal} signal ends the listening
   */
  constructor(root, controls, past, signal) {
    this.#root = root;
    this.#past = past;
    const [image, edges, divider] = ["image", "edges", "divider"].map((name) => root.querySelector(`[data-${name}]`));
    this.#parts = { image, edges, divider, ...controls };
    const known = recall(memory);
    if (modes[known?.mode]) this.#kept = known.mode;
    for (const mode of Object.keys(modes)) {
      const amount = known?.amounts?.[mode];
      if (amount >= 0 && amount <= 100) this.#amounts[mode] = amount;
    }
    controls.modes.addEventListener("change", ({ target }) => this.#choose(target.value), { signal });
    controls.amount.addEventListener("input", ({ target }) => this.#set(Number(target.value)), { signal });
    past.addEventListener("changed", () => this.#follow(), { signal });
    signal.addEventListener("abort", () => cancelAnimationFrame(this.#frame));
    this.#show(this.#kept);
    this.#follow();
  }

  /** Lets the picture that is reviewed be seen alone, until another mode is chosen. */
  review() {
    this.#isReview = true;
    this.#show("none");
  }

  /** Lies over the camera again as the person chose there. */
  endReview() {
    this.#isReview = false;
    this.#show(this.#kept);
  }

  #choose(mode) {
    if (!this.#isReview) this.#kept = mode;
    this.#show(mode);
  }

  #show(mode) {
    this.#mode = mode;
    this.#parts.modes.querySelector(`[value="${mode}"]`).checked = true;
    this.#parts.amount.ariaLabel = modes[mode].name;
    this.#parts.amount.value = String(this.#amounts[mode]);
    this.#parts.amount.disabled = mode === "none";
    this.#root.dataset.mode = mode;
    this.#set(this.#amounts[mode]);
  }

  #set(amount) {
    this.#amounts[this.#mode] = amount;
    remember(memory, { mode: this.#kept, amounts: this.#amounts });
    this.#parts.amount.style.setProperty("--amount", `${amount}%`);
    const { image, divider } = this.#parts;
    image.style.opacity = this.#mode === "overlay" ? amount / 100 : 1;
    const isSplit = this.#mode === "split";
    this.#root.style.setProperty("--split", isSplit ? `${amount}%` : "100%");
    divider.hidden = !isSplit;
    if (this.#mode === "edges") this.#drawSoon();
  }

  /** Moves the overlay as the past photo moves in its own frame. */
  #follow() {
    if (!this.#past.size) return;
    this.#past.place(this.#parts.image);
    this.#past.place(this.#parts.edges);
  }

  /** Draws the edges at most once for each frame of the screen, however fast the slider moves. */
  #drawSoon() {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      this.#edges ??= edgesOf(this.#parts.image);
      drawEdges(this.#parts.edges, this.#edges, this.#amounts.edges / 100);
      this.#parts.edges.dataset.drawn = this.#amounts.edges;
    });
  }
}
