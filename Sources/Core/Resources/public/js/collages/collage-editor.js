import { Enhancement } from "../web/enhancement.js";
import { Gesture } from "../web/gesture.js";
import { Board } from "./board.js";
import { CellGestures, indexOf } from "./cell-gestures.js";
import { CellKeys } from "./cell-keys.js";
import { CellSheet } from "./cell-sheet.js";
import { Collage, nameOf } from "./collage.js";
import { Drawing } from "./drawing.js";
import { Looking } from "./looking.js";
import { Note } from "./note.js";
import { letFilesBeDropped, Picker } from "./picker.js";
import { Sharing } from "./sharing.js";
import { StyleForm } from "./style-form.js";
import { Swapping } from "./swapping.js";
import { Swiping } from "./swiping.js";

/**
 * `<collage-editor data-account data-draft data-layouts>` around the page of a collage: its bar, the square with its
 * cells, the forms, and the sheets `#fill`, `#cell` and `#shared`.
 *
 * `data-saved` is `yes` while the server has everything that was changed here.
 */
class CollageEditor extends Enhancement {
  /** What the parts of the editor share. */
  #tools;

  enhance(signal) {
    const { account, draft, layouts } = this.dataset;
    const square = this.querySelector("[data-square]");
    const stage = this.querySelector("[data-stage]");
    const page = { draft: JSON.parse(draft), layouts: JSON.parse(layouts), viewer: account };
    const collage = new Collage(page, signal);
    const drawing = new Drawing(square, this, collage);
    const note = new Note(this.querySelector("[data-note]"), signal);
    const board = new Board(square);
    const looking = new Looking(collage, drawing, signal);
    const select = (index) => drawing.select(index);
    /** @type {any} the parts that are made below find those that were made before */
    const tools = { collage, drawing, note, board, looking, select };
    this.#tools = tools;
    const words = this.querySelector("[data-swipe-words]");
    tools.swiping = new Swiping(square, words, (speed) => tools.sharing.share(speed), signal);
    tools.swapping = new Swapping(tools, signal);
    tools.sharing = new Sharing(this.querySelector("#shared"), tools);
    tools.picker = new Picker(this.querySelector("#fill"), tools, signal);
    tools.sheet = new CellSheet(this.querySelector("#cell"), tools, signal);
    letFilesBeDropped(square, tools.picker, collage, signal);
    new CellGestures(stage, tools, signal);
    new CellKeys(square, tools, signal);
    const style = this.querySelector("[data-style]");
    if (style) new StyleForm(style, tools, signal);
    this.#letWordsBeSwiped(signal);
    this.#listen(square, signal);
    this.#show();
  }

  #listen(square, signal) {
    const { collage, note, sharing } = this.#tools;
    collage.addEventListener("changed", () => this.#show(), { signal });
    collage.addEventListener("said", ({ detail }) => note.say(detail), { signal });
    collage.addEventListener("gone", () => this.#close(), { signal });
    square.addEventListener("click", (event) => this.#open(event), { signal });
    this.addEventListener("click", ({ target }) => this.#press(target), { signal });
    // This runs before the touch or the key has its effect, which may show a sentence of its own.
    for (const kind of ["pointerdown", "keydown"]) {
      document.addEventListener(kind, () => note.clear(), { capture: true, signal });
    }
    document.addEventListener("keydown", (event) => this.#shortcut(event), { signal });
    const share = (event) => {
      event.preventDefault();
      sharing.share();
    };
    this.querySelector("[data-finish]")?.addEventListener("submit", share, { signal });
  }

  /** Lets the collage be swiped by the words below it, too. */
  #letWordsBeSwiped(signal) {
    const { swiping } = this.#tools;
    const handle = this.querySelector("[data-swipe]");
    if (!handle) return;
    const start = ({ clientX: x, clientY: y }) => {
      if (!swiping.isAway) swiping.begin({ x, y });
      return !swiping.isAway;
    };
    const move = (step) => swiping.move(step);
    new Gesture(handle, { start, move, end: (speed) => swiping.end(speed) }, signal);
  }

  #show() {
    const { collage, drawing, note } = this.#tools;
    drawing.show();
    note.showSaved(collage.saved);
    this.dataset.saved = collage.saved.isSaved ? "yes" : "no";
    const { isOpen } = collage.rights;
    const [undo, redo] = [this.querySelector("[data-undo]"), this.querySelector("[data-redo]")];
    undo.disabled = !collage.history.canUndo;
    redo.disabled = !collage.history.canRedo;
    undo.hidden = redo.hidden = !isOpen;
    this.querySelector("[data-style]")?.toggleAttribute("hidden", !isOpen);
    const { photo } = collage.draft;
    const copy = this.querySelector("[data-edit-copy]");
    copy.hidden = isOpen || !photo;
    if (photo) copy.href = `/collage/edit/${photo.id}`;
    if (!isOpen) note.rest = this.#finished;
  }

  /** The sentence about a finished collage that was made together. */
  get #finished() {
    const hasPicture = Boolean(this.#tools.collage.draft.photo);
    return `This collage is finished.${hasPicture ? " The picture is in your library." : ""}`;
  }

  /** Opens the sheet of photos for an empty cell, and the cell's own sheet for a filled one. */
  #open(event) {
    const index = indexOf(event.target);
    if (index === undefined) return this.#tools.select();
    event.preventDefault();
    const { collage, note, picker, sheet } = this.#tools;
    const { account, photo, assigned_to } = collage.draft.cells[index];
    // In a finished collage, photos of others can only be reported.
    const isDone = !collage.rights.isOpen && (!photo || collage.rights.isOwn(account));
    if (isDone) note.say(this.#finished);
    else if (photo) sheet.open(index);
    else if (collage.rights.mayFill(index)) picker.open(index);
    else note.say(assigned_to ? `This cell is for ${nameOf(assigned_to)}.` : this.#finished);
  }

  #press(target) {
    const { collage } = this.#tools;
    if (target.closest("[data-undo]")) collage.step("undo");
    if (target.closest("[data-redo]")) collage.step("redo");
  }

  #shortcut(event) {
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey;
    const key = event.key.toLowerCase();
    if (!isCommand || !["y", "z"].includes(key) || document.querySelector(":popover-open, dialog[open]")) return;
    event.preventDefault();
    this.#tools.collage.step(key === "y" || event.shiftKey ? "redo" : "undo");
  }

  /** Leaves the page of a draft that was deleted, or that the person has left. */
  #close() {
    this.#tools.note.keep("This collage is no longer available.");
    this.querySelector("main").inert = true;
    for (const sheet of this.querySelectorAll(":popover-open")) sheet.hidePopover();
  }
}

customElements.define("collage-editor", CollageEditor);
