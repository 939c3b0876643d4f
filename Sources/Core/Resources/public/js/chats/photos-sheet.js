/** The composer's sheet of photos: one button adds the chosen photos of the library to the tray. */
export class PhotosSheet {
  #sheet;

  /**
   * @param {HTMLElement} sheet the popover, with check boxes `photo` and the button `[data-add]`
   * @param {(photos: {id: string, src: string, alt: string}[]) => void} choose
   * @param {AbortSignal} signal ends the listening
   */
  constructor(sheet, choose, signal) {
    this.#sheet = sheet;
    sheet.addEventListener("change", () => this.#count(), { signal });
    const add = () => {
      choose(this.#boxes.map((box) => this.#photo(box)));
      this.close();
    };
    this.#button.addEventListener("click", add, { signal });
  }

  close() {
    for (const box of this.#boxes) box.checked = false;
    this.#count();
    this.#sheet.hidePopover();
  }

  get #boxes() {
    return [...this.#sheet.querySelectorAll("input[name=photo]:checked")];
  }

  get #button() {
    return this.#sheet.querySelector("[data-add]");
  }

  #photo(box) {
    const { src, alt } = box.parentElement.querySelector("img");
    return { id: box.value, src, alt };
  }

  #count() {
    const { length } = this.#boxes;
    this.#button.disabled = length === 0;
    this.#button.textContent = length > 0 ? `Add ${length}` : "Add";
  }
}
