/** The form with background, spacing, corners and layout. Changes show at once, and are saved when a control rests. */
export class StyleForm {
  #form;
  #collage;
  #drawing;

  /** @param {HTMLFormElement} form @param {{collage: object, drawing: object}} tools */
  constructor(form, { collage, drawing }, signal) {
    this.#form = form;
    this.#collage = collage;
    this.#drawing = drawing;
    form.addEventListener("submit", (event) => event.preventDefault(), { signal });
    form.addEventListener("input", ({ target }) => this.#preview(target), { signal });
    form.addEventListener("change", ({ target }) => this.#save(target), { signal });
    collage.addEventListener("changed", () => this.show(), { signal });
    this.show();
    this.#scrollToLayout();
  }

  /** Shows the style of the draft. */
  show() {
    const { background, layout_id: layout, spacing, corner_radius: radius } = this.#collage.draft;
    /** @type {Record<string, any>} */
    const { elements } = this.#form;
    for (const box of this.#boxes("background")) box.checked = box.value === background;
    for (const box of this.#boxes("layout_id")) box.checked = box.value === layout;
    const isOther = !this.#boxes("background").some(({ checked }) => checked);
    elements.colour.value = background;
    elements.colour.parentElement.toggleAttribute("data-chosen", isOther);
    elements.spacing.value = spacing;
    elements.corner_radius.value = radius;
    this.#say();
  }

  #boxes(name) {
    return [...this.#form.querySelectorAll(`[name=${name}]`)];
  }

  #preview(target) {
    const style = styleOf(target);
    if (style) this.#drawing.show({ ...this.#collage.draft, ...style });
    this.#say();
  }

  #save(target) {
    const style = styleOf(target);
    if (style) this.#collage.restyle(style);
    if (target.name === "layout_id") this.#collage.relayout(target.value);
  }

  #say() {
    for (const range of this.#form.querySelectorAll("[type=range]")) {
      range.parentElement.querySelector("output").value = range.value;
    }
  }

  #scrollToLayout() {
    const tile = this.#form.querySelector("[name=layout_id]:checked")?.closest("label");
    const row = tile?.parentElement;
    if (row) row.scrollLeft = tile.offsetLeft - (row.clientWidth - tile.clientWidth) / 2;
  }
}

/** Returns the style that a control sets; null for the control of the layout. */
function styleOf({ name, value }) {
  if (name === "background" || name === "colour") return { background: value };
  if (name === "spacing" || name === "corner_radius") return { [name]: Number(value) };
  return null;
}
