import { element, icon } from "../web/element.js";
import { Gesture } from "../web/gesture.js";
import { stayAboveKeyboard } from "../web/keyboard.js";
import { ask } from "../web/question.js";
import { stepBack } from "../web/trail.js";
import { BlurTool } from "./blur-tool.js";
import { symbolButton } from "./controls.js";
import { CropTool } from "./crop-tool.js";
import { DrawTool } from "./draw-tool.js";
import { isEmpty, isSame, mostMarks, untouched, withoutEmptyTexts } from "./edit.js";
import { FilterTool } from "./filter-tool.js";
import { loadFonts, loadedFonts } from "./fonts.js";
import { Stage } from "./stage.js";
import { Steps } from "./steps.js";
import { TextTool } from "./text-tool.js";

/**
 * What the person does with the photo. `move()` and `end()` go to the tool whose `start()` was called, always.
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} symbol
 * @property {string} hint how it is used, for screen readers
 * @property {HTMLElement} panel its controls
 * @property {(edit: import("./edit.js").Edit) => void} show shows an edit in its controls
 * @property {(event: PointerEvent) => boolean | void} start a finger came down on the photo; `false` declines
 * @property {(step: any) => void} move as `Gesture` says
 * @property {(end: {fingers: number}) => void} end the fingers have left
 * @property {(event: KeyboardEvent) => boolean} press a key was pressed on the photo; returns whether it was for this tool
 * @property {() => void} [enter] the tool is chosen
 * @property {() => void} [leave] another tool is chosen
 */

/** The window in which a photo is edited: the photo, the tools below it, undo and redo above it. */
export class PhotoEditor {
  /**
   * The photo as it is shown.
   *
   * @type {Stage}
   */
  stage;
  /**
   * What is shown.
   *
   * @type {import("./edit.js").Edit}
   */
  edit;
  /**
   * The id of the mark that is being changed.
   *
   * @type {number | null}
   */
  activeID = null;
  #photo;
  /** The edit that the editor was opened with. */
  #first;
  /** @type {Steps<import("./edit.js").Edit>} */
  #steps;
  /** @type {Tool[]} */
  #tools;
  /** @type {Tool} */
  #tool;
  /**
   * The tool that the fingers on the photo belong to.
   *
   * @type {Tool | null}
   */
  #handled = null;
  /**
   * Ends the making of the picture.
   *
   * @type {AbortController | null}
   */
  #making = null;
  #lastID = 0;
  #dialog;
  #panel = element("div", { class: "panel" });
  #problem = element("p", { class: "problem", role: "alert" });
  #said = element("p", { class: "unseen", role: "status" });
  #undo = symbolButton("arrow-counterclockwise", "Undo", () => this.#go("undo"));
  #redo = symbolButton("arrow-clockwise", "Redo", () => this.#go("redo"));
  #over = new AbortController();
  #drawing = 0;

