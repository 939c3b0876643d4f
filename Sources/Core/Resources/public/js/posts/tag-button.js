import { request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { Intent } from "../web/intent.js";

/** `<tag-button data-tag data-following>` around a form with one button, which follows a hashtag and unfollows it. */
class TagButton extends Enhancement {
  /** @type {Intent<boolean>} */
  #intent;

  enhance(signal) {
    this.#intent = new Intent(this.dataset.following === "true", {
      send: (wish) => this.#send(wish),
      show: (isFollowed, isAcknowledged) => this.#show(isFollowed, isAcknowledged),
      refused: (error) => flash(error.message, "error"),
    });
    const tap = (event) => {
      event.preventDefault();
      this.#intent.wish(!this.#intent.wished);
    };
    this.addEventListener("submit", tap, { signal });
    addEventListener("pagehide", () => this.#intent.flush(), { signal });
  }

  async #send(wish) {
    const path = `/api/v1/tags/${encodeURIComponent(this.dataset.tag)}/${wish ? "follow" : "unfollow"}`;
    const tag = await request("POST", path, undefined, { keepalive: true });
    return tag.following;
  }

  #show(isFollowed, isAcknowledged) {
    const button = this.querySelector("button");
    button.ariaBusy = String(!isAcknowledged);
    button.ariaPressed = String(isFollowed);
    button.textContent = isFollowed ? "Following" : "Follow";
  }
}

customElements.define("tag-button", TagButton);
