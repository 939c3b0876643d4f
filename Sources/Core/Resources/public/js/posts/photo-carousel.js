import { Enhancement } from "../web/enhancement.js";
import { scrollBehavior } from "../web/motion.js";

/**
 * `<photo-carousel>` around a scroll-snapping `<ul>` of photos: keeps its `[data-counter]` ("1/3") and `[data-dots]` up
 * to date. Arrow keys move to the next or previous photo.
 */
class PhotoCarousel extends Enhancement {
  #list;
  #shown = 0;

  enhance(signal) {
    this.#list = this.querySelector("ul");
    this.#list.addEventListener("scroll", () => this.#show(), { signal, passive: true });
    this.#list.addEventListener("keydown", (event) => this.#turn(event), { signal });
    this.#show();
  }

  /** The index of the photo that takes most of the width. In right-to-left text, scroll positions are negative. */
  get #current() {
    return Math.round(Math.abs(this.#list.scrollLeft) / this.#list.clientWidth);
  }

  #show() {
    const current = this.#current;
    if (current === this.#shown) return;
    this.#shown = current;
    const total = this.#list.children.length;
    const counter = this.querySelector("[data-counter]");
    if (counter) counter.textContent = `${current + 1}/${total}`;
    const dots = this.querySelector("[data-dots]");
    for (const [index, dot] of [...(dots?.children ?? [])].entries()) {
      dot.toggleAttribute("data-current", index === current);
    }
  }

  #turn(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const item = this.#list.children[this.#current + step];
    item?.scrollIntoView({ behavior: scrollBehavior(), block: "nearest", inline: "center" });
  }
}

customElements.define("photo-carousel", PhotoCarousel);
