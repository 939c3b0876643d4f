import { Gesture } from "../web/gesture.js";

/** @typedef {{id: string, src: string, description: string}} ChosenPhoto */

/**
 * The list of the chosen photos in the order of the post. Each has a field for its description, and a grip to drag or
 * to move with the arrow keys.
 */
export class PhotoOrder {
  #list;
  #template;
  #signal;
  #changed;

  /**
   * @param {HTMLElement} list holds an `<li data-id>` for each photo
   * @param {import("../web/template.js").Template} template of an item
   * @param {AbortSignal} signal ends the listening
   * @param {() => void} changed called after each change of the order
   */
  constructor(list, template, signal, changed) {
    this.#list = list;
    this.#template = template;
    this.#signal = signal;
    this.#changed = changed;
    for (const item of list.children) this.#makeMovable(item);
    list.addEventListener("keydown", (event) => this.#press(event), { signal });
  }

  /** @returns {ChosenPhoto[]} */
  get photos() {
    return [...this.#list.querySelectorAll(":scope > li")].map((item) => ({
      id: item.dataset.id,
      src: item.querySelector("img").getAttribute("src"),
      description: item.querySelector("textarea").value.trim(),
    }));
  }

  /** @param {ChosenPhoto} photo */
  add({ id, src, description }) {
    const number = this.#list.children.length + 1;
    this.#list.append(this.#template.fill({ id, src, description, number }));
    this.#makeMovable(this.#list.lastElementChild);
    this.#number();
  }

  /** @param {string} id */
  remove(id) {
    this.#list.querySelector(`[data-id="${CSS.escape(id)}"]`)?.remove();
    this.#number();
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
    for (const [index, item] of [...this.#list.children].entries()) {
      const label = `photo ${index + 1}`;
      item.querySelector("textarea").ariaLabel = `Description of ${label}`;
      item.querySelector(".grip").ariaLabel = `Move ${label}. Drag, or press the arrow keys.`;
    }
    this.#changed();
  }
}
