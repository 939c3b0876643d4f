import { Enhancement } from "../web/enhancement.js";
import { scrollBehavior } from "../web/motion.js";

/**
 * `<photo-carousel>` around a scroll-snapping `<ul>` of photos: keeps its `[data-counter]`
 * ("1/3") and `[data-dots]` current; arrow keys turn the pages.
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

  /** The photo that takes most of the width. Scrolling to the left is negative in Arabic. */
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
