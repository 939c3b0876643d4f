import { submit } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { replaceScreen } from "../web/trail.js";
import { showChosenBanner } from "./banner-choice.js";

/** The parts of the form that stay, with the pictures chosen in them. */
const pickers = "portrait-picker, .banner-choice";

/**
 * `<portrait-form data-then>` around a form with a `<portrait-picker>`, and perhaps a `.banner-choice`: sends the form
 * without leaving the page, so that the pictures, the portrait's square and the password are still there when the server
 * refuses it. Once accepted, the form leads to `data-then`.
 */
class PortraitForm extends Enhancement {
  enhance(signal) {
    const send = (event) => {
      event.preventDefault();
      this.#send(event.target, event.submitter);
    };
    this.addEventListener("submit", send, { signal });
    const banner = this.querySelector(".banner-choice");
    if (banner) showChosenBanner(banner, signal);
  }

  async #send(form, button) {
    if (button.disabled) return;
    button.disabled = true;
    try {
      const answer = await submit(form);
      if (!answer) return replaceScreen(this.dataset.then);
      const fresh = answer.querySelector("portrait-form form");
      if (!fresh) {
        // The server answered with an error page instead of the form: this page shows its sentence and keeps the form.
        const sentence = answer.querySelector("main.message p")?.textContent;
        throw new Error(sentence ?? "Something went wrong on the server. Try again in a moment.");
      }
      this.#take(fresh, form);
    } catch (error) {
      flash(error.message, "error");
    }
    button.disabled = false;
  }

  /** Shows the form that the server returned, and keeps the pickers as they are. */
  #take(fresh, form) {
    for (const field of fresh.querySelectorAll("[type=password]")) {
      field.value = form.elements[field.name].value;
    }
    for (const part of [...form.children]) if (!part.matches(pickers)) part.remove();
    const kept = [...form.children];
    for (const part of [...fresh.children]) {
      if (part.matches(pickers)) kept.shift();
      else if (kept.length > 0) kept[0].before(part);
      else form.append(part);
    }
    const wrong = form.querySelector("[aria-invalid=true]") ?? form.querySelector("[role=alert]");
    wrong?.scrollIntoView({ block: "center" });
    wrong?.focus();
  }
}

customElements.define("portrait-form", PortraitForm);
