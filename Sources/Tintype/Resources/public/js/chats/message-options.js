/** The sheet with what can be done with a message. */
export class MessageOptions {
  #sheet;
  /** Whether a finger has come down on it, not only been lifted over it. */
  #isPressed = false;

  /**
   * @param {HTMLDialogElement} sheet with buttons `[data-copy]`, `[data-save]` and `[data-delete]`, and the link
   *   `[data-report]`
   * @param {(name: "copy" | "save" | "delete") => void} choose
   * @param {AbortSignal} signal ends the listening
   */
  constructor(sheet, choose, signal) {
    this.#sheet = sheet;
    const press = () => (this.#isPressed = true);
    sheet.addEventListener("pointerdown", press, { signal });
    sheet.addEventListener("click", (event) => this.#answer(event, choose), { signal });
  }

  /**
   * @param {Record<"copy" | "save" | "report" | "delete", boolean>} offers which of them make sense
   * @param {string} page where the message is reported
   */
  show(offers, page) {
    for (const [name, isOffered] of Object.entries(offers)) {
      this.#sheet.querySelector(`[data-${name}]`).hidden = !isOffered;
    }
    this.#sheet.querySelector("[data-report]").href = page;
    this.#isPressed = false;
    this.#sheet.showModal();
  }

  /** A tap on a button, or on the backdrop, which counts as the sheet itself. Keys have no detail. */
  #answer(event, choose) {
    const { target, detail } = event;
    // Lifting the finger that held a message is a tap as well, on whatever has come up under it.
    if (!this.#isPressed && detail > 0) return event.preventDefault();
    const button = target.closest("button");
    if (!button && target !== this.#sheet) return;
    this.#sheet.close();
    const [name] = Object.keys(button?.dataset ?? {});
    if (name) choose(name);
  }
}
