import { fragment } from "../web/api.js";
import { icon } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
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
    addEventListener("tintype:status.update", mine(() => this.#renew()), { signal });
    addEventListener("tintype:delete", (event) => event.detail === id && this.remove(), { signal });
    addEventListener("tintype:reset", () => this.#renewWhenSeen(signal), { signal });
  }

  #count(counts) {
    this.#toggles.likesCount = counts.favourites_count;
    this.#countComments(counts.replies_count);
  }

  #countComments(total) {
    const link = this.querySelector("[data-comments]");
    if (!link) return;
    link.hidden = total === 0;
    link.dataset.comments = total;
    link.textContent = commentsLink(total);
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

  /** Takes over the post as the server shows it by now; a caption may have come or gone. */
  async #renew() {
    try {
      const page = await fragment(`/posts/${this.dataset.id}`, "post");
      const card = page.querySelector("post-card");
      this.#toggles.renew(card);
      this.#countComments(Number(card.querySelector("[data-comments]").dataset.comments));
      const caption = card.querySelector("[data-caption]");
      this.querySelector("[data-caption]")?.remove();
      if (caption) this.querySelector("[data-likes]").after(caption);
    } catch (error) {
      if (error.status === 404) this.remove();
      else flash(error.message, "error");
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
