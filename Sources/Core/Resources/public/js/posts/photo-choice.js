/**
 * The pictures to choose from: a list of check boxes `photo`, each with its `<img>` and an `.order` that shows its
 * number among the chosen ones.
 */
export class PhotoChoice {
  #list;
  #template;

  /**
   * @param {HTMLElement} list with the boxes
   * @param {import("../web/template.js").Template} template of an item
   */
  constructor(list, template) {
    this.#list = list;
    this.#template = template;
  }

  /** @returns {HTMLInputElement[]} */
  get #boxes() {
    return [...this.#list.querySelectorAll("input[name=photo]")];
  }

  /** @param {HTMLInputElement} box @returns {import("./photo-order.js").ChosenPhoto} */
  photo(box) {
    const picture = box.parentElement.querySelector("img");
    return { id: box.value, src: picture.getAttribute("src"), description: "" };
  }

  /** Adds a picture that isn't in the list yet, after the cells for new photos. */
  offer({ id, src }) {
    if (this.#boxes.some((box) => box.value === id)) return;
    this.#list.insertBefore(this.#template.fill({ id, src }), this.#boxes[0]?.closest("li") ?? null);
  }

  /** Shows which pictures are chosen, and in which order. */
  show(ids) {
    for (const box of this.#boxes) {
      const index = ids.indexOf(box.value);
      box.checked = index >= 0;
      box.parentElement.querySelector(".order").textContent = index >= 0 ? index + 1 : "";
    }
  }
}
