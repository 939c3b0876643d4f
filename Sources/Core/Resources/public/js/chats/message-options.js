/** The sheet with what can be done with a message. */
export class MessageOptions {
  #sheet;
  /** Whether a finger has been put down on the sheet, and not only lifted over it. */
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
   * @param {Record<"reply" | "copy" | "save" | "report" | "delete", boolean>} offers which of them are
   *   possible; a person who may reply may also react
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

  /** Handles a tap on a button or on the backdrop, whose target is the sheet itself. A key's click has no `detail`. */
  #answer(event, choose) {
    const { target, detail } = event;
    // Lifting the finger that pressed a message also makes a click, on the button that has appeared under it.
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
