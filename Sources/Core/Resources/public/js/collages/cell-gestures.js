import { Gesture } from "../web/gesture.js";
import { canPan } from "../photos/placing.js";

/** Pixels before a finger has a direction, and milliseconds after which a resting finger lifts the photo. */
const slack = 6;
const hold = 350;

/** How much a turn of the wheel enlarges: a notch, and a pinch on a touchpad, which comes as a wheel with Ctrl. */
const notch = 0.0022;
const touchpad = 0.012;

/** Pixels of a line, for wheels that count lines. */
const line = 24;

/**
 * What fingers, mouse and wheel do on the square and around it: move and enlarge a photo in its cell, lift a photo to
 * swap it with another, or swipe the whole collage away to share it.
 */
export class CellGestures {
  #tools;
  /** Where the finger was put down, and how far it has moved. */
  #start;
  /** @type {"look" | "swap" | "swipe" | "nothing" | null} null until the first clear movement */
  #mode = null;
  #timer;

  /**
   * @param {HTMLElement} stage holds the square
   * @param {object} tools
   * @param {import("./board.js").Board} tools.board
   * @param {import("./collage.js").Collage} tools.collage
   * @param {import("./looking.js").Looking} tools.looking
   * @param {import("./swapping.js").Swapping} tools.swapping
   * @param {import("./swiping.js").Swiping} tools.swiping
   * @param {(index?: number) => void} tools.select
   * @param {AbortSignal} signal ends the listening
   */
  constructor(stage, tools, signal) {
    this.#tools = tools;
    const actions = {
      start: (event) => this.#begin(event),
      move: (step) => this.#move(step),
      end: (speed) => this.#end(speed),
    };
    new Gesture(stage, actions, signal);
    // Two fingers enlarge, however long they wait.
    const join = ({ isPrimary }) => isPrimary || clearTimeout(this.#timer);
    stage.addEventListener("pointerdown", join, { signal });
    stage.addEventListener("wheel", (event) => this.#turn(event), { signal, passive: false });
    stage.addEventListener("click", (event) => this.#click(event), { signal, capture: true });
    stage.addEventListener("contextmenu", (event) => this.#keepMenuAway(event), { signal });
    // This runs before the gesture's own listener, which would drop the photo.
    document.addEventListener("pointercancel", () => tools.swapping.cancel(), { signal, capture: true });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  #begin({ target, clientX, clientY }) {
    const { board, collage, swiping } = this.#tools;
    if (swiping.isAway) return false;
    board.measure();
    const index = indexOf(target);
    const isFilled = Boolean(collage.draft.cells[index]?.photo);
    this.#start = { index, x: clientX, y: clientY, dx: 0, dy: 0, isFilled };
    this.#mode = null;
    clearTimeout(this.#timer);
    if (isFilled) this.#timer = setTimeout(() => this.#lift(), hold);
    return true;
  }

  #lift() {
    const { index, x, y } = this.#start;
    if (this.#mode || !this.#tools.swapping.lift(index, x, y)) return;
    this.#tools.select(index);
    this.#mode = "swap";
  }

  #move(step) {
    const start = this.#start;
    if (!this.#mode) {
      start.dx += step.dx;
      start.dy += step.dy;
      if (step.fingers < 2 && Math.hypot(start.dx, start.dy) < slack) return;
      clearTimeout(this.#timer);
      this.#mode = this.#decide(step.fingers);
      if (this.#mode === "swipe") this.#tools.swiping.begin(start);
      if (step.fingers < 2) Object.assign(step, { dx: start.dx, dy: start.dy });
    }
    if (this.#mode === "look") this.#look(step);
    if (this.#mode === "swap") this.#tools.swapping.move(step.x, step.y);
    if (this.#mode === "swipe") this.#tools.swiping.move(step);
  }

  /**
   * Decides what a movement is: one that the photo in the cell can't follow, in the direction of a swipe, is a swipe.
   */
  #decide(fingers) {
    const { board, collage, looking, select, swiping } = this.#tools;
    const { index, dx, dy, isFilled } = this.#start;
    const mayLook = isFilled && looking.begin(index);
    if (fingers < 2 && swiping.isToward(dx, dy)) {
      const [across, down] = [dx / board.scale, dy / board.scale];
      const way = Math.abs(dx) > Math.abs(dy) ? [across, 0] : [0, down];
      const size = collage.draft.cells[index]?.photo?.meta.original;
      if (!mayLook || !canPan(collage.frame(index), size, looking.view, ...way)) {
        looking.end();
        select();
        return "swipe";
      }
    }
    select(mayLook ? index : undefined);
    return mayLook ? "look" : "nothing";
  }

  #look({ dx, dy, factor, x, y }) {
    const { board, looking } = this.#tools;
    looking.pan(dx / board.scale, dy / board.scale);
    if (factor !== 1) looking.zoom(factor, board.point(x, y));
  }

  #end(speed) {
    clearTimeout(this.#timer);
    if (this.#mode === "look") this.#tools.looking.end();
    if (this.#mode === "swap") this.#tools.swapping.drop();
    if (this.#mode === "swipe") this.#tools.swiping.end(speed);
  }

  #turn(event) {
    const index = indexOf(event.target);
    const { board, looking, select } = this.#tools;
    if (index === undefined || !looking.begin(index)) return;
    event.preventDefault();
    board.measure();
    select(index);
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? line : 1);
    const factor = Math.exp(-pixels * (event.ctrlKey ? touchpad : notch));
    looking.zoom(factor, board.point(event.clientX, event.clientY));
    looking.endSoon();
  }

  /** Cancels the click at the end of a drag, which is no tap. A click by the keyboard has no `detail`. */
  #click(event) {
    if (!this.#mode || event.detail === 0) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Keeps the browser's menu of links closed, since a resting finger lifts the photo. */
  #keepMenuAway(event) {
    if (event.pointerType !== "mouse" || this.#mode === "swap") event.preventDefault();
  }
}

/**
 * Returns the index of the cell that a node is in.
 *
 * @returns {number | undefined}
 */
export function indexOf(node) {
  const cell = node.closest?.("a.cell");
  return cell ? Number(cell.dataset.index) : undefined;
}
