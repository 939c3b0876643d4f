import { element } from "../web/element.js";
import { settled } from "../web/motion.js";
import { loadStyle } from "../web/style.js";
import { stepBack } from "../web/trail.js";
import { grow } from "./growing.js";
import { SnapView } from "./snap-view.js";

/** Milliseconds before a slow picture gets a spinner, and before a tap cancels it. */
const patience = { spinner: 300, tap: 3_000 };

/** Milliseconds for which a picture is shown at most; the server keeps the view for as long. */
const look = 600_000;

/**
 * The viewer of a snap: the picture alone, on a black screen. A tap, Escape, Back, and hiding or leaving the page close
 * it for good, and so does the deletion of the snap. Only this object knows the address of the picture.
 */
export class SnapViewer {
  /** The function that is called when the server has opened the snap, which can't be opened again. */
  onopened = () => {};
  #id;
  #ending;
  /** @type {SnapView} */
  #view;
  #dialog;
  /** Controllers that are aborted when the person closes the viewer, and when the picture has left the page. */
  #leave = new AbortController();
  #gone = new AbortController();
  #isPageLeft = false;
  /** Whether a tap closes the viewer. Before the picture shows, a double tap would use the snap up unseen. */
  #closesByTap = false;
  /** @type {import("./snap-answers.js").Answering | undefined} */
  #answering;
  #isAnswered = false;

  /**
   * @param {string} id of the snap
   * @param {string} poster
   * @param {import("./snap-answers.js").Answering} [answering] how it is answered; without it, it can't be
   * @param {string} [path] of the calls that open, show and close it
   * @param {string} [ending] the event that reports its deletion
   */
  constructor(id, poster, answering, path = `/api/v1/snaps/${id}`, ending = "snap.closed") {
    this.#id = id;
    this.#ending = ending;
    this.#answering = answering;
    this.#view = new SnapView(path);
    this.#dialog = element(
      "dialog",
      { class: "snap-viewer", "aria-label": `Snap from ${poster}` },
      element("button", { type: "button", "aria-label": "Close", "data-close": "" }),
      element("p", { class: "unseen", role: "status" }),
    );
  }

  /**
   * Opens the snap and shows it until it is closed.
   *
   * @param {HTMLElement} row that the picture grows from and shrinks back to
   * @returns {Promise<boolean>} whether the person wants to reply
   * @throws {ApiError} when the server refuses, or the picture never arrives
   */
  async show(row) {
    const { signal } = this.#leave;
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    grow(this.#dialog, this.#place(row), "normal");
    this.#listen();
    const left = new Promise((resolve) => signal.addEventListener("abort", resolve));
    const spin = () => this.#picture ?? this.#button.append(element("span", { class: "spinner" }));
    const giveUp = () => (this.#closesByTap = true);
    const timers = [setTimeout(spin, patience.spinner), setTimeout(giveUp, patience.tap)];
    try {
      await Promise.race([this.#open(), left]);
      await left;
    } finally {
      for (const timer of timers) clearTimeout(timer);
      this.#leave.abort();
      await this.#close(row);
    }
    return this.#isAnswered;
  }

  get #button() {
    return this.#dialog.querySelector("button");
  }

  get #picture() {
    return this.#dialog.querySelector("img");
  }

  /** Returns the row that the list now has for the snap. */
  #place(row) {
    return row.isConnected ? row : document.querySelector(`[data-snap="${this.#id}"]`);
  }

  #listen() {
    const { signal } = this.#gone;
    const leave = () => this.#leave.abort();
    const isTap = ({ detail, target }) => this.#closesByTap && detail < 2 && !target.closest(".snap-answers");
    const tap = (event) => isTap(event) && leave();
    this.#dialog.addEventListener("click", tap, { signal });
    this.#dialog.addEventListener("cancel", (event) => (event.preventDefault(), leave()), { signal });
    this.#dialog.addEventListener("contextmenu", (event) => event.preventDefault(), { signal });
    const hear = ({ detail }) => detail.id === this.#id && detail.gone !== false && leave();
    addEventListener(`tintype:${this.#ending}`, hear, { signal });
    // Back closes the picture and stays on the page.
    history.pushState({ ...history.state, snap: this.#id }, "");
    addEventListener("popstate", leave, { signal });
    const hide = () => {
      this.#view.closeFromAfar();
      leave();
      this.#remove();
    };
    addEventListener("pagehide", () => ((this.#isPageLeft = true), hide()), { signal });
    const hideIfHidden = () => document.visibilityState === "hidden" && hide();
    document.addEventListener("visibilitychange", hideIfHidden, { signal });
  }

  async #open() {
    const { signal } = this.#leave;
    // Before the snap is used up: without a network, nothing of this arrives.
    const answers = this.#answering && (await this.#loadAnswers());
    if (signal.aborted) return;
    const view = await this.#view.open();
    this.onopened();
    // The person has closed the viewer meanwhile.
    if (signal.aborted) return this.#view.close();
    await this.#draw(view, answers).catch((error) => {
      if (error.name !== "AbortError") throw error;
    });
  }

  /**
   * @param {{url: string, description: string}} view
   * @param {typeof import("./snap-answers.js")} [answers]
   */
  async #draw(view, answers) {
    const { signal } = this.#leave;
    const bytes = await this.#view.fetch(view, signal);
    const url = URL.createObjectURL(bytes);
    const picture = element("img", { src: url, alt: view.description ?? "", draggable: false });
    try {
      await picture.decode();
    } finally {
      URL.revokeObjectURL(url);
    }
    if (signal.aborted) return;
    this.#button.replaceChildren();
    // Not in the button, whose name is all that a screen reader would say of it.
    this.#dialog.prepend(picture);
    this.#dialog.querySelector("[role=status]").textContent = view.description || "The picture has no description.";
    this.#closesByTap = true;
    const timer = setTimeout(() => this.#leave.abort(), look);
    signal.addEventListener("abort", () => clearTimeout(timer));
    if (answers) new answers.SnapAnswers(this.#dialog, this.#answering, () => this.#reply(), signal);
    await this.#view.show();
  }

  /** Loads what is shown over the picture. */
  async #loadAnswers() {
    const [answers] = await Promise.all([import("./snap-answers.js"), loadStyle("snap-answers")]);
    return answers;
  }

  #reply() {
    this.#isAnswered = true;
    this.#leave.abort();
  }

  /** Removes the picture at once, and reports to the server that the view is closed. */
  async #close(row) {
    const back = this.#goBack();
    this.#view.close();
    if (!this.#gone.signal.aborted) {
      this.#button.querySelector(".spinner")?.remove();
      this.#dialog.querySelector(".snap-answers")?.remove();
      grow(this.#dialog, this.#place(row), "reverse");
      await settled(this.#dialog);
      this.#remove();
    }
    await back;
  }

  /** Leaves the entry that the viewer has in the history. */
  async #goBack() {
    // A page that is shown again after it was left has gone back already.
    if (!this.#isPageLeft && history.state?.snap === this.#id) await stepBack();
  }

  #remove() {
    this.#gone.abort();
    this.#picture?.remove();
    this.#dialog.close();
    this.#dialog.remove();
  }
}
