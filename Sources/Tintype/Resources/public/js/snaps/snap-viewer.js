import { request } from "../web/api.js";
import { element } from "../web/element.js";
import { prefersStillness } from "../web/motion.js";
import { fetchPicture } from "./snap-picture.js";

/** Milliseconds before a slow picture gets a spinner. */
const patience = 300;

/** Milliseconds that one may look, as long as the server keeps the view. */
const look = 600_000;

const spring = { duration: 280, easing: "cubic-bezier(.32, .72, 0, 1)" };

/**
 * One look at a snap: the whole screen, black, the picture alone. A tap, Escape, Back, and
 * hiding or leaving the page close it, for good. Its view is known to this object only.
 */
export class SnapViewer {
  /** Told when the server has opened the snap: from then on it is used up. */
  onopened = () => {};
  #id;
  #path;
  #dialog;
  #leave = new AbortController();
  #isOpened = false;
  #isPageLeft = false;

  /**
   * @param {string} id of the snap
   * @param {string} poster
   * @param {string} [path] of the calls that open, show and close it
   */
  constructor(id, poster, path = `/api/v1/snaps/${id}`) {
    this.#id = id;
    this.#path = path;
    this.#dialog = element(
      "dialog",
      { class: "snap-viewer", "aria-label": `Snap from ${poster}` },
      element("button", { type: "button", "aria-label": "Close", "data-close": "" }),
    );
  }

  /**
   * Opens the snap and shows it until it is closed.
   *
   * @param {HTMLElement} row that the picture grows from and shrinks back to
   * @throws {ApiError} when the server says no, or the picture never arrived
   */
  async show(row) {
    const { signal } = this.#leave;
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    this.#grow(row, "normal");
    this.#listen(signal);
    const closed = new Promise((resolve) => signal.addEventListener("abort", resolve));
    const spinner = setTimeout(() => this.#button.append(element("span", { class: "spinner" })), patience);
    try {
      const { view } = await request("POST", `${this.#path}/open`);
      this.#isOpened = true;
      this.onopened();
      if (!signal.aborted) await this.#draw(view);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      clearTimeout(spinner);
      this.#button.querySelector(".spinner")?.remove();
      // Only a picture keeps the screen black; after a failure there is nothing to look at.
      if (!this.#button.querySelector("img")) this.#leave.abort();
      await closed;
      await this.#close(row);
    }
  }

  get #button() {
    return this.#dialog.querySelector("button");
  }

  #listen(signal) {
    const leave = () => this.#leave.abort();
    this.#dialog.addEventListener("click", leave, { signal });
    this.#dialog.addEventListener("cancel", (event) => (event.preventDefault(), leave()), { signal });
    this.#dialog.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    // Back closes the picture and stays on the page.
    history.pushState({ ...history.state, snap: this.#id }, "");
    addEventListener("popstate", leave, { signal });
    // The page may never come back to life, so the close goes out by itself.
    const hide = () => {
      this.#wipe();
      if (this.#isOpened) navigator.sendBeacon(`${this.#path}/close`);
      leave();
    };
    addEventListener("pagehide", () => ((this.#isPageLeft = true), hide()), { signal });
    const hideIfHidden = () => document.visibilityState === "hidden" && hide();
    document.addEventListener("visibilitychange", hideIfHidden, { signal });
  }

  async #draw(view) {
    const { signal } = this.#leave;
    const bytes = await fetchPicture(view, signal);
    const url = URL.createObjectURL(bytes);
    const picture = element("img", { src: url, alt: view.description ?? "", draggable: false });
    try {
      await picture.decode();
    } finally {
      URL.revokeObjectURL(url);
    }
    if (signal.aborted) return;
    this.#button.replaceChildren(picture);
    const timer = setTimeout(() => this.#leave.abort(), look);
    signal.addEventListener("abort", () => clearTimeout(timer));
    // Lost, it changes nothing for the person: the server closes the view by its own clock.
    await request("POST", `${this.#path}/shown`).catch(() => {});
  }

  #wipe() {
    this.#button.replaceChildren();
  }

  /** Away with the picture, then the server learns that it was closed: a lost answer changes nothing. */
  async #close(row) {
    const shrinking = this.#grow(row, "reverse");
    // A page that was left and is shown again would go back from where it came back to.
    if (!this.#isPageLeft && history.state?.snap === this.#id) history.back();
    const close = this.#isOpened && request("POST", `${this.#path}/close`, undefined, { keepalive: true });
    await Promise.allSettled([close, shrinking]);
    this.#wipe();
    this.#dialog.close();
    this.#dialog.remove();
  }

  /**
   * Out of its row, or back into the row as it stands in the list by now.
   *
   * @param {HTMLElement} row
   * @param {"normal" | "reverse"} direction
   */
  #grow(row, direction) {
    const place = row.isConnected ? row : document.querySelector(`[data-snap="${this.#id}"]`);
    if (prefersStillness() || !place) return null;
    const { left, top, width, height } = place.getBoundingClientRect();
    const x = left + (width - innerWidth) / 2;
    const y = top + (height - innerHeight) / 2;
    const steps = [
      { transform: `translate(${x}px, ${y}px) scale(${height / innerHeight})`, opacity: 0.4 },
      { transform: "none", opacity: 1 },
    ];
    return this.#dialog.animate(steps, { ...spring, direction }).finished;
  }
}
