import { request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { Intent } from "../web/intent.js";

/** What the server answers, by the call that changes it. */
const states = { follow: "following", feature: "featuring" };

/**
 * `<tag-button data-tag data-call data-is-on data-off data-on>` around a form with one button, which follows a hashtag or
 * features it on the person's profile (`data-call`), and undoes that. Its words are those of `data-on` or `data-off`.
 */
class TagButton extends Enhancement {
  /** @type {Intent<boolean>} */
  #intent;

  enhance(signal) {
    this.#intent = new Intent(this.dataset.isOn === "true", {
      send: (wish) => this.#send(wish),
      show: (isOn, isAcknowledged) => this.#show(isOn, isAcknowledged),
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
    const { tag, call } = this.dataset;
    const path = `/api/v1/tags/${encodeURIComponent(tag)}/${wish ? "" : "un"}${call}`;
    const answer = await request("POST", path, undefined, { keepalive: true });
    return answer[states[call]];
  }

  #show(isOn, isAcknowledged) {
    const button = this.querySelector("button");
    button.ariaBusy = String(!isAcknowledged);
    if (button.ariaPressed !== null) button.ariaPressed = String(isOn);
    button.textContent = isOn ? this.dataset.on : this.dataset.off;
  }
}

customElements.define("tag-button", TagButton);
