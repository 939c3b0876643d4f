import { freshFragment } from "../web/api.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/**
 * `<collage-card data-id>`: a collage as a card in a chat, whose cells fill while the chat is open. It fetches its
 * content if the server hasn't drawn it, and again when the collage changes or is deleted.
 */
class CollageCard extends Enhancement {
  #signal;
  /** @type {string | null} `load`, or `again` when a change while it loads makes it load again */
  #loading = null;

  enhance(signal) {
    this.#signal = signal;
    const change = ({ detail }) => detail.id === this.dataset.id && this.#load();
    addEventListener("tintype:collage", change, { signal });
    addEventListener("tintype:reset", () => this.#load(), { signal });
    if (!this.firstElementChild) this.#load();
  }

  async #load() {
    const isLoading = this.#loading !== null;
    this.#loading = isLoading ? "again" : "load";
    if (isLoading) return;
    do {
      this.#loading = "load";
      await this.#fetch();
    } while (this.#loading === "again");
    this.#loading = null;
  }

  async #fetch() {
    try {
      const path = `/collage/${this.dataset.id}/card`;
      this.replaceChildren(await freshFragment(path, "photo", this.#signal));
    } catch (error) {
      const gone = "This collage is no longer available.";
      if (error.status === 404) this.replaceChildren(element("p", {}, gone));
      // Without a network the card stays as it is, and is fetched again when the stream is back.
      else if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }
}

customElements.define("collage-card", CollageCard);
