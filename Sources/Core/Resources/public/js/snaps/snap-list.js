import { freshFragment } from "../web/api.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { noteScreen } from "../web/trail.js";
import { keepPlaces } from "./snap-places.js";
import { SnapViewer } from "./snap-viewer.js";

/** Milliseconds after which a resting finger is a long press. */
const longPress = 500;

/** Milliseconds after a snap was closed for which no other one opens, and for which the list stays as it is. */
const rest = { taps: 600, list: 1_000 };

/**
 * `<snap-list data-source>` around the sections of snaps: opens `[data-open]` over the page, and fetches its content
 * from the server again whenever a snap changes. With `data-lazy` it first fetches its content when it becomes visible.
 *
 * A second tap must open no other snap. So a viewed snap keeps its place until the page is opened again, and from the
 * opening of a snap until a moment after it was closed, with `data-still`, the list stays as it is.
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
  #closedAt = -Infinity;
  #stillTimer;
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
    signal.addEventListener("abort", () => clearTimeout(this.#stillTimer));
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
    this.#isStill = false;
    this.#seen.clear();
    this.#isReturn = true;
    this.#refresh();
  }

  async #open(event) {
    event.preventDefault();
    if (this.#wasLongPress || performance.now() - this.#closedAt < rest.taps) return;
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
    clearTimeout(this.#stillTimer);
    this.#isStill = true;
    try {
      if (await viewer.show(button)) {
        noteScreen();
        return location.assign(answer);
      }
    } catch (error) {
      flash(error.message, "error");
    } finally {
      this.#rest(this.#seen.has(id));
    }
    // The row itself, since its first link may be the one to the report form.
    if (document.activeElement === document.body) this.#focus(id);
  }

  /** Fetches the list again after a snap was closed: at once if it is still unopened, and after a moment otherwise. */
  #rest(wasOpened) {
    const goOn = () => {
      this.#isStill = false;
      this.#refresh();
    };
    if (!wasOpened) return goOn();
    this.#closedAt = performance.now();
    this.#stillTimer = setTimeout(goOn, rest.list);
  }

  /** Whether the list stays as it is. */
  get #isStill() {
    return "still" in this.dataset;
  }

  set #isStill(isStill) {
    this.toggleAttribute("data-still", isStill);
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
      while (this.#isStale && !this.#isStill) {
        this.#isStale = false;
        const sections = await freshFragment(this.dataset.source, "list", this.#signal);
        if (this.#isStill) break;
        const focused = this.contains(document.activeElement) && document.activeElement;
        // The list that is shown may have been asked for before they were opened.
        for (const id of this.#seen) this.#markRead(id);
        if (!this.#isReturn) keepPlaces(this, sections, this.#seen);
        this.#isReturn = false;
        this.replaceChildren(sections);
        if (focused) this.#focus(this.#snapOf(focused), focused.localName);
      }
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    } finally {
      this.#isFetching = false;
    }
  }

  /**
   * Moves the focus to the row of a snap, which may have been replaced.
   *
   * @param {string} id
   * @param {string} [part] the name of an element in the row that had the focus
   */
  #focus(id, part) {
    const row = this.querySelector(`[data-snap="${id}"]`);
    if (!row) return;
    row.tabIndex = -1;
    ((part && row.querySelector(part)) || row).focus({ preventScroll: true });
  }

  #snapOf(element) {
    return element.closest("[data-snap]")?.dataset.snap;
  }
}

function sayItWaits() {
  flash("Snaps need a network. This one stays unopened until you are online.", "error");
}

customElements.define("snap-list", SnapList);
