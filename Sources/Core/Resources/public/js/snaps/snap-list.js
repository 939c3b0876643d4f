import { fragment } from "../web/api.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { noteScreen } from "../web/trail.js";
import { keepPlaces } from "./snap-places.js";
import { SnapViewer } from "./snap-viewer.js";

/** Milliseconds after which a resting finger is a long press. */
const longPress = 500;

/**
 * `<snap-list data-source>` around the sections of snaps: opens `[data-open]` over the page, and fetches its content
 * from the server again whenever a snap changes. With `data-lazy` it first fetches its content when it becomes visible.
 *
 * A snap that was viewed keeps its place until the page is opened again, so that a second tap opens no other snap.
 */
class SnapList extends Enhancement {
  #signal;
  /** Whether more has changed while the list was being fetched. */
  #isStale = false;
  #isFetching = false;
  #pressTimer;
  #wasLongPress = false;
  /** The ids of the snaps that were opened here. */
  #seen = new Set();
  /** The id of the snap that is being opened, which the server may list as viewed before it answers. */
  #opening;
  /** Whether the next list is shown as the server orders it. */
  #isReturn = false;

  enhance(signal) {
    this.#signal = signal;
    for (const name of ["snap", "snap.closed", "reset"]) {
      addEventListener(`tintype:${name}`, () => this.#refresh(), { signal });
    }
    addEventListener("pageshow", ({ persisted }) => persisted && this.#comeBack(), { signal });
    this.addEventListener("submit", (event) => this.#open(event), { signal });
    // Of a list that was kept: what opens a snap is never kept.
    this.addEventListener("click", ({ target }) => target.closest("[data-unopened]") && sayItWaits(), { signal });
    this.addEventListener("pointerdown", (event) => this.#press(event), { signal });
    const release = () => clearTimeout(this.#pressTimer);
    for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
      this.addEventListener(name, release, { signal });
    }
    signal.addEventListener("abort", release);
    if (this.#isLazy) {
      const observer = new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && this.#refresh());
      observer.observe(this);
      signal.addEventListener("abort", () => observer.disconnect());
    }
  }

  /** Whether the list fetches its content only when it is visible, as in the column beside Home. */
  get #isLazy() {
    return "lazy" in this.dataset;
  }

  /** Moves viewed snaps to where the server lists them, when the page is shown again. */
  #comeBack() {
    this.#seen.clear();
    this.#isReturn = true;
    this.#refresh();
  }

  async #open(event) {
    event.preventDefault();
    if (this.#wasLongPress) return;
    if (!navigator.onLine) return sayItWaits();
    const button = event.target.querySelector("[data-open]");
    const { open: id, poster, answer } = button.dataset;
    const react = async (emoji) => (await import("./snap-reaction.js")).reactToSnap(id, poster, emoji);
    const answering = answer && { template: this.querySelector("template[data-template=answers]"), react };
    const viewer = new SnapViewer(id, button.querySelector(".text > b").textContent, answering);
    viewer.onopened = () => {
      this.#seen.add(id);
      this.#markRead(id);
    };
    this.#opening = id;
    try {
      if (await viewer.show(button)) {
        noteScreen();
        return location.assign(answer);
      }
    } catch (error) {
      flash(error.message, "error");
    }
    this.#opening = undefined;
    await this.#refresh();
    if (document.activeElement === document.body) this.#focus(id);
  }

  /** Marks a snap as read at once, before the server's list arrives, and lets it not be opened again. */
  #markRead(id) {
    // Looked up again: the list may have been replaced since the tap.
    const button = this.querySelector(`[data-open="${id}"]`);
    if (!button) return;
    const mark = button.querySelector(".snap-mark");
    mark.classList.add("read");
    mark.ariaLabel = "Read";
    button.form.replaceWith(element("div", { class: "row" }, ...button.childNodes));
  }

  /** Follows the link at the end of the row after a long press. */
  #press(event) {
    const link = event.target.closest("li.options")?.querySelector("a");
    this.#wasLongPress = false;
    if (!link || event.target.closest("a")) return;
    this.#pressTimer = setTimeout(() => {
      this.#wasLongPress = true;
      link.click();
    }, longPress);
  }

  async #refresh() {
    if (this.#isLazy && !this.checkVisibility()) return;
    this.#isStale = true;
    if (this.#isFetching) return;
    this.#isFetching = true;
    try {
      while (this.#isStale) {
        this.#isStale = false;
        const sections = await fragment(this.dataset.source, "list", this.#signal);
        const focused = this.contains(document.activeElement) && this.#snapOf(document.activeElement);
        // The list that is shown may have been asked for before they were opened.
        for (const id of this.#seen) this.#markRead(id);
        if (!this.#isReturn) keepPlaces(this, sections, new Set([...this.#seen, this.#opening]));
        this.#isReturn = false;
        this.replaceChildren(sections);
        if (focused) this.#focus(focused);
      }
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    } finally {
      this.#isFetching = false;
    }
  }

  /** Moves the focus to the row of a snap, which may have been replaced. */
  #focus(id) {
    const row = this.querySelector(`[data-snap="${id}"]`);
    if (!row) return;
    row.tabIndex = -1;
    (row.querySelector("button, a") ?? row).focus({ preventScroll: true });
  }

  #snapOf(element) {
    return element.closest("[data-snap]")?.dataset.snap;
  }
}

function sayItWaits() {
  flash("Snaps need a network. This one stays unopened until you are online.", "error");
}

customElements.define("snap-list", SnapList);
