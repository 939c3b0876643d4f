import { DoubleTap } from "../web/double-tap.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { Gesture } from "../web/gesture.js";
import { PhotoPages, sheetsAround } from "./photo-pages.js";
import { PhotoStrip } from "./photo-strip.js";

/** Milliseconds after which a tap is no longer the first of two. */
const patience = 320;

/** The elements that handle taps and drags themselves: bars, and controls on the stage. */
const controls = "header, footer, a, button, [data-still]";

/**
 * `<photo-viewer>` around `[data-stage]` with one photo, its bars, `a[rel=prev]`, `a[rel=next]` and `a[data-close]`:
 * moves to the neighbours without leaving the page. A tap hides the bars.
 *
 * On the stage is an `<img>`, or an element whose part `[data-zoom]` can be enlarged and whose parts `[data-still]`
 * handle fingers themselves.
 */
class PhotoViewer extends Enhancement {
  #pages = new PhotoPages();
  /** @type {PhotoStrip} */
  #strip;
  #isTurning = false;
  #tapTimer;

  enhance(signal) {
    const stage = this.querySelector("[data-stage]");
    this.#strip = new PhotoStrip(stage);
    this.#pages.keep(location.pathname, PhotoPages.read(document));
    const gesture = {
      start: ({ target }) => !this.#isTurning && this.#mayPull(target),
      move: (step) => this.#strip.move(step),
      end: (speed) => this.#obey(this.#strip.release(speed)),
    };
    new Gesture(this, gesture, signal);
    new DoubleTap(stage, "[data-stage]", (_, event) => this.#zoom(event), signal);
    stage.addEventListener("pair-drawn", ({ target }) => this.#strip.measure(target), { signal });
    this.addEventListener("click", (event) => this.#tap(event), { signal });
    document.addEventListener("keydown", (event) => this.#press(event), { signal });
    addEventListener("resize", () => this.#strip.fit(), { signal });
    this.#placeNeighbours();
  }

  /** @param {"prev" | "next"} side */
  #link(side) {
    return this.querySelector(`a[rel=${side}]`);
  }

  /** Returns whether a finger may move the photo: one on a control may not, nor may a second one beside it. */
  #mayPull(target) {
    const isStep = target.closest("a[rel=prev], a[rel=next]");
    const isControl = target.closest("header, footer, [data-still]");
    return isStep || !(isControl || this.querySelector("[data-held]"));
  }

  #tap(event) {
    const side = event.target.closest("a[rel=prev], a[rel=next]")?.rel;
    if (side && !event.metaKey && !event.ctrlKey) {
      event.preventDefault();
      this.#turn(side);
    } else if (event.target.closest("[data-stage]") && !event.target.closest(controls) && !this.#strip.isPulled) {
      clearTimeout(this.#tapTimer);
      this.#tapTimer = setTimeout(() => this.#toggleBars(), patience);
    }
  }

  #zoom(event) {
    if (event.target.closest(controls)) return;
    // The click of this tap comes later and would hide the bars, so its timer is cleared after it.
    setTimeout(() => clearTimeout(this.#tapTimer));
    this.#strip.zoomAt(event);
  }

  #toggleBars() {
    const isHidden = this.dataset.bars === "hidden";
    this.dataset.bars = isHidden ? "shown" : "hidden";
  }

  #press(event) {
    if (document.querySelector(":popover-open, dialog[open]") || event.altKey || event.metaKey) return;
    if (event.key === "Escape") this.#close();
    // A slider handles the arrow keys itself.
    if (event.target.matches?.("input")) return;
    if (event.key === "ArrowLeft") this.#turn("prev");
    if (event.key === "ArrowRight") this.#turn("next");
  }

  /** @param {"prev" | "next" | "close" | null} verdict */
  #obey(verdict) {
    if (verdict === "close") this.#close();
    else if (verdict) this.#turn(verdict);
  }

  #close() {
    this.querySelector("a[data-close]").click();
  }

  /** Moves to a neighbour, or moves the photo back to its place when there is none. */
  async #turn(side) {
    if (this.#isTurning) return;
    const link = this.#link(side);
    if (!link) return this.#strip.rest();
    this.#isTurning = true;
    try {
      const page = await this.#pages.load(link.pathname);
      await this.#strip.turn(side, page.picture);
      this.#show(link.href, page);
    } catch (error) {
      this.#strip.rest();
      flash(error.message, "error");
    } finally {
      this.#isTurning = false;
    }
    this.#placeNeighbours();
  }

  /** Shows the bars of another photo. The focus stays on the same button. */
  #show(url, { bars, sheets, title }) {
    const focused = this.contains(document.activeElement) && /** @type {any} */ (document.activeElement).rel;
    this.replaceChildren(this.querySelector("[data-stage]"), ...bars);
    for (const sheet of sheetsAround(this)) sheet.remove();
    this.after(...sheets);
    document.title = title;
    if (focused) (this.#link(focused) ?? this.querySelector("a")).focus();
    history.replaceState(history.state, "", url);
  }

  /** Loads both neighbours and places them beside the photo, where a finger can pull them in. */
  async #placeNeighbours() {
    const here = location.pathname;
    for (const side of /** @type {const} */ (["prev", "next"])) {
      const link = this.#link(side);
      // A neighbour that can't be loaded isn't placed. Moving to it tries again, and shows the error.
      const page = link && (await this.#pages.load(link.pathname).catch(() => null));
      if (this.#isTurning || location.pathname !== here) return;
      this.#strip.place(side, page?.picture ?? null);
    }
  }
}

customElements.define("photo-viewer", PhotoViewer);
