import { freshFragment } from "../web/api.js";
import { icon } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { settled } from "../web/motion.js";
import { commentsLink } from "../web/words.js";
import { DoubleTap } from "../web/double-tap.js";
import { StatusToggles } from "./status-toggles.js";

/** Milliseconds after which a tap is no longer the first of two. */
const patience = 320;

/**
 * `<post-card data-id>` around the article of a post: Like and Save take effect at once, a double tap on a
 * `[data-photo]` likes the post, two fingers enlarge the photo in place, and counts, caption and removal are live. A
 * tap follows the photo's link, if it has one, once it can't become a double tap.
 */
class PostCard extends Enhancement {
  #toggles;
  #tapTimer;
  #lovedAt = -Infinity;

  enhance(signal) {
    const { id } = this.dataset;
    const mine = (handle) => (event) => event.detail.id === id && handle(event.detail);
    this.#toggles = new StatusToggles(this, id, signal);
    new DoubleTap(this, "[data-photo]", (photo, event) => this.#love(photo, event), signal);
    this.#preparePinch(signal);
    this.addEventListener("click", (event) => this.#tap(event), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#tapTimer));
    addEventListener("tintype:status.counts", mine((counts) => this.#count(counts)), { signal });
    addEventListener("tintype:status.update", mine(() => this.#renew()), { signal });
    addEventListener("tintype:delete", (event) => event.detail === id && this.remove(), { signal });
    addEventListener("tintype:reset", () => this.#renewWhenSeen(signal), { signal });
  }

  /**
   * Loads the pinch script at the first touch, since only fingers need it. Until it is loaded, the moves of two fingers
   * are already prevented: after a few moves that aren't, the browser no longer lets any be prevented.
   */
  #preparePinch(signal) {
    const loaded = new AbortController();
    const waiting = AbortSignal.any([signal, loaded.signal]);
    const load = async () => {
      const { Pinch } = await import("../photos/pinch.js");
      if (waiting.aborted) return;
      loaded.abort();
      new Pinch(this, "[data-photo]", signal);
    };
    const keep = (event) => {
      const isPinch = event.touches.length === 2 && event.target.closest("[data-photo]");
      if (isPinch && event.cancelable) event.preventDefault();
    };
    this.addEventListener("touchstart", load, { passive: true, signal: waiting });
    this.addEventListener("touchmove", keep, { passive: false, signal: waiting });
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

  /** Fetches the post again after missed events, once it is visible. */
  #renewWhenSeen(signal) {
    const sight = new IntersectionObserver(([entry]) => {
      if (!entry.isIntersecting) return;
      sight.disconnect();
      this.#renew();
    });
    sight.observe(this);
    signal.addEventListener("abort", () => sight.disconnect());
  }

  /** Shows the post as the server now draws it, with or without a cover and a caption. */
  async #renew() {
    try {
      const page = await freshFragment(`/posts/${this.dataset.id}`, "post");
      // A person who has muted the author still sees the post on its own page, but not in lists.
      if (page.querySelector("[data-muted]") && this.closest("endless-list")) return this.remove();
      const card = page.querySelector("post-card");
      this.#toggles.renew(card);
      this.#countComments(Number(card.querySelector("[data-comments]").dataset.comments));
      this.#renewPictures(card);
      const caption = card.querySelector("[data-caption]");
      this.querySelector("[data-caption]")?.remove();
      if (caption) this.querySelector("[data-likes]").after(caption);
    } catch (error) {
      if (error.status === 404) this.remove();
      else flash(error.message, "error");
    }
  }

  /** Puts the pictures of the card in the place of these if they are others, or covered otherwise. */
  #renewPictures(card) {
    const [shown, next] = [this, card].map((part) => part.querySelector("header + *"));
    if (shape(shown) !== shape(next)) shown.replaceWith(next);
  }

  #tap(event) {
    const link = event.target.closest("[data-photo] > a");
    // A click by the keyboard has no `detail` and follows the link at once.
    if (!link || event.detail === 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    clearTimeout(this.#tapTimer);
    if (event.timeStamp - this.#lovedAt < patience) return;
    this.#tapTimer = setTimeout(() => location.assign(link.href), patience);
  }

  async #love(photo, { timeStamp }) {
    this.#lovedAt = timeStamp;
    clearTimeout(this.#tapTimer);
    this.#toggles.like();
    const heart = icon("heart-fill");
    heart.classList.add("heart-pop");
    photo.closest("photo-carousel").append(heart);
    await settled(heart);
    heart.remove();
  }
}

/** @returns {string} what covers some pictures, and which they are */
const shape = (pictures) => [pictures.dataset.warning, ...[...pictures.querySelectorAll("img")].map((image) => image.src)].join();

customElements.define("post-card", PostCard);
