import { request } from "../web/api.js";
import { flash } from "../web/flash-message.js";

/** Milliseconds after which a press on Compare is a hold, which ends when the finger lets go. */
const hold = 300;

/**
 * The alignment of a pair: shows that the server is working, then the result, to compare, keep or undo, or the reason
 * why there is none.
 */
export class PairAlign {
  #view;
  #tools;
  #isBusy = false;

  /**
   * @param {HTMLElement} view the pair's element; gets `data-work`: `busy`, `verdict` or nothing
   * @param {{pair: import("./pair.js").Pair, draw: () => void, changed: () => void}} tools
   * @param {AbortSignal} signal ends the listening
   */
  constructor(view, tools, signal) {
    this.#view = view;
    this.#tools = tools;
    this.#part("[data-keep]").addEventListener("click", () => this.#keep(), { signal });
    this.#listenToCompare(this.#part("[data-compare]"), signal);
  }

  /** Asks the server to align the photos. */
  align() {
    return this.#ask("POST", "Aligning…", () => {
      this.#view.dataset.work = "verdict";
      this.#say("Aligned. Compare, then keep or undo it.");
      this.#part("[data-keep]").focus();
    });
  }

  /** Shows the photos as they were taken. */
  undo() {
    return this.#ask("DELETE", "Undoing…", () => {
      this.#say("Not aligned.");
      this.#part("[data-when=none] button").focus();
    });
  }

  async #ask(method, words, done) {
    if (this.#isBusy) return;
    const { pair, changed } = this.#tools;
    this.#isBusy = true;
    this.#view.dataset.work = "busy";
    this.#say(words);
    try {
      const { alignment } = await request(method, `${pair.path}/align`);
      delete this.#view.dataset.work;
      const reason = pair.align(alignment);
      changed();
      if (alignment.state === "refused") this.#refuse(reason);
      else done();
      this.#compare(false);
    } catch (error) {
      delete this.#view.dataset.work;
      this.#say("");
      if (error.status === 422) this.#refuse(error.message);
      else flash(error.message, "error");
    } finally {
      this.#isBusy = false;
    }
  }

  /** Shows why the photos couldn't be aligned. An earlier alignment stays. */
  #refuse(reason) {
    if (this.#tools.pair.map) return flash(reason, "error");
    this.#view.dataset.alignment = "refused";
    this.#part("[data-reason]").textContent = reason;
    this.#say(reason);
    this.#draw(false);
    this.#part("[data-when=refused] a").focus();
  }

  #keep() {
    delete this.#view.dataset.work;
    this.#compare(false);
    this.#say("Kept.");
    this.#part("button[name=mode][aria-pressed=true]").focus();
  }

  /** Lets Compare show the photos as they were taken: a hold for as long as it lasts, a tap until the next tap. */
  #listenToCompare(button, signal) {
    let timer;
    let isHeld = false;
    const listen = (name, action) => button.addEventListener(name, action, { signal });
    listen("pointerdown", ({ pointerId }) => {
      button.setPointerCapture(pointerId);
      isHeld = false;
      timer = setTimeout(() => (isHeld = true), hold);
      this.#draw(true);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      listen(name, () => {
        clearTimeout(timer);
        if (isHeld) this.#compare(false);
        else this.#draw(button.ariaPressed === "true");
      });
    }
    listen("click", () => {
      if (!isHeld) this.#compare(button.ariaPressed !== "true");
      isHeld = false;
    });
    // A resting finger is a hold, and must not open a menu.
    listen("contextmenu", (event) => event.preventDefault());
    signal.addEventListener("abort", () => clearTimeout(timer));
  }

  #compare(isPlain) {
    this.#part("[data-compare]").ariaPressed = isPlain;
    this.#draw(isPlain);
  }

  /** @param {boolean} isPlain whether the photos are drawn as they were taken */
  #draw(isPlain) {
    this.#tools.pair.isPlain = isPlain;
    this.#view.toggleAttribute("data-plain", isPlain);
    this.#tools.draw();
  }

  #part(selector) {
    return this.#view.querySelector(selector);
  }

  #say(words) {
    this.#part("[data-status]").textContent = words;
  }
}
