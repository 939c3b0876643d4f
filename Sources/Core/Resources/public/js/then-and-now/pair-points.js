import { photoPage } from "../photos/paths.js";
import { request } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { returnTo } from "../web/trail.js";
import { mapOf } from "./homography.js";
import { Magnifier } from "./magnifier.js";
import { Pair } from "./pair.js";
import { draw, layOut, put } from "./pair-geometry.js";
import { problemOf } from "./plausibility.js";
import { PointMark } from "./point-mark.js";

const sides = /** @type {const} */ (["then", "now"]);

/** The opacity of now over then when the points first fit, in per cent. */
const firstSight = 50;

/**
 * `<pair-points data-id …>` around both photos of a pair and a form with four points on each: the person sets the
 * points on the photos, and now is laid over then accordingly.
 */
class PairPoints extends Enhancement {
  /** @type {Pair} */
  #pair;
  #room;
  #form;
  #note;
  #onion;
  #magnifier;
  /** @type {import("./homography.js").PointPair[]} */
  #points;
  #isSaving = false;
  /** Whether now has been laid over then once. From then on the person decides how much of it is visible. */
  #hasShown = false;

  enhance(signal) {
    this.#pair = new Pair(this);
    // Both photos are shown as they were framed, neither aligned nor cropped.
    this.#pair.isPlain = true;
    this.#room = this.querySelector(".points-room");
    this.#form = this.querySelector("form");
    this.#note = this.querySelector("[data-note]");
    this.#onion = this.querySelector("[data-onion]");
    this.#magnifier = new Magnifier(this, signal);
    this.#points = [0, 1, 2, 3].map((index) => ({ then: this.#read(index, "then"), now: this.#read(index, "now") }));
    for (const side of sides) {
      this.#points.forEach((_, index) => this.#mark(index, side, signal));
    }
    this.#form.addEventListener("submit", (event) => this.#save(event), { signal });
    this.#onion.addEventListener("input", () => this.#showOnion(), { signal });
    const watch = new ResizeObserver(() => this.#draw());
    watch.observe(this.#room);
    signal.addEventListener("abort", () => watch.disconnect());
    this.#draw();
    this.#check();
  }

  #input(index, side, axis) {
    return this.#form.elements[`points[${index}][${side}][${axis}]`];
  }

  #read(index, side) {
    return { x: this.#input(index, side, "x").valueAsNumber, y: this.#input(index, side, "y").valueAsNumber };
  }

  #pane(side) {
    return this.#room.querySelector(`[data-side=${side}]`);
  }

  #mark(index, side, signal) {
    const pane = this.#pane(side);
    const half = pane.querySelector(`[data-half=${side}]`);
    const look = () => {
      this.#magnifier.show(half, this.#pair.look(side), this.#points[index][side]);
    };
    const moved = (point) => {
      this.#points[index][side] = point;
      for (const axis of ["x", "y"]) this.#input(index, side, axis).value = point[axis].toFixed(5);
      mark.show(point);
      look();
      this.#check(true);
    };
    const held = (isHeld) => {
      this.toggleAttribute("data-dragging", isHeld);
      if (isHeld) look();
      else this.#magnifier.hide();
    };
    const mark = new PointMark(index, side, pane, { moved, held, left: () => this.#magnifier.hide() }, signal);
    mark.show(this.#points[index][side]);
  }

  /** Says whether the points fit, and shows the result if they do. */
  #check(isChanged = false) {
    const problem = problemOf(this.#points, this.#pair.aspect);
    this.#note.textContent = problem ?? "Set each number on the same spot of both photos.";
    this.#note.toggleAttribute("data-problem", Boolean(problem));
    this.querySelector("[data-save]").disabled = Boolean(problem);
    this.#onion.disabled = Boolean(problem);
    if (isChanged && !problem && !this.#hasShown) {
      this.#hasShown = true;
      this.#onion.value = firstSight;
    }
    this.#showOnion();
  }

  #showOnion() {
    const map = this.#onion.disabled ? null : mapOf(this.#points);
    const over = this.#room.querySelector("[data-half=over]");
    over.style.opacity = map ? this.#onion.valueAsNumber / 100 : 0;
    const { width, height } = this.#pane("then").getBoundingClientRect();
    if (map && width > 0) draw(over, { width, height }, { ...this.#pair.look("now"), map });
  }

  /** Puts the photos above or beside each other, whichever shows them larger. */
  #draw() {
    const room = { width: this.#room.clientWidth, height: this.#room.clientHeight };
    if (room.width < 1 || room.height < 1) return;
    const ways = /** @type {const} */ (["stacked", "side_by_side"]).map((mode) => layOut(mode, this.#pair.aspect, room));
    const layout = ways[0].then.width >= ways[1].then.width ? ways[0] : ways[1];
    const [left, top] = [(room.width - layout.width) / 2, (room.height - layout.height) / 2];
    for (const side of sides) {
      const box = { ...layout[side], x: layout[side].x + left, y: layout[side].y + top };
      put(this.#pane(side), box);
      draw(this.#pane(side).querySelector(`[data-half=${side}]`), box, this.#pair.look(side));
    }
    this.#showOnion();
  }

  async #save(event) {
    event.preventDefault();
    if (this.#isSaving) return;
    this.#isSaving = true;
    this.#note.removeAttribute("data-problem");
    this.#note.textContent = "Saving…";
    try {
      await request("POST", `${this.#pair.path}/align`, { points: this.#points });
      returnTo(photoPage(this.#pair.id));
    } catch (error) {
      this.#note.textContent = error.message;
      this.#note.toggleAttribute("data-problem", true);
    } finally {
      this.#isSaving = false;
    }
  }
}

customElements.define("pair-points", PairPoints);
