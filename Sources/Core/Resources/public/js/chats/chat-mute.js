import { freshFragment, request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/**
 * `<chat-mute data-chat>` around the button that mutes a chat and its sheet: stays on the page when the sheet is
 * answered, and shows what was chosen on another page.
 */
class ChatMute extends Enhancement {
  #signal;

  enhance(signal) {
    this.#signal = signal;
    this.addEventListener("submit", (event) => this.#submit(event), { signal });
    const changed = ({ detail }) => detail.chat_id === this.dataset.chat && this.#refresh();
    addEventListener("tintype:chat.mute", changed, { signal });
    addEventListener("tintype:reset", () => this.#refresh(), { signal });
    // The event doesn't bubble.
    this.addEventListener("toggle", (event) => this.#moveFocus(event), { signal, capture: true });
  }

  /** Moves the focus into the sheet that has opened, and back to the button once it has closed. */
  #moveFocus({ newState, target: sheet }) {
    if (newState === "open") sheet.querySelector("button").focus();
    // A tap beside the sheet may have moved the focus elsewhere.
    else if (document.activeElement === document.body || sheet.contains(document.activeElement)) {
      this.querySelector("[popovertarget]").focus();
    }
  }

  async #submit(event) {
    event.preventDefault();
    const { name, value, dataset } = event.submitter;
    const isMute = name === "duration";
    try {
      const path = `/api/v1/chats/${this.dataset.chat}/mute`;
      await request(isMute ? "POST" : "DELETE", path, isMute ? { duration: Number(value) } : undefined);
    } catch (error) {
      flash(error.message, "error");
      return;
    }
    this.querySelector("[popover]").hidePopover();
    flash(dataset.done);
    await this.#refresh();
  }

  /** Draws the button and the sheet as the chat is now. An open sheet is left until it is answered. */
  async #refresh() {
    try {
      const content = await freshFragment(`/messages/${this.dataset.chat}/mute`, "list", this.#signal);
      if (this.querySelector(":popover-open")) return;
      const hadFocus = this.contains(document.activeElement);
      this.replaceChildren(content);
      if (hadFocus) this.querySelector("button").focus();
    } catch (error) {
      if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }
}

customElements.define("chat-mute", ChatMute);
