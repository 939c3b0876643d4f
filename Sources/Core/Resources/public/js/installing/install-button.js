import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { install, isOffered } from "./offer.js";

/** `<install-button hidden>` around a button: is shown where the browser can install the app, and lets it. */
class InstallButton extends Enhancement {
  enhance(signal) {
    const show = () => (this.hidden = !isOffered());
    addEventListener("tintype:installable", show, { signal });
    this.addEventListener("click", () => this.#install(), { signal });
    show();
  }

  async #install() {
    this.hidden = true;
    if (await install()) flash("Tintype is being installed.", "good");
  }
}

customElements.define("install-button", InstallButton);
