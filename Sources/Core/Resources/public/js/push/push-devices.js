import { freshFragment, request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/**
 * `<push-devices>` around the devices that get announcements: sends a test without leaving the page, and shows this
 * device as soon as its switch was turned.
 */
class PushDevices extends Enhancement {
  #signal;

  enhance(signal) {
    this.#signal = signal;
    addEventListener("push-changed", () => this.#refresh(), { signal });
    this.addEventListener("submit", (event) => this.#submit(event), { signal });
  }

  async #submit(event) {
    if (!("test" in event.target.dataset)) return;
    event.preventDefault();
    try {
      await request("POST", "/api/v1/push/test");
      flash("Sent. Your device shows it in a moment.");
    } catch (error) {
      flash(error.message, "error");
    }
  }

  async #refresh() {
    try {
      this.replaceChildren(await freshFragment("/settings/notifications/devices", "list", this.#signal));
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    }
  }
}

customElements.define("push-devices", PushDevices);
