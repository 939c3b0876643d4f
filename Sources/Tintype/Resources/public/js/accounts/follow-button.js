import { request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { Intent } from "../web/intent.js";

const labels = { none: "Follow", following: "Following", requested: "Requested" };

/**
 * `<follow-button data-account data-following>` around a form with one button.
 *
 * `data-following` is `none`, `following` or `requested`; `data-locked` says that the account
 * answers requests first. Every other button of the same account on the page follows along.
 */
class FollowButton extends Enhancement {
  /** @type {Intent<keyof typeof labels>} */
  #intent;

  enhance(signal) {
    const state = /** @type {keyof typeof labels} */ (this.dataset.following);
    this.#intent = new Intent(state, {
      send: (wish) => this.#send(wish),
      show: (state, isAcknowledged) => this.#show(state, isAcknowledged),
      refused: (error) => flash(error.message, "error"),
    });
    this.addEventListener("submit", (event) => this.#tap(event), { signal });
    document.addEventListener("tintype:follow", (event) => this.#hear(event), { signal });
    addEventListener("pagehide", () => this.#intent.flush(), { signal });
  }

  #tap(event) {
    event.preventDefault();
    const follow = "locked" in this.dataset ? "requested" : "following";
    this.#intent.wish(this.#intent.wished === "none" ? follow : "none");
  }

  async #send(wish) {
    const { account } = this.dataset;
    const call = wish === "none" ? "unfollow" : "follow";
    const path = `/api/v1/accounts/${account}/${call}`;
    const relation = await request("POST", path, undefined, { keepalive: true });
    const state = relation.following ? "following" : relation.requested ? "requested" : "none";
    const detail = { account, state, from: this };
    document.dispatchEvent(new CustomEvent("tintype:follow", { detail }));
    return state;
  }

  #hear({ detail }) {
    if (detail.account !== this.dataset.account || detail.from === this) return;
    this.#intent.confirm(detail.state);
  }

  #show(state, isAcknowledged) {
    const button = this.querySelector("button");
    button.setAttribute("aria-busy", !isAcknowledged);
    this.dataset.following = state;
    button.setAttribute("aria-pressed", state !== "none");
    (button.querySelector("[data-label]") ?? button).textContent = labels[state];
  }
}

customElements.define("follow-button", FollowButton);
