import { request } from "../web/api.js";
import { flash } from "../web/flash-message.js";
import { Intent } from "../web/intent.js";

/**
 * A person's choices for a pair: its presentation, and whether its picture has a line with date and credit. A choice
 * shows at once, is saved on the server, and is taken back if the server refuses it.
 */
export class PairChoices {
  #view;
  #pair;
  #mode;
  /** @type {Intent<boolean> | null} made at the first choice */
  #caption = null;

  /** @param {HTMLElement} view the pair's element @param {{pair: import("./pair.js").Pair, draw: () => void}} tools */
  constructor(view, { pair, draw }) {
    this.#view = view;
    this.#pair = pair;
    const refused = (error) => flash(error.message, "error");
    const show = (mode) => {
      pair.mode = mode;
      this.#press(mode);
      this.renewShare();
      draw();
    };
    const send = async (mode) => (await request("PATCH", pair.path, { mode })).mode;
    this.#mode = new Intent(pair.mode, { send, show, refused });
  }

  /** @param {string} mode */
  present(mode) {
    this.#mode.wish(mode);
  }

  /**
   * Takes over the presentation that the server has saved.
   *
   * @param {string} mode
   */
  confirm(mode) {
    this.#mode.confirm(mode);
  }

  /** @param {HTMLInputElement} box the switch of the line, or another input */
  caption(box) {
    if (box.name !== "caption") return;
    const refused = (error) => flash(error.message, "error");
    const show = (isShown) => {
      box.checked = isShown;
      this.renewShare();
    };
    const send = async (caption) => (await request("PATCH", this.#pair.path, { caption })).caption;
    this.#caption ??= new Intent(!box.checked, { send, show, refused });
    this.#caption.wish(box.checked);
  }

  /** Makes the sharing menu fetch the current picture. A slider has no picture, so both photos are shared. */
  renewShare() {
    const button = document.querySelector(`share-button[data-photo="${this.#pair.id}"]`);
    if (!button) return;
    const mode = this.#pair.mode === "slider" ? "side_by_side" : this.#pair.mode;
    const change = Number(button.dataset.change ?? 0) + 1;
    button.dataset.change = change;
    button.dataset.picture = `${this.#pair.path}/rendition?mode=${mode}&change=${change}`;
    button.querySelector("[data-download]").href = button.dataset.picture;
  }

  #press(mode) {
    for (const chip of this.#view.querySelectorAll("button[name=mode]")) chip.ariaPressed = chip.value === mode;
  }
}
