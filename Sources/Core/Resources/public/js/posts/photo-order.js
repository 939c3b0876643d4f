import { editsPhotos } from "../editing/availability.js";
import { element, icon } from "../web/element.js";
import { Gesture } from "../web/gesture.js";

/** @typedef {{id: string, src: string, description: string}} ChosenPhoto */

/**
 * The list of the chosen photos in the order of the post. Each is a button that edits it, and has a field for its
 * description, and a grip to drag or to move with the arrow keys.
 */
export class PhotoOrder {
  #list;
  #template;
  #signal;
  #changed;
  #edit;

  /**
   * @param {HTMLElement} list holds an `<li data-id>` for each photo
   * @param {import("../web/template.js").Template} template of an item
   * @param {AbortSignal} signal ends the listening
   * @param {object} does
   * @param {() => void} does.changed called after each change of the order
   * @param {(photo: ChosenPhoto) => void} does.edit lets the person edit a photo
   */
  constructor(list, template, signal, { changed, edit }) {
    this.#list = list;
    this.#template = template;
    this.#signal = signal;
    this.#changed = changed;
    this.#edit = edit;
    for (const item of list.children) this.#enhance(item);
    this.#label();
    list.addEventListener("keydown", (event) => this.#press(event), { signal });
  }

  /** @returns {ChosenPhoto[]} */
  get photos() {
    return [...this.#list.querySelectorAll(":scope > li")].map(photoOf);
  }

  /** @param {ChosenPhoto} photo */
  add({ id, src, description }) {
    const number = this.#list.children.length + 1;
    this.#list.append(this.#template.fill({ id, src, description, number }));
    this.#enhance(this.#list.lastElementChild);
    this.#number();
  }

  /**
   * Puts a photo in the place of another one, which leaves it its description.
   *
   * @param {string} id
   * @param {Pick<ChosenPhoto, "id" | "src">} photo
   */
  replace(id, photo) {
    const item = this.#item(id);
    if (!item) return;
    item.dataset.id = photo.id;
    item.querySelector("img").src = photo.src;
    item.querySelector("textarea").name = `description-${photo.id}`;
    this.#changed();
  }

  /** @param {string} id */
  remove(id) {
    this.#item(id)?.remove();
    this.#number();
  }

  /** @returns {HTMLElement | null} */
  #item(id) {
    return this.#list.querySelector(`[data-id="${CSS.escape(id)}"]`);
  }

  #press(event) {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key];
    const grip = event.target.closest(".grip");
    if (!step || !grip) return;
    event.preventDefault();
    const item = grip.closest("li");
    if (step < 0) item.previousElementSibling?.before(item);
    else item.nextElementSibling?.after(item);
    grip.focus();
    this.#number();
  }

  #enhance(item) {
    this.#makeMovable(item);
    if (editsPhotos) this.#makeEditable(item);
  }

  /** Puts the picture into a button. */
  #makeEditable(item) {
    const picture = item.querySelector("img");
    const button = element("button", { class: "edit", type: "button" });
    button.addEventListener("click", () => this.#edit(photoOf(item)), { signal: this.#signal });
    picture.replaceWith(button);
    button.append(picture, icon("sliders"));
  }

  #makeMovable(item) {
    let place = 0;
    const move = ({ dy, x, y }) => {
      item.toggleAttribute("data-dragging", true);
      place += dy;
      const before = item.offsetTop;
      this.#makeRoom(item, x, y);
      // The list may have moved the item, which has to stay under the finger.
      place += before - item.offsetTop;
      item.style.transform = `translateY(${place}px)`;
    };
    const end = () => {
      item.removeAttribute("data-dragging");
      place = 0;
      item.style.transform = "";
      this.#number();
    };
    new Gesture(item.querySelector(".grip"), { move, end }, this.#signal);
  }

  /** Moves `item` to where the finger is. */
  #makeRoom(item, x, y) {
    const over = document
      .elementsFromPoint(x, y)
      .map((one) => one.closest("li"))
      .find((one) => one !== item && one?.parentNode === this.#list);
    if (!over) return;
    const isAfter = item.compareDocumentPosition(over) & Node.DOCUMENT_POSITION_FOLLOWING;
    const middle = over.getBoundingClientRect().top + over.offsetHeight / 2;
    if (isAfter && y > middle) over.after(item);
    if (!isAfter && y < middle) over.before(item);
  }

  #number() {
    this.#label();
    this.#changed();
  }

  #label() {
    for (const [index, item] of [...this.#list.children].entries()) {
      const label = `photo ${index + 1}`;
      item.querySelector("textarea").ariaLabel = `Description of ${label}`;
      item.querySelector(".grip").ariaLabel = `Move ${label}. Drag, or press the arrow keys.`;
      item.querySelector(".edit")?.setAttribute("aria-label", `Edit ${label}`);
    }
  }
}

/** @param {HTMLElement} item @returns {ChosenPhoto} */
function photoOf(item) {
  return {
    id: item.dataset.id,
    src: item.querySelector("img").getAttribute("src"),
    description: item.querySelector("textarea").value.trim(),
  };
}
