import { Enhancement } from "../web/enhancement.js";
import { prefersStillness } from "../web/motion.js";
import { draw, layOut, put } from "./pair-geometry.js";
import { Pair } from "./pair.js";

/** Milliseconds for which each year is shown while the years play. */
const stay = 2_400;

/**
 * `<year-sequence>` around `[data-year]` figures, oldest first, and `[data-strip]` with a link to each: one year is
 * shown at a time, chosen in the strip, by the arrow keys or the buttons, or played slowly.
 */
class YearSequence extends Enhancement {
  #room;
  #years;
  #links;
  #play;
  #index = 0;
  #timer;

  enhance(signal) {
    this.#room = this.querySelector(".years-room");
    this.#years = [...this.querySelectorAll("[data-year]")];
    this.#links = [...this.querySelectorAll("[data-strip] a")];
    this.#play = this.querySelector("[data-play]");
    const listen = (name, action) => this.querySelector(name).addEventListener("click", action, { signal });
    listen("[data-earlier]", () => this.#choose(this.#index - 1));
    listen("[data-later]", () => this.#choose(this.#index + 1));
    listen("[data-play]", () => this.#toggle());
    this.#links.forEach((link, index) => link.addEventListener("click", (event) => {
      event.preventDefault();
      this.#choose(index);
    }, { signal }));
    this.addEventListener("keydown", (event) => this.#press(event), { signal });
    const watch = new ResizeObserver(() => this.#draw());
    watch.observe(this.#room);
    signal.addEventListener("abort", () => {
      watch.disconnect();
      this.#stop();
    });
    document.addEventListener("visibilitychange", () => this.#stop(), { signal });
    this.#play.hidden = prefersStillness() || this.#years.length < 2;
    const named = this.#years.findIndex((year) => `#${year.id}` === location.hash);
    this.#show(Math.max(0, named));
    this.#draw();
  }

  #press(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const isInStrip = this.#links.includes(document.activeElement);
    this.#choose(this.#index + way);
    if (isInStrip) this.#links[this.#index].focus();
  }

  /** Shows a year that a person has chosen. */
  #choose(index) {
    this.#stop();
    if (this.#years[index]) this.#show(index);
  }

  #toggle() {
    if (this.#timer) return this.#stop();
    const next = () => this.#show((this.#index + 1) % this.#years.length);
    this.#timer = setInterval(next, stay);
    this.#play.ariaPressed = true;
    this.#play.ariaLabel = "Stop";
    next();
  }

  #stop() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#play.ariaPressed = false;
    this.#play.ariaLabel = "Play the years";
  }

  #show(index) {
    this.#index = index;
    this.#years.forEach((year, place) => {
      year.toggleAttribute("data-shown", place === index);
      year.inert = place !== index;
      year.ariaHidden = place !== index;
    });
    this.#links.forEach((link, place) => {
      if (place === index) link.ariaCurrent = true;
      else link.removeAttribute("aria-current");
    });
    this.querySelector("[data-earlier]").disabled = index === 0;
    this.querySelector("[data-later]").disabled = index === this.#years.length - 1;
    this.querySelector("[data-status]").textContent = this.#timer ? "" : this.#years[index].dataset.year;
    // scrollIntoView() would scroll the page as well.
    const link = this.#links[index];
    const strip = link.closest("[data-strip]");
    const left = link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2;
    strip.scrollTo({ left, behavior: prefersStillness() ? "auto" : "smooth" });
  }

  /** Draws every year as large as the room allows, in the frame of its pair. */
  #draw() {
    for (const year of this.#years) {
      const picture = year.querySelector(".years-picture");
      const room = { width: this.#room.clientWidth, height: this.#room.clientHeight - captionOf(year) };
      if (room.width < 1 || room.height < 1) continue;
      const pair = new Pair(picture);
      const { then: box } = layOut("slider", pair.aspect, room);
      const half = picture.querySelector(".pair-half");
      Object.assign(picture.style, { width: `${box.width}px`, height: `${box.height}px` });
      put(half, box);
      draw(half, box, pair.look(half.dataset.half));
    }
  }
}

/** Returns the height of what is below a year's picture. */
function captionOf(year) {
  return year.querySelector("figcaption").offsetHeight;
}

customElements.define("year-sequence", YearSequence);
