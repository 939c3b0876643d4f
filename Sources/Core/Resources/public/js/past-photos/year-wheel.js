import { Enhancement } from "../web/enhancement.js";
import { WheelSheet } from "./wheel-sheet.js";

/**
 * `<year-wheel>` around a label, a `<select>` of years and a button: the button shows the year and opens a sheet
 * with a wheel. The select keeps the value, and fires `change` for every choice.
 */
class YearWheel extends Enhancement {
  #select;
  #button;
  /** @type {WheelSheet | undefined} */
  #sheet;

  enhance(signal) {
    this.#select = this.querySelector("select");
    this.#button = this.querySelector("button");
    this.#button.addEventListener("click", () => this.#open(), { signal });
    this.#select.addEventListener("change", () => this.#show(), { signal });
    signal.addEventListener("abort", () => {
      this.#sheet?.remove();
      this.#sheet = undefined;
    });
    this.#show();
  }

  get #title() {
    return this.querySelector("label").textContent;
  }

  #open() {
    this.#sheet ??= new WheelSheet(this.#title, [...this.#select.options].map(({ text }) => text));
    this.#sheet.open(this.#select.selectedIndex, (index) => this.#choose(index));
  }

  #choose(index) {
    if (index === this.#select.selectedIndex) return;
    this.#select.selectedIndex = index;
    this.#select.dispatchEvent(new Event("change", { bubbles: true }));
  }

  #show() {
    const year = this.#select.options[this.#select.selectedIndex].text;
    this.#button.textContent = year;
    this.#button.setAttribute("aria-label", `${this.#title}: ${year}`);
  }
}

customElements.define("year-wheel", YearWheel);
