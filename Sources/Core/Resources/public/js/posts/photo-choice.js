import { element } from "../web/element.js";

/**
 * The pictures to choose from: a list of check boxes `photo`, each with its `<img>` and an
 * `.order` that says as the how manieth photo of the post it is chosen.
 */
export class PhotoChoice {
  #list;

  /** @param {HTMLElement} list with the boxes */
  constructor(list) {
    this.#list = list;
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

  /** Adds a picture that is not there yet, after the cells that bring new ones. */
  offer({ id, src }) {
    if (this.#boxes.some((box) => box.value === id)) return;
    const cell = element(
      "li",
      {},
      element(
        "label",
        {},
        element("input", { class: "cover", type: "checkbox", name: "photo", value: id }),
        element("img", { src, alt: "New photo", width: 240, height: 240 }),
        element("span", { class: "order", "aria-hidden": "true" }),
      ),
    );
    this.#list.insertBefore(cell, this.#boxes[0]?.closest("li") ?? null);
  }

  /** Shows which are chosen, in which order. */
  show(ids) {
    for (const box of this.#boxes) {
      const index = ids.indexOf(box.value);
      box.checked = index >= 0;
      box.parentElement.querySelector(".order").textContent = index >= 0 ? index + 1 : "";
    }
  }
}
