import { editsPhotos } from "./availability.js";
import { editBeside } from "./library-photo.js";
import { element, icon } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { openCold } from "../web/trail.js";
import { photoPage } from "../photos/paths.js";

/**
 * `<edit-button data-photo>`: a button that edits a photo of the library. The edited photo is added beside it, and
 * shown.
 */
class EditButton extends Enhancement {
  enhance(signal) {
    if (!editsPhotos) return;
    const button = element("button", { class: "symbol", type: "button", "aria-label": "Edit" }, icon("sliders"));
    button.addEventListener("click", () => this.#edit(), { signal });
    this.replaceChildren(button);
  }

  async #edit() {
    const edited = await editBeside(this.dataset.photo);
    // Back leads to the library as it is now, rather than to one kept without the edited photo.
    if (edited) openCold(photoPage(edited.id));
  }
}

customElements.define("edit-button", EditButton);
