import { request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { isReturn } from "../web/trail.js";
import { Pair } from "./pair.js";
import { PairAlign } from "./pair-align.js";
import { PairChoices } from "./pair-choices.js";
import { PairFade } from "./pair-fade.js";
import { draw, layOut, put } from "./pair-geometry.js";
import { PairSlider } from "./pair-slider.js";

/**
 * `<pair-view data-id …>` on the stage of the photo viewer: both photos of a pair in `[data-zoom]`, drawn by the pair's
 * geometry as slider, stacked, side by side or fading; below them the credit and the presentations.
 *
 * The pair's forms (`form[data-pair=ID]`), here and in its sheets, are sent without leaving the page. The element
 * dispatches `pair-drawn` when its picture has another size.
 */
class PairView extends Enhancement {
  /** @type {Pair} */
  #pair;
  #room;
  #picture;

  enhance(signal) {
    this.#pair = new Pair(this);
    this.#room = this.querySelector(".pair-room");
    this.#picture = this.querySelector("[data-zoom]");
    const drawAgain = () => this.#draw();
    new PairSlider(this.#picture.querySelector("[data-divider]"), this.#picture, signal);
    new PairFade(this.#picture, signal);
    const tools = { pair: this.#pair, draw: drawAgain };
    const choices = new PairChoices(this, tools);
    const align = new PairAlign(this, { ...tools, changed: () => choices.renewShare() }, signal);
    const acts = {
      mode: (submitter) => choices.present(submitter.value),
      align: () => align.align(),
      undo: () => align.undo(),
    };
    const send = (event) => this.#send(event, acts);
    document.addEventListener("submit", send, { signal });
    document.addEventListener("change", (event) => this.#isOwn(event.target.form) && choices.caption(event.target), { signal });
    const watch = new ResizeObserver(drawAgain);
    watch.observe(this.#room);
    signal.addEventListener("abort", () => watch.disconnect());
    this.#draw();
    const refresh = () => this.#refresh(choices);
    if (isReturn && !this.inert) refresh();
    addEventListener("pageshow", ({ persisted }) => persisted && !this.inert && refresh(), { signal });
  }

  /** Fetches the pair again, since Back shows the page as it was left, and points may have been set meanwhile. */
  async #refresh(choices) {
    try {
      const { alignment, mode } = await request("GET", this.#pair.path);
      this.#pair.align(alignment);
      choices.confirm(mode);
      this.#draw();
    } catch (error) {
      // Without an answer, the page stays as it was left.
      if (!("status" in error)) throw error;
    }
  }

  /**
   * Returns whether a form belongs to this pair. The sheets are outside of the element, so their forms name the pair.
   */
  #isOwn(form) {
    return form?.dataset.pair === this.#pair.id;
  }

  #send(event, acts) {
    const act = this.#isOwn(event.target) && acts[event.target.dataset.act];
    if (!act) return;
    event.preventDefault();
    event.target.closest("[popover]")?.hidePopover();
    act(event.submitter);
  }

  /** Draws the presentation as large as the room allows. */
  #draw() {
    const credit = this.querySelector(".pair-credit");
    const isBeside = getComputedStyle(credit).position === "absolute";
    const room = {
      width: this.#room.clientWidth,
      height: this.#room.clientHeight - (isBeside ? 0 : credit.offsetHeight),
    };
    // The page isn't laid out yet, or the window is lower than the bars.
    if (room.width < 1 || room.height < 1) return;
    const layout = layOut(this.#pair.mode, this.#pair.aspect, room);
    this.#picture.style.width = `${layout.width}px`;
    this.#picture.style.height = `${layout.height}px`;
    for (const side of /** @type {const} */ (["then", "now"])) {
      const half = this.#picture.querySelector(`[data-half=${side}]`);
      put(half, layout[side]);
      draw(half, layout[side], this.#pair.look(side));
    }
    this.dispatchEvent(new CustomEvent("pair-drawn", { bubbles: true }));
  }
}

customElements.define("pair-view", PairView);
