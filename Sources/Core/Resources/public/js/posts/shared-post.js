import { freshFragment } from "../web/api.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/**
 * `<shared-post data-id>`: a post as a card in a chat. It fetches its content if the server hasn't drawn it, and again
 * when the post changes or is deleted.
 */
class SharedPost extends Enhancement {
  #signal;

  enhance(signal) {
    const { id } = this.dataset;
    this.#signal = signal;
    const mine = (which) => (event) => which(event.detail) === id && this.#load();
    addEventListener("tintype:status.update", mine((status) => status.id), { signal });
    addEventListener("tintype:delete", mine((deleted) => deleted), { signal });
    addEventListener("tintype:reset", () => this.#load(), { signal });
    if (!this.firstElementChild) this.#load();
  }

  async #load() {
    try {
      this.replaceChildren(await freshFragment(`/posts/${this.dataset.id}/card`, "post", this.#signal));
    } catch (error) {
      if (error.status === 404) this.replaceChildren(element("p", {}, "This post is no longer available."));
      // Without a network the card stays as it is, and is fetched again when the stream is back.
      else if (error.name !== "AbortError" && error.status !== 0) flash(error.message, "error");
    }
  }
}

customElements.define("shared-post", SharedPost);
