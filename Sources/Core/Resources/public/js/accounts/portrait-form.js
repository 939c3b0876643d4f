import { submit } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { replaceScreen } from "../web/trail.js";

/**
 * `<portrait-form data-then>` around a form with a `<portrait-picker>`: sends the form without leaving the page, so
 * that the picture, its square and the password are still there when the server refuses it. Once accepted, the form
 * leads to `data-then`.
 */
class PortraitForm extends Enhancement {
  enhance(signal) {
    const send = (event) => {
      event.preventDefault();
      this.#send(event.target, event.submitter);
    };
    this.addEventListener("submit", send, { signal });
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

  /** Shows the form that the server returned, and keeps the picker as it is. */
  #take(fresh, form) {
    for (const field of fresh.querySelectorAll("[type=password]")) {
      field.value = form.elements[field.name].value;
    }
    const picker = form.querySelector("portrait-picker");
    for (const part of [...form.children]) if (part !== picker) part.remove();
    const parts = [...fresh.children];
    const place = parts.findIndex((part) => part.matches("portrait-picker"));
    picker.before(...parts.slice(0, place));
    picker.after(...parts.slice(place + 1));
    const wrong = form.querySelector("[aria-invalid=true]") ?? form.querySelector("[role=alert]");
    wrong?.scrollIntoView({ block: "center" });
    wrong?.focus();
  }
}

customElements.define("portrait-form", PortraitForm);
