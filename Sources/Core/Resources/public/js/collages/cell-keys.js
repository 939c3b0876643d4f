import { enlargementOf, ways } from "../web/moving-keys.js";
import { indexOf } from "./cell-gestures.js";

/** Pixels of the square that an arrow key moves a photo, and with Shift; how much a key enlarges. */
const step = 10;
const small = 1;
const factor = 1.1;

/**
 * The keys of a cell that has the focus: arrows move its photo, + and − enlarge and shrink the photo, Alt and an arrow
 * swap it with the next or previous cell. Enter opens the cell, which is a link.
 */
export class CellKeys {
  #tools;

  /** @param {SVGSVGElement} square @param {object} tools as in `CellGestures`, and the `drawing` and `note` */
  constructor(square, tools, signal) {
    this.#tools = tools;
    square.addEventListener("keydown", (event) => this.#press(event), { signal });
    square.addEventListener("focusout", () => tools.looking.end(), { signal });
  }

  #press(event) {
    const index = indexOf(event.target);
    if (index === undefined || event.ctrlKey || event.metaKey) return;
    const way = ways[event.key];
    const enlarging = enlargementOf(event.key, factor);
    if (!way && !enlarging) return;
    event.preventDefault();
    if (way && event.altKey) return this.#swap(index, way[0] + way[1]);
    const { looking, select } = this.#tools;
    if (!looking.begin(index)) return;
    select(index);
    const length = event.shiftKey ? small : step;
    if (way) looking.pan(way[0] * length, way[1] * length);
    else looking.zoomInPlace(enlarging);
    looking.endSoon();
  }

  /** Swaps a photo with the next or the previous cell. The focus stays on the photo. */
  #swap(index, distance) {
    const { collage, drawing, looking, note, select } = this.#tools;
    const other = index + distance;
    if (!collage.draft.cells[other] || !collage.rights.maySwap(index, other)) return;
    looking.end();
    collage.swap(index, other);
    drawing.link(other).focus();
    select(other);
    note.say(`Swapped cells ${index + 1} and ${other + 1}.`);
  }
}
