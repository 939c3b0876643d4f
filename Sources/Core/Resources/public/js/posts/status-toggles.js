import { followWish, wish as sendWish } from "../outbox/wishes.js";
import { flash } from "../web/flash-message.js";
import { Intent } from "../web/intent.js";
import { play } from "../web/motion.js";
import { likes } from "../web/words.js";

const calls = {
  like: { on: "favourite", off: "unfavourite", field: "favourited" },
  save: { on: "bookmark", off: "unbookmark", field: "bookmarked" },
};

/**
 * The forms `[data-toggle=like]` and `[data-toggle=save]` of one post or comment, and the like
 * count `[data-likes]` that follows them.
 */
export class StatusToggles {
  #root;
  #id;
  #wording;
  /** @type {Map<string, Intent<boolean>>} */
  #intents = new Map();
  /** Likes of others: the part of the count that this person's taps don't change. */
  #otherLikes = 0;

  /**
   * @param {Element} root
   * @param {string} id of the status
   * @param {AbortSignal} signal ends the listening
   * @param {(total: number) => string} wording of the like count
   */
  constructor(root, id, signal, wording = likes) {
    this.#root = root;
    this.#id = id;
    this.#wording = wording;
    for (const form of root.querySelectorAll("form[data-toggle]")) this.#follow(form, signal);
    this.#countLikes(root);
    addEventListener("pagehide", () => this.#intents.forEach((one) => one.flush()), { signal });
  }

  /** Likes it; a second call changes nothing. */
  like() {
    if (!this.#intents.get("like").wished) this.#intents.get("like").wish(true);
  }

  /** Likes of everybody, as the server counts them. (An answer under way brings its own.) */
  set likesCount(total) {
    const like = this.#intents.get("like");
    if (like?.isSending) return;
    this.#otherLikes = total - (like?.confirmed ? 1 : 0);
    this.#showLikes();
  }

  /**
   * Shows the server's current state.
   *
   * @param {Element} fresh the same markup, as the server renders it now
   */
  renew(fresh) {
    for (const [kind, intent] of this.#intents) intent.confirm(isOn(fresh.querySelector(`[data-toggle=${kind}] button`)));
    this.#countLikes(fresh);
  }

  #countLikes(root) {
    const label = root.querySelector("[data-likes]");
    if (label) this.likesCount = Number(label.dataset.likes);
  }

  #follow(form, signal) {
    const kind = form.dataset.toggle;
    const button = form.querySelector("button");
    const { on, off, field } = calls[kind];
    const lane = `${kind}-${this.#id}`;
    const learn = (status) => {
      if (kind === "like") this.#otherLikes = status.favourites_count - (status[field] ? 1 : 0);
      return status[field];
    };
    const intent = new Intent(isOn(button), {
      send: async (wish) => {
        const status = await sendWish(lane, wish, `/api/v1/statuses/${this.#id}/${wish ? on : off}`);
        return status ? learn(status) : wish;
      },
      show: (state, isAcknowledged) => {
        button.setAttribute("aria-pressed", state);
        button.setAttribute("aria-busy", !isAcknowledged);
        if (kind === "like") this.#showLikes();
      },
      refused: (error) => flash(error.message, "error"),
    });
    this.#intents.set(kind, intent);
    const waiting = {
      show: (state) => intent.confirm(state),
      sent: (status) => intent.confirm(learn(status)),
      refused: (error, state) => (intent.confirm(!state), flash(error.message, "error")),
    };
    followWish(lane, waiting, signal);
    form.addEventListener(
      "submit",
      (event) => {
        event.preventDefault();
        intent.wish(!intent.wished);
        play(button, "pop");
      },
      { signal },
    );
  }

  #showLikes() {
    const label = this.#root.querySelector("[data-likes]");
    if (!label) return;
    const total = this.#otherLikes + (this.#intents.get("like")?.wished ? 1 : 0);
    label.dataset.likes = total;
    label.hidden = this.#wording(total) === "";
    label.textContent = this.#wording(total);
  }
}

function isOn(button) {
  return button.getAttribute("aria-pressed") === "true";
}
