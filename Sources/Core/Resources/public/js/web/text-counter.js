import { Enhancement } from "./enhancement.js";
import { number } from "./words.js";

/**
 * `<text-counter>` around a text field and an `<output data-limit>`: says how many characters
 * are left, counted as the server counts, and keeps a form with too many from being sent.
 */
class TextCounter extends Enhancement {
  enhance(signal) {
    this.addEventListener("input", () => this.count(), { signal });
    this.count();
  }

  /** Counts again after a script has changed the text. */
  count() {
    const field = this.querySelector("textarea, input");
    const output = this.querySelector("output");
    const left = Number(output.dataset.limit) - [...field.value].length;
    output.value = left < 0 ? `${number(-left)} too many` : `${number(left)} left`;
    output.toggleAttribute("data-over", left < 0);
    field.setCustomValidity(left < 0 ? `This is ${number(-left)} characters too long.` : "");
  }
}

customElements.define("text-counter", TextCounter);
