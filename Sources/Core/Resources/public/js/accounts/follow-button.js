import { followWish, wish as sendWish } from "../outbox/wishes.js";
import { Enhancement } from "../web/enhancement.js";
import { clearFlash, flash } from "../web/flash-message.js";
import { Intent } from "../web/intent.js";
import { ask } from "../web/question.js";

const labels = { none: "Follow", following: "Following", requested: "Requested" };

/**
 * `<follow-button data-account data-name data-following>` around a form with one button.
 *
 * `data-following` is `none`, `following` or `requested`; `data-locked` says that the account
 * answers requests first. All buttons of the same account on the page change together.
 *
 * A tap unfollows at once, and can be undone for a while. The server first names what the two still do together, and
 * then the button asks.
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
    const waiting = {
      show: (state) => this.#intent.confirm(state),
      sent: (relation) => this.#intent.confirm(stateOf(relation)),
      refused: (error, state) => {
        this.#intent.confirm(state === "none" ? "following" : "none");
        flash(error.message, "error");
      },
    };
    followWish(this.#lane, waiting, signal);
  }

  get #lane() {
    return `follow-${this.dataset.account}`;
  }

  #tap(event) {
    event.preventDefault();
    clearFlash();
    if (this.#intent.wished === "none") this.#follow();
    else this.#intent.wish("none");
  }

  #follow() {
    this.#intent.wish("locked" in this.dataset ? "requested" : "following");
  }

  async #send(wish) {
    const before = this.#intent.confirmed;
    const relation = wish === "none" ? await this.#unfollow() : await this.#call("follow", wish);
    if (!relation) return before;
    const state = "waits" in relation ? wish : stateOf(relation);
    const { account, name } = this.dataset;
    const detail = { account, state, from: this };
    document.dispatchEvent(new CustomEvent("tintype:follow", { detail }));
    const isOver = !("waits" in relation) && before === "following" && state === "none" && this.#intent.wished === "none";
    const undo = { name: "Undo", perform: () => this.#follow() };
    if (isOver) flash(`You no longer follow ${name}.`, "good", undo);
    return state;
  }

  /** Unfollows. Asks first when the two have something unfinished together, and returns null when the person stays. */
  async #unfollow() {
    try {
      return await this.#call("unfollow", "none", { unless_waiting: true });
    } catch (error) {
      if (error.status !== 409) throw error;
      // The person has tapped again meanwhile, and follows again.
      if (this.#intent.wished !== "none") return null;
      const isSure = await ask(`Unfollow ${this.dataset.name}?`, "Unfollow", "Keep following", error.message);
      return isSure ? this.#call("unfollow", "none") : null;
    }
  }

  /** @returns {Promise<object>} the relation, or that the wish waits for a network */
  async #call(verb, state, body) {
    const path = `/api/v1/accounts/${this.dataset.account}/${verb}`;
    return (await sendWish(this.#lane, state, path, body)) ?? { waits: true };
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

/** @returns {keyof typeof labels} */
function stateOf({ following, requested }) {
  return following ? "following" : requested ? "requested" : "none";
}

customElements.define("follow-button", FollowButton);
