import { picture as pictureAt } from "../photos/paths.js";
import { prefersStillness } from "../web/motion.js";
import { pictureOf } from "../photos/placing.js";
import { cornerOf } from "./geometry.js";
import { shape } from "./drawn-cell.js";

/** Milliseconds of the haptic tick. */
const tick = 10;

const spring = { duration: 260, easing: "cubic-bezier(.32, .72, 0, 1)" };

/**
 * A photo lifted from its cell. A copy follows the finger, and over another cell the square previews the swap. Letting
 * go there swaps the two photos, and Escape puts the photo back.
 */
export class Swapping {
  #tools;
  /** @type {{index: number, copy: SVGSVGElement, x: number, y: number, target?: number} | null} */
  #lifted = null;

  /** @param {object} tools as in `CellGestures`, and the `drawing` and `note` */
  constructor(tools, signal) {
    this.#tools = tools;
    const press = (event) => {
      if (event.key !== "Escape" || !this.#lifted) return;
      event.preventDefault();
      this.cancel();
    };
    document.addEventListener("keydown", press, { signal });
    signal.addEventListener("abort", () => this.#lifted?.copy.remove());
  }

  /** Lifts a photo at a point of the window. Returns false when there is nowhere to put it. */
  lift(index, x, y) {
    const { collage } = this.#tools;
    const others = [...collage.draft.cells.keys()];
    if (!others.some((other) => collage.rights.maySwap(index, other))) return false;
    const copy = this.#copy(index);
    document.body.append(copy);
    this.#lifted = { index, copy, x, y };
    this.#tools.drawing.lift(index);
    navigator.vibrate?.(tick);
    return true;
  }

  move(x, y) {
    const lifted = this.#lifted;
    if (!lifted) return;
    lifted.copy.style.translate = `${x - lifted.x}px ${y - lifted.y}px`;
    const { board, collage } = this.#tools;
    const over = collage.cellAt(board.point(x, y));
    const isTarget = over !== undefined && collage.rights.maySwap(lifted.index, over);
    this.#aim(isTarget ? over : undefined);
  }

  /** Drops the photo: over another cell the two change places. */
  drop() {
    const lifted = this.#lifted;
    if (!lifted) return;
    const { index, target } = lifted;
    this.#land(target ?? index);
    if (target === undefined) return;
    this.#tools.collage.swap(index, target);
    this.#tools.select(target);
    this.#tools.note.say(`Swapped cells ${index + 1} and ${target + 1}.`);
  }

  /** Puts the photo back. */
  cancel() {
    if (!this.#lifted) return;
    this.#aim(undefined);
    this.#land(this.#lifted.index);
  }

  /** Previews the swap with a cell. */
  #aim(target) {
    const lifted = this.#lifted;
    if (lifted.target === target) return;
    const { collage, drawing } = this.#tools;
    lifted.target = target;
    drawing.show(target === undefined ? collage.draft : collage.swapped(lifted.index, target));
    drawing.lift(target ?? lifted.index);
    if (target !== undefined) navigator.vibrate?.(tick);
  }

  /** Lowers the copy into a cell, which then shows the photo itself. */
  async #land(index) {
    const { copy } = this.#lifted;
    this.#lifted = null;
    const { board, collage } = this.#tools;
    const { x, y, width, height } = board.toWindow(collage.frame(index));
    const from = copy.getBoundingClientRect();
    const across = x + width / 2 - (from.left + from.width / 2);
    const down = y + height / 2 - (from.top + from.height / 2);
    const [left = 0, top = 0] = copy.style.translate.split(" ").map(parseFloat);
    const end = { translate: `${left + across}px ${top + down}px`, scale: "1", opacity: 0.6 };
    if (!prefersStillness()) await copy.animate(end, spring).finished.catch(() => {});
    copy.remove();
    if (!this.#lifted) this.#tools.drawing.lift();
  }

  /** Makes a copy of a photo as its cell shows it, above the page. */
  #copy(index) {
    const { board, collage } = this.#tools;
    const { photo, ...view } = collage.draft.cells[index];
    const frame = collage.frame(index);
    const rx = cornerOf(frame, collage.draft.corner_radius);
    const href = pictureAt(photo.id, "large");
    const picture = pictureOf(frame, photo.meta.original, view);
    const copy = shape(
      "svg",
      { class: "collage-lifted", viewBox: Object.values(frame).join(" "), "aria-hidden": "true" },
      shape("clipPath", { id: "window-lifted" }, shape("rect", { ...frame, rx })),
      shape("image", { href, ...picture, preserveAspectRatio: "none", "clip-path": "url(#window-lifted)" }),
    );
    const { x, y, width, height } = board.toWindow(frame);
    const style = { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` };
    Object.assign(copy.style, style);
    return copy;
  }
}
