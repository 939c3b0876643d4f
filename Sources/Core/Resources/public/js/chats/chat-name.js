import { freshFragment } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/**
 * `<chat-name data-chat>` around the name and the picture of a group in its bar: keeps them as the group is, and also the
 * note `[data-blocked-note]` about those in it whom the person blocks.
 */
class ChatName extends Enhancement {
  enhance(signal) {
    const changed = ({ detail }) => detail.chat_id === this.dataset.chat && this.#refresh(signal);
    addEventListener("tintype:chat", changed, { signal });
    addEventListener("tintype:reset", () => this.#refresh(signal), { signal });
  }

  async #refresh(signal) {
    try {
      const content = await freshFragment(`/messages/${this.dataset.chat}/name`, "list", signal);
      this.replaceChildren(...content.querySelector("chat-name").children);
      const note = document.querySelector("[data-blocked-note]");
      note?.replaceChildren(...content.querySelector("[data-blocked-note]").children);
    } catch (error) {
      // A group that the person has left is closed by its thread.
      if (![0, 404].includes(error.status) && error.name !== "AbortError") flash(error.message, "error");
    }
  }
}

customElements.define("chat-name", ChatName);
