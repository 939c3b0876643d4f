import { editsPhotos } from "../editing/availability.js";
import { editBeside } from "../editing/library-photo.js";
import { element } from "../web/element.js";
import { idOf } from "./changes.js";
import { nameOf } from "./collage.js";
import { isMovable } from "../photos/placing.js";

/** Returns the words beside a slider: `1.5×`, or a percentage. */
const inWords = (name, value) => (name === "zoom" ? `${value.toFixed(1)}×` : `${Math.round(value * 100)}%`);

/** Returns whether two pictures have the same proportions, so that the same part of them fills a cell. */
const isAlike = (one, other) => Math.abs((one.width * other.height) / (one.height * other.width) - 1) < 0.01;

/**
 * The sheet of a filled cell: sliders for zoom and position, and buttons that edit, replace, remove or swap the photo.
 * For another person's photo it offers only what the viewer may do.
 */
export class CellSheet {
  #sheet;
  #tools;
  #index = 0;

  /**
   * @param {HTMLElement} sheet ranges `zoom`, `x` and `y`, buttons `data-replace` and `data-remove`, `data-swaps` for
   *   the other cells, and the link `data-report`
   * @param {object} tools `collage`, `drawing`, `looking`, `note`, `picker` and `select`
   * @param {AbortSignal} signal ends the listening
   */
  constructor(sheet, tools, signal) {
    this.#sheet = sheet;
    this.#tools = tools;
    sheet.addEventListener("input", (event) => this.#slide(event.target), { signal });
    sheet.addEventListener("change", () => tools.looking.end(), { signal });
    sheet.addEventListener("click", (event) => this.#press(event.target), { signal });
    tools.collage.addEventListener("changed", () => this.#follow(), { signal });
    const edit = element("button", { class: "button plain", type: "button", "data-edit": "" }, "Edit");
    if (editsPhotos) sheet.querySelector("h2").after(edit);
  }

  open(index) {
    this.#index = index;
    const { draft, rights } = this.#tools.collage;
    const { account } = draft.cells[index];
    const isOwn = rights.isOwn(account);
    const whose = isOwn ? "" : ` by ${nameOf(account)}`;
    this.#part("h2").textContent = `Photo ${index + 1}${whose}`;
    const edit = this.#part("[data-edit]");
    if (edit) edit.hidden = !isOwn || !rights.mayFill(index);
    edit?.setAttribute("aria-label", `Edit photo ${index + 1}`);
    this.#part("[data-replace]").hidden = !rights.mayFill(index);
    this.#part("[data-remove]").hidden = !rights.mayChange(index);
    const report = this.#part("[data-report]");
    if (report) report.href = `/collage/${draft.id}/cells/${index}/report`;
    if (report) report.hidden = isOwn;
    for (const slider of this.#sheet.querySelectorAll(".slider")) slider.hidden = !rights.mayChange(index);
    if (!rights.mayChange(index)) this.#tools.note.say("This is somebody else’s photo.");
    this.#offerSwaps();
    this.#show();
    this.#tools.select(index);
    this.#sheet.showPopover();
  }

  #part(selector) {
    return this.#sheet.querySelector(selector);
  }

  #offerSwaps() {
    const { draft, rights } = this.#tools.collage;
    const others = [...draft.cells.keys()].filter((other) => rights.maySwap(this.#index, other));
    const buttons = others.map((other) => {
      const label = { "data-swap-with": other, "aria-label": `Swap with cell ${other + 1}` };
      return element("button", { class: "chip", type: "button", ...label }, String(other + 1));
    });
    const place = this.#part("[data-swaps]");
    place.replaceChildren(...buttons);
    place.parentElement.hidden = buttons.length === 0;
  }

  /** Shows the position of the photo. It can't be moved along a side where all of it is visible. */
  #show() {
    const { collage, looking } = this.#tools;
    const cell = collage.draft.cells[this.#index];
    if (!cell?.photo) return;
    const view = looking.view ?? cell;
    const movable = isMovable(collage.frame(this.#index), cell.photo.meta.original, view);
    for (const [name, isFixed] of Object.entries({ zoom: false, x: !movable.x, y: !movable.y })) {
      const range = this.#part(`[name=${name}]`);
      range.value = view[name];
      range.disabled = isFixed;
      range.nextElementSibling.textContent = inWords(name, view[name]);
    }
  }

  #slide({ name, value }) {
    const { looking } = this.#tools;
    if (!["zoom", "x", "y"].includes(name) || !looking.begin(this.#index)) return;
    looking.set({ [name]: Number(value) });
    this.#show();
  }

  /** Closes the sheet when the photo leaves its cell meanwhile. */
  #follow() {
    if (!this.#sheet.matches(":popover-open")) return;
    if (this.#tools.collage.draft.cells[this.#index]?.photo) this.#show();
    else this.#sheet.hidePopover();
  }

  #press(target) {
    const { collage, drawing, note, picker } = this.#tools;
    const button = target.closest("button");
    const index = this.#index;
    if (!button?.matches("[data-edit], [data-replace], [data-remove], [data-swap-with]")) return;
    this.#sheet.hidePopover();
    if ("edit" in button.dataset) this.#edit(index);
    if ("replace" in button.dataset) picker.open(index);
    if ("remove" in button.dataset) {
      collage.clear(index);
      note.say(`Removed the photo from cell ${index + 1}.`);
    }
    if (!button.dataset.swapWith) return;
    const other = Number(button.dataset.swapWith);
    collage.swap(index, other);
    drawing.link(other).focus();
    note.say(`Swapped cells ${index + 1} and ${other + 1}.`);
  }

  /** Lets the person edit the photo of a cell. The edited photo is added to their library, and fills the cell. */
  async #edit(index) {
    const { collage, drawing, note } = this.#tools;
    const { photo } = collage.draft.cells[index];
    const edited = await editBeside(photo.id);
    drawing.link(index)?.focus();
    if (!edited) return;
    const cell = collage.draft.cells[index];
    if (idOf(cell) !== photo.id || !collage.rights.mayFill(index)) {
      return note.say("The photo is no longer in this cell. The edited one is in your library.");
    }
    collage.fill(index, edited, isAlike(photo.meta.original, edited.meta.original) ? cell : undefined);
    note.say(`Edited photo ${index + 1}.`);
  }
}
