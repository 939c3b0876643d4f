import { scrollBehavior } from "../web/motion.js";
import { count } from "../web/words.js";
import { result } from "./result.js";

/**
 * The found photos in a row that scrolls sideways. One of them is the current one: the one at the row's start, or the
 * one chosen by a pin or by the focus. Events: `current` when that changes, `failed` when a picture can't be loaded.
 */
export class ResultStrip extends EventTarget {
  #section;
  #list;
  #template;
  #credit;
  #current = -1;
  /** Where the row scrolls to after a pin was chosen, until it is there. */
  #aim = null;

  /** @param {HTMLElement} section @param {AbortSignal} signal */
  constructor(section, signal) {
    super();
    this.#section = section;
    this.#list = section.querySelector("[data-list]");
    this.#template = section.querySelector("template");
    this.#credit = section.querySelector("[data-shown-credit]");
    const letGo = () => (this.#aim = null);
    for (const type of ["pointerdown", "wheel", "touchstart"]) {
      this.#list.addEventListener(type, letGo, { signal, passive: true });
    }
    this.#list.addEventListener("scroll", () => this.#follow(), { signal, passive: true });
    this.#list.addEventListener("focusin", ({ target }) => this.#focus(target), { signal });
    this.#list.addEventListener("keydown", (event) => this.#press(event), { signal });
    // Neither event bubbles, so both are caught on their way down.
    for (const type of ["load", "error"]) {
      this.#list.addEventListener(type, ({ target }) => this.#settle(target), { signal, capture: true });
    }
    this.#watch();
  }

  get current() {
    return this.#current;
  }

  /** How many pictures could not be loaded. */
  get failures() {
    return this.#list.querySelectorAll("[data-broken]").length;
  }

  /**
   * Replaces the photos.
   *
   * @param {{photos: object[], sources: object[]}} answer of a search
   */
  show({ photos, sources }) {
    const answered = sources.filter(({ state }) => state !== "failed").map(({ title }) => title);
    this.#section.querySelector("[data-count]").textContent = count(photos.length, "photo");
    this.#section.querySelector("[data-answered]").textContent = answered.join(" · ");
    this.#section.toggleAttribute("data-searched", true);
    this.#list.replaceChildren(...photos.map((photo) => result(this.#template, photo)));
    this.#list.scrollLeft = 0;
    this.#current = -1;
    this.#watch();
  }

  /** Brings a photo into view. */
  choose(index) {
    this.#mark(index);
    const item = this.#list.children[index];
    if (!item) return;
    const left = item.offsetLeft - this.#list.firstElementChild.offsetLeft;
    const farthest = this.#list.scrollWidth - this.#list.clientWidth;
    this.#aim = Math.min(left, farthest);
    if (Math.abs(this.#list.scrollLeft - this.#aim) < 1) this.#aim = null;
    else this.#list.scrollTo({ left, behavior: scrollBehavior() });
  }

  #watch() {
    for (const picture of this.#list.querySelectorAll("img")) {
      const [hasSource, isLoaded] = [picture.hasAttribute("src"), picture.naturalWidth > 0];
      picture.parentElement.ariaBusy = hasSource && !isLoaded ? "true" : "false";
      picture.parentElement.toggleAttribute("data-broken", !hasSource);
      // A picture that failed before this script ran is loaded again. A lazy one that hasn't begun looks the same.
      if (hasSource && !isLoaded && picture.complete) picture.src = picture.getAttribute("src");
    }
    if (this.failures) this.dispatchEvent(new Event("failed"));
    if (this.#list.children.length) this.#mark(0);
    else this.#credit.replaceChildren();
  }

  #settle(picture) {
    if (!picture.matches("img")) return; // Symbols fire this event, too.
    const frame = picture.parentElement;
    frame.ariaBusy = "false";
    frame.toggleAttribute("data-broken", !picture.naturalWidth);
    if (!picture.naturalWidth) this.dispatchEvent(new Event("failed"));
  }

  #mark(index) {
    const { children } = this.#list;
    if (index === this.#current || !children[index]) return;
    children[this.#current]?.removeAttribute("data-current");
    children[index].setAttribute("data-current", "");
    this.#current = index;
    const credit = children[index].querySelector("[data-credit]");
    this.#credit.replaceChildren(...credit.cloneNode(true).childNodes);
    this.dispatchEvent(new Event("current"));
  }

  #follow() {
    const { children, scrollLeft } = this.#list;
    if (this.#aim !== null) {
      if (Math.abs(scrollLeft - this.#aim) < 2) this.#aim = null;
      return;
    }
    const step = children.length > 1 ? children[1].offsetLeft - children[0].offsetLeft : Infinity;
    this.#mark(Math.min(children.length - 1, Math.round(scrollLeft / step)));
  }

  #focus(target) {
    const index = [...this.#list.children].indexOf(target.closest("li"));
    // A tap leads to the next page, so only a focus by the keyboard moves the row.
    if (index >= 0 && target.matches(":focus-visible")) this.choose(index);
  }

  #press(event) {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { children } = this.#list;
    const from = [...children].indexOf(event.target.closest("li"));
    children[from + step]?.querySelector("a").focus({ preventScroll: true });
  }
}
