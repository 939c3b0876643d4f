import { fragment, request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { icon } from "../web/icon.js";
import { settled } from "../web/motion.js";
import { commentsLink } from "../web/words.js";
import { DoubleTap } from "../web/double-tap.js";
import { StatusToggles } from "./status-toggles.js";

/**
 * `<post-card data-id>` around the article of a post: Like and Save at once, a double tap on a
 * `[data-photo]` likes, and counts, caption and removal arrive live.
 */
class PostCard extends Enhancement {
  #toggles;

  enhance(signal) {
    const { id } = this.dataset;
    const mine = (handle) => (event) => event.detail.id === id && handle(event.detail);
    this.#toggles = new StatusToggles(this, id, signal);
    new DoubleTap(this, "[data-photo]", (photo) => this.#love(photo), signal);
    addEventListener("tintype:status.counts", mine((counts) => this.#count(counts)), { signal });
    addEventListener("tintype:status.update", mine(() => this.#renewCaption()), { signal });
    addEventListener("tintype:delete", (event) => event.detail === id && this.remove(), { signal });
    addEventListener("tintype:reset", () => this.#renewWhenSeen(signal), { signal });
  }

  #count(counts) {
    this.#toggles.likesCount = counts.favourites_count;
    const link = this.querySelector("[data-comments]");
    if (!link) return;
    link.hidden = counts.replies_count === 0;
    link.dataset.comments = counts.replies_count;
    link.textContent = commentsLink(counts.replies_count);
  }

  /** Events were missed: asks for this post again, once somebody looks at it. */
  #renewWhenSeen(signal) {
    const sight = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      sight.disconnect();
      this.#renew();
    });
    sight.observe(this);
    signal.addEventListener("abort", () => sight.disconnect());
  }

  async #renew() {
    try {
      const status = await request("GET", `/api/v1/statuses/${this.dataset.id}`);
      this.#toggles.confirm(status);
      this.#count(status);
    } catch (error) {
      if (error.status === 404) this.remove();
      else flash(error.message, "error");
    }
  }

  async #renewCaption() {
    try {
      const page = await fragment(`/posts/${this.dataset.id}`, "post");
      const caption = page.querySelector("[data-caption]");
      if (caption) this.querySelector("[data-caption]")?.replaceWith(caption);
    } catch (error) {
      if (error.status !== 404) flash(error.message, "error");
    }
  }

  async #love(photo) {
    this.#toggles.like();
    const heart = icon("heart-fill");
    heart.classList.add("heart-pop");
    photo.closest("photo-carousel").append(heart);
    await settled(heart);
    heart.remove();
  }
}

customElements.define("post-card", PostCard);