  /**
   * @param {Blob} photo
   * @param {ImageBitmap} preview the same, at most as large as it is drawn on a screen
   * @param {import("./edit.js").Edit | null} [edit] what was done to the photo before, which can be undone
   */
  constructor(photo, preview, edit = null) {
    const { signal } = this.#over;
    this.#photo = photo;
    this.#steps = new Steps(untouched(preview));
    if (edit && !isSame(edit, this.#steps.current)) this.#steps.add(edit);
    this.edit = this.#first = this.#steps.current;
    this.#lastID = Math.max(0, ...this.edit.marks.map(({ id }) => id));
    this.stage = new Stage(preview, signal);
    this.#tools = [CropTool, FilterTool, TextTool, DrawTool, BlurTool].map((Tool) => new Tool(this));
    const bar = element("fieldset", { class: "tools" }, element("legend", { class: "unseen" }, "Tools"));
    const group = crypto.randomUUID();
    for (const [index, { name, symbol }] of this.#tools.entries()) {
      const input = element("input", { class: "cover", type: "radio", name: group, value: name, "aria-label": name });
      input.checked = index === 0;
      bar.append(element("label", {}, input, icon(symbol), element("span", {}, name)));
    }
    bar.onchange = ({ target }) => this.#choose(/** @type {HTMLInputElement} */ (target).value);
    const [cancel, done] = [["Cancel", "quiet"], ["Done", "strong"]].map(([word, look]) =>
      element("button", { type: "button", class: look }, word),
    );
    done.dataset.done = "";
    this.#dialog = element(
      "dialog",
      { class: "photo-editor", "aria-label": "Edit photo" },
      element("header", {}, cancel, element("div", {}, this.#undo, this.#redo), done),
      this.stage.root,
      element("p", { class: "making", role: "status" }),
      this.#problem,
      this.#said,
      this.#panel,
      bar,
    );
    // On the document: a button that was pressed and is disabled then has the focus, and hears no keys.
    document.addEventListener("keydown", (event) => this.#press(event), { signal });
    const gesture = {
      start: (event) => {
        if (this.#tool.start(event) === false) return false;
        this.#handled = this.#tool;
      },
      move: (step) => this.#handled?.move(step),
      end: (end) => this.#endHandling(end),
    };
    new Gesture(this.stage.root, gesture, signal);
  }

  /**
   * Lets the person edit the photo.
   *
   * @returns {Promise<Blob | null>} the edited picture, a JPEG; null when nothing was changed or all was cancelled
   */
  async run() {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    stayAboveKeyboard(this.#dialog, this.#over.signal);
    this.#choose(this.#tools[0].name);
    if (this.#hasTexts) this.loadFonts();
    this.#dialog.querySelector(".tools input").focus();
    const [cancel, done] = [this.#dialog.querySelector("header > button"), this.#dialog.querySelector("[data-done]")];
    // Back leaves the editor and stays on the page.
    const place = crypto.randomUUID();
    const enter = () => history.pushState({ ...history.state, editor: place }, "");
    enter();
    const { signal } = this.#over;
    const warn = (event) => this.#isChanged && event.preventDefault();
    addEventListener("beforeunload", warn, { signal });
    try {
      return await new Promise((resolve) => {
        const leave = async () => (await this.#mayLeave()) && resolve(null);
        // At once: Back pressed again while the question is open stays here, too.
        const goBack = () => (enter(), leave());
        addEventListener("popstate", goBack, { signal });
        // Chromium closes a dialog at the second Escape in a row, whatever is said to the first.
        this.#dialog.addEventListener("close", () => this.#dialog.showModal(), { signal });
        this.#dialog.oncancel = (event) => {
          event.preventDefault();
          leave();
        };
        cancel.onclick = leave;
        done.onclick = () => this.#finish().then((picture) => picture !== undefined && resolve(picture));
      });
    } finally {
      this.#over.abort();
      await backFrom(place);
      cancelAnimationFrame(this.#drawing);
      this.#dialog.close();
      this.#dialog.remove();
    }
  }

  /**
   * Shows an edit that may still change, such as while a finger moves. It is drawn once for each frame of the screen.
   *
   * @param {import("./edit.js").Edit} edit
   */
  show(edit) {
    this.edit = edit;
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.draw());
  }

  /** Makes what is shown a step that can be undone, unless nothing has changed or a text is still to be written. */
  keep() {
    if (this.#hasNews && !this.edit.marks.some(isEmpty)) this.#steps.add(this.edit);
    this.draw();
  }

  /** Whether something is shown that is no step yet, such as a text while it is being written. */
  get #hasNews() {
    return !isSame(withoutEmptyTexts(this.edit), this.#steps.current);
  }

  get #isChanged() {
    return !isSame(withoutEmptyTexts(this.edit), this.#first);
  }

  get #hasTexts() {
    return this.edit.marks.some(({ kind }) => kind === "text");
  }

  #endHandling(end) {
    const tool = this.#handled;
    this.#handled = null;
    tool?.end(end);
  }

  /**
   * Tells people who can't see it what has happened.
   *
   * @param {string} words
   */
  say(words) {
    this.#said.textContent = words;
  }

  /** Returns whether there is room for one more mark, and says so if there isn't. */
  hasRoom() {
    const isFull = this.edit.marks.length >= mostMarks;
    this.#problem.textContent = isFull ? `At most ${mostMarks} texts, lines and blurred parts. Undo some first.` : "";
    return !isFull;
  }

  /** Loads the fonts of texts, and draws the texts again with those that have come. */
  async loadFonts() {
    if (!(await loadFonts()) || this.#over.signal.aborted) return;
    this.stage.forgetTexts();
    this.draw();
  }

  newID() {
    this.#lastID += 1;
    return this.#lastID;
  }

  /** Draws what is shown, at once. */
  draw() {
    cancelAnimationFrame(this.#drawing);
    this.stage.show(this.edit, this.activeID);
    // Under a finger, the photo moves as often as the screen is drawn. The controls follow when the finger leaves.
    if (this.#handled) return;
    this.#tool.show(this.edit);
    const { canUndo, canRedo } = this.#steps;
    this.#undo.disabled = !canUndo && !this.#hasNews;
    this.#redo.disabled = !canRedo;
  }

  #choose(name) {
    this.#problem.textContent = "";
    // A finger may still be down.
    this.#endHandling({ fingers: 0 });
    this.#tool?.leave?.();
    this.activeID = null;
    this.#tool = this.#tools.find((tool) => tool.name === name);
    this.#tool.enter?.();
    this.#panel.replaceChildren(this.#tool.panel);
    this.#dialog.dataset.tool = name;
    this.stage.isCutting = name === "Crop";
    this.stage.root.ariaLabel = `Photo. ${this.#tool.hint}`.trim();
    this.keep();
  }

  /** @param {"undo" | "redo"} way */
  #go(way) {
    this.#problem.textContent = "";
    this.#endHandling({ fingers: 0 });
    this.keep();
    this.activeID = null;
    this.#steps[way]();
    this.edit = this.#steps.current;
    this.draw();
    this.say(way === "undo" ? "Undone." : "Done again.");
  }

  #press(event) {
    const { key, target, shiftKey, ctrlKey, metaKey, altKey } = event;
    if (this.#dialog !== topmost() || this.#making || altKey) return;
    const isText = target.localName === "textarea";
    if (ctrlKey || metaKey) {
      const letter = key.toLowerCase();
      if (isText || !["y", "z"].includes(letter)) return;
      event.preventDefault();
      this.#go(letter === "y" || shiftKey ? "redo" : "undo");
    } else if (this.stage.root.contains(target) && this.#tool.press(event)) {
      event.preventDefault();
    }
  }

  /** Returns whether the editor may be left. While the picture is made, ends that and goes on. */
  async #mayLeave() {
    if (this.#making) {
      this.#making.abort();
      return false;
    }
    if (!this.#isChanged) return true;
    // It is being asked already.
    if (this.#dialog !== topmost()) return false;
    return ask("Discard your changes?", "Discard", "Keep editing");
  }

  /** Makes the picture. Returns nothing when that failed, and says why. */
  async #finish() {
    this.#problem.textContent = "";
    this.#endHandling({ fingers: 0 });
    this.#tool.leave?.();
    this.keep();
    if (!this.#isChanged) return null;
    this.#making = new AbortController();
    this.#showMaking();
    try {
      const isReady = this.#hasTexts ? this.loadFonts() : Promise.resolve();
      return await made(this.#photo, this.edit, isReady, this.#making.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.#problem.textContent = error.message;
    } finally {
      this.#making = null;
      this.#showMaking();
    }
    this.#dialog.querySelector("[data-done]").focus();
  }

  #showMaking() {
    const isBusy = this.#making !== null;
    this.#dialog.toggleAttribute("data-busy", isBusy);
    this.#dialog.querySelector(".making").textContent = isBusy ? "Making the picture…" : "";
    const parts = this.#dialog.querySelectorAll("header > div, [data-done], .stage, .panel, .tools");
    for (const part of parts) part.inert = isBusy;
  }
}

/** Goes back from the editor's entry in the history, unless the person has done so. */
async function backFrom(place) {
  if (history.state?.editor === place) await stepBack();
}

/** Returns the window that lies over all others. */
const topmost = () => [...document.querySelectorAll("dialog:modal")].at(-1);

/**
 * Makes a picture in a worker of its own, which ends with it and gives its memory back. Its errors are to be shown.
 *
 * @param {Promise<void>} isReady ends when all fonts are loaded that can be
 */
async function made(photo, edit, isReady, signal) {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  const full = "The picture couldn’t be made. There may not be enough memory: close other pages and try again.";
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      worker.onmessage = ({ data: { picture, error } }) => {
        if (picture) return resolve(picture);
        console.error(error);
        reject(new Error(full));
      };
      // Its script couldn't be loaded.
      worker.onerror = () => reject(new Error("The editor couldn’t be loaded whole. Check the network and try again."));
      isReady.then(() => worker.postMessage({ photo, edit, fonts: loadedFonts }));
    });
  } finally {
    worker.terminate();
  }
}
