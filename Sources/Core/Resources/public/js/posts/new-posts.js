import { request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { scrollBehavior } from "../web/motion.js";
import { count } from "../web/words.js";

/**
 * `<new-posts data-timeline data-since hidden>` around the button for new posts: counts the posts that came after the
 * newest one on the page, `data-since`. A tap adds them at the top of the list. Nothing moves before. The timeline is
 * `home`, or `public` for posts for everyone.
 */
class NewPosts extends Enhancement {
  /** @type {Set<string>} */
  #ids = new Set();

  enhance(signal) {
    const isPublic = this.dataset.timeline === "public";
    const hear = ({ detail }) => (!isPublic || detail.visibility === "public") && this.#hear(detail);
    addEventListener("tintype:update", hear, { signal });
    if (isPublic) addEventListener("tintype:status.public", ({ detail }) => this.#hear(detail), { signal });
    addEventListener("tintype:delete", ({ detail }) => this.#forget(detail), { signal });
    addEventListener("tintype:reset", () => this.#countAgain(), { signal });
    this.querySelector("a").addEventListener("click", (event) => this.#open(event), { signal });
  }

  #hear(status) {
    const isHere = document.querySelector(`post-card[data-id="${status.id}"]`);
    if (status.in_reply_to_id || isHere || this.#isHidden(status)) return;
    this.#ids.add(status.id);
    this.#show();
  }

  /** Returns whether a filter of the viewer hides the post from this timeline. */
  #isHidden({ filtered = [] }) {
    return filtered.some(({ filter }) => filter.filter_action === "hide" && filter.context.includes(this.dataset.timeline));
  }

  #forget(id) {
    if (this.#ids.delete(id)) this.#show();
  }

  async #countAgain() {
    try {
      const { timeline, since } = this.dataset;
      const path = `/api/v1/timelines/${timeline}?limit=40&since_id=${since}`;
      const found = await request("GET", path);
      this.#ids = new Set(found.filter((status) => !this.#isHidden(status)).map((status) => status.id));
      this.#show();
    } catch (error) {
      flash(error.message, "error");
    }
  }

  async #open(event) {
    event.preventDefault();
    try {
      await document.querySelector("endless-list").refresh();
    } catch (error) {
      return flash(error.message, "error");
    }
    this.dataset.since = document.querySelector("post-card")?.dataset.id ?? this.dataset.since;
    this.#ids.clear();
    this.#show();
    scrollTo({ top: 0, behavior: scrollBehavior() });
  }

  #show() {
    this.hidden = this.#ids.size === 0;
    this.querySelector("[data-count]").textContent = count(this.#ids.size, "new post");
  }
}

customElements.define("new-posts", NewPosts);
