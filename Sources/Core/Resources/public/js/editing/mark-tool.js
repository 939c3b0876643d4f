import { element } from "../web/element.js";
import { enlargementOf, ways } from "../web/moving-keys.js";
import { placeSliders, symbolButton, wordButton } from "./controls.js";
import { withMark, withoutMark } from "./edit.js";
import { between, turned } from "./geometry.js";

/** By how much an arrow key moves a mark, in units, and + and − enlarge it. */
const keyStep = 0.01;
const keyZoom = 1.08;

/** Pixels that a finger may move in a tap. */
const tap = 8;

/** Pixels around a mark that still hit it, so that a small one can be touched. */
const slack = 12;

/**
 * What texts and blurred parts have in common: one is chosen, by a tap on it or by its button, and then moved, enlarged
 * or removed. A subclass says how one is made, changed and named.
 */
export class MarkTool {
  name = "";
  symbol = "";
  /** What one mark is called, after “Add”. */
  noun = "";
  hint = "Drag to move, spread two fingers to enlarge, turn them to turn, or press the arrow keys, plus and minus.";
  /** @type {import("./photo-editor.js").PhotoEditor} */
  editor;
  /**
   * The kind of mark that this tool changes.
   *
   * @type {"text" | "blur"}
   */
  kind;
  /** What is shown while one is chosen. */
  details = element("div", { class: "details" });
  #list = element("div", { class: "line marks", role: "group" });
  #place;
  /** What the list shows: names, ids, and which is chosen. */
  #listed = "";
  /** The mark under the finger, and where the finger is on the photo. */
  #drag = null;

