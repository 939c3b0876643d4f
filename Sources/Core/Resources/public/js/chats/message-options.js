/** The sheet with what can be done with a message. */
export class MessageOptions {
  #sheet;
  /** Whether a finger has come down on it, not only been lifted over it. */
  #isPressed = false;

  /**
   * @param {HTMLDialogElement} sheet with buttons `[data-react]`, `[data-more]`, `[data-reply]`, `[data-copy]`,
   *   `[data-save]` and `[data-delete]`, the link `[data-report]`, and a form for any other emoji
   * @param {(name: "react" | "reply" | "copy" | "save" | "delete", value: string) => void} choose
   * @param {AbortSignal} signal ends the listening
   */
  constructor(sheet, choose, signal) {
    this.#sheet = sheet;
    const press = () => (this.#isPressed = true);
    sheet.addEventListener("pointerdown", press, { signal });
    sheet.addEventListener("click", (event) => this.#answer(event, choose), { signal });
    const submit = (event) => {
      event.preventDefault();
      const emoji = this.#field.value.trim();
      if (!emoji) return this.#field.focus();
      this.#sheet.close();
      choose("react", emoji);
    };
    this.#form.addEventListener("submit", submit, { signal });
  }

  get #form() {
    return this.#sheet.querySelector("form");
  }

  get #field() {
    return this.#form.elements.emoji;
  }

  /**
   * @param {Record<"reply" | "copy" | "save" | "report" | "delete", boolean>} offers which of them make sense; who may
   *   reply may react
   * @param {string} page where the message is reported
   * @param {string} [emoji] with which this person has answered the message
   */
  show(offers, page, emoji) {
    this.#sheet.querySelector(".emoji-row").hidden = !offers.reply;
    for (const button of this.#sheet.querySelectorAll("[data-react]")) {
      button.ariaPressed = String(button.dataset.react === emoji);
    }
    this.#showField(false);
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
    if ((!button && target !== this.#sheet) || button?.type === "submit") return;
    const [[name, value] = []] = Object.entries(button?.dataset ?? {});
    if (name === "more") return this.#showField(true);
    this.#sheet.close();
    if (name) choose(name, value);
  }

  #showField(isShown) {
    this.#form.hidden = !isShown;
    this.#sheet.querySelector("[data-more]").ariaExpanded = String(isShown);
    this.#field.value = "";
    if (isShown) this.#field.focus();
  }
}