  /**
   * @param {import("./photo-editor.js").PhotoEditor} editor
   * @param {"text" | "blur"} kind
   */
  constructor(editor, kind) {
    this.editor = editor;
    this.kind = kind;
    const actions = { input: (place) => this.change(place), change: () => editor.keep() };
    this.#place = placeSliders(kind === "text" ? "Text" : "Blur", actions);
    this.panel = element("div", {}, this.details, this.#list);
  }

  /**
   * @abstract
   * @returns {string} the words on a mark's button
   */
  nameOf(mark, index) {
    throw missing("nameOf");
  }

  /**
   * Shows what the chosen mark is like.
   *
   * @abstract
   * @returns {void}
   */
  showDetails(mark) {
    throw missing("showDetails");
  }

  /**
   * @abstract
   * @returns {any} a new mark at a point of the photo, or in the middle of the frame
   */
  made(at) {
    throw missing("made");
  }

  /**
   * Handles a tap where no mark is.
   *
   * @abstract
   * @returns {void}
   */
  tapBeside(at) {
    throw missing("tapBeside");
  }

  /**
   * @abstract
   * @returns {object} what changes when the mark grows by a factor and turns by some degrees
   */
  enlarged(mark, factor, turn = 0) {
    throw missing("enlarged");
  }

  /**
   * @abstract
   * @returns {object} what changes when the mark's knob is pulled from one point of the photo to another
   */
  pulled(mark, before, at) {
    throw missing("pulled");
  }

  /**
   * The sliders for the place of the chosen mark, which a subclass puts among its details.
   *
   * @returns {HTMLElement}
   */
  get place() {
    return element("div", { class: "line by-keys" }, ...this.#place.sliders);
  }

  /** @returns {any} the chosen mark */
  get chosen() {
    return this.#marks.find(({ id }) => id === this.editor.activeID);
  }

  /** @returns {any[]} */
  get #marks() {
    return this.editor.edit.marks.filter(({ kind }) => kind === this.kind);
  }

  show() {
    const { chosen } = this;
    this.details.hidden = !chosen;
    this.#showList();
    if (!chosen) return;
    this.showDetails(chosen);
    this.#place.show(chosen, this.editor.edit.size);
  }

  /** Shows a button for each mark, unless they are there: while a mark is moved, only its place changes. */
  #showList() {
    const { chosen } = this;
    const names = this.#marks.map((mark, index) => this.nameOf(mark, index));
    const state = JSON.stringify([names, this.#marks.map(({ id }) => id), chosen?.id]);
    if (state === this.#listed) return;
    this.#listed = state;
    const buttons = this.#marks.map((mark, index) => {
      const button = wordButton(names[index], () => this.choose(mark.id));
      button.setAttribute("aria-pressed", String(mark === chosen));
      return button;
    });
    const add = wordButton(`Add ${this.noun}`, () => this.add(), "plus-lg");
    const remove = symbolButton("trash", `Remove this ${this.noun}`, () => this.#remove());
    const focused = [...this.#list.children].indexOf(document.activeElement);
    this.#list.replaceChildren(add, ...buttons, ...(chosen ? [remove] : []));
    // The buttons were made again.
    const { children } = this.#list;
    if (focused >= 0) /** @type {HTMLElement} */ (children[Math.min(focused, children.length - 1)]).focus();
    this.#list.querySelector("[aria-pressed=true]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /**
   * Chooses a mark, or none.
   *
   * @param {number | null} id
   */
  choose(id) {
    if (this.editor.activeID === id) return;
    this.leave();
    this.editor.activeID = id;
    this.editor.show(this.editor.edit);
  }

  /** Ends the work on the chosen mark. */
  leave() {
    this.editor.activeID = null;
  }

  /** @param {{x: number, y: number} | undefined} [at] on the photo; the middle of the frame otherwise */
  add(at) {
    if (!this.editor.hasRoom()) return;
    this.leave();
    const mark = this.made(at);
    this.editor.activeID = mark.id;
    this.editor.show(withMark(this.editor.edit, mark));
    this.editor.keep();
    const name = this.nameOf(mark, this.#marks.length - 1);
    this.editor.say(at ? `${name} added.` : `${name} added in the middle.`);
  }

  /** Shows the chosen mark with some changes. */
  change(changes) {
    if (this.chosen) this.editor.show(withMark(this.editor.edit, { ...this.chosen, ...changes }));
  }

  #remove() {
    const { id } = this.chosen;
    this.editor.activeID = null;
    this.editor.show(withoutMark(this.editor.edit, id));
    this.editor.keep();
    this.editor.say("Removed.");
    this.#list.querySelector("button").focus();
  }

  start({ target, clientX, clientY }) {
    const at = this.editor.stage.onPhoto(clientX, clientY);
    const isKnob = Boolean(target.closest("[data-knob]")) && Boolean(this.chosen);
    const mark = isKnob ? this.chosen : this.#under(at);
    if (mark) this.choose(mark.id);
    this.#drag = { at, isKnob, hasMark: Boolean(mark), way: 0 };
  }

  move({ dx, dy, factor, turn, fingers }) {
    this.#drag.way += Math.hypot(dx, dy);
    const mark = this.chosen;
    if (!mark || !(this.#drag.hasMark || fingers > 1)) return;
    const way = turned({ x: dx / this.editor.stage.scale, y: dy / this.editor.stage.scale }, -this.editor.edit.angle);
    const at = { x: this.#drag.at.x + way.x, y: this.#drag.at.y + way.y };
    if (this.#drag.isKnob) this.change(this.pulled(mark, this.#drag.at, at));
    else this.change({ ...this.#placed(mark.x + way.x, mark.y + way.y), ...this.enlarged(mark, factor, turn) });
    this.#drag.at = at;
  }

  end({ fingers }) {
    const { at, hasMark, way } = this.#drag;
    this.#drag = null;
    if (!hasMark && fingers === 1 && way < tap) this.tapBeside(at);
    this.editor.keep();
  }

  /** @returns {boolean} whether the key was for this tool */
  press({ key }) {
    const mark = this.chosen;
    if (!mark) return false;
    const [way, factor] = [ways[key], enlargementOf(key, keyZoom)];
    if (key === "Delete" || key === "Backspace") this.#remove();
    else if (way) this.change(this.#placed(mark.x + way[0] * keyStep, mark.y + way[1] * keyStep));
    else if (factor) this.change(this.enlarged(mark, factor));
    else return false;
    this.editor.keep();
    return true;
  }

  /** Keeps the middle of a mark on the photo. */
  #placed(x, y) {
    const { width, height } = this.editor.edit.size;
    return { x: between(x, 0, width), y: between(y, 0, height) };
  }

  /** Returns the last mark under a point of the photo. */
  #under(point) {
    const { stage } = this.editor;
    return this.#marks.findLast((mark) => {
      const { x, y } = turned({ x: point.x - mark.x, y: point.y - mark.y }, -(mark.angle ?? 0));
      const { width, height } = stage.sizeOf(mark);
      const more = slack / stage.scale;
      return Math.abs(x) < width / 2 + more && Math.abs(y) < height / 2 + more;
    });
  }
}

const missing = (name) => new Error(`This tool doesn’t say how it does ${name}().`);
