import { element, icon } from "../web/element.js";
import { Gesture } from "../web/gesture.js";
import { stayAboveKeyboard } from "../web/keyboard.js";
import { ask } from "../web/question.js";
import { BlurTool } from "./blur-tool.js";
import { symbolButton } from "./controls.js";
import { CropTool } from "./crop-tool.js";
import { DrawTool } from "./draw-tool.js";
import { isSame, mostMarks, untouched } from "./edit.js";
import { FilterTool } from "./filter-tool.js";
import { Stage } from "./stage.js";
import { Steps } from "./steps.js";
import { TextTool } from "./text-tool.js";

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
  #untouched;
  /** @type {Steps<import("./edit.js").Edit>} */
  #steps;
  #tools;
  /** @type {any} */
  #tool;
  #lastID = 0;
  #dialog;
  #panel = element("div", { class: "panel" });
  #problem = element("p", { class: "problem", role: "alert" });
  #said = element("p", { class: "unseen", role: "status" });
  #undo = symbolButton("arrow-counterclockwise", "Undo", () => this.#go("undo"));
  #redo = symbolButton("arrow-clockwise", "Redo", () => this.#go("redo"));
  #over = new AbortController();
  #frame = 0;

  /**
   * @param {Blob} photo
   * @param {ImageBitmap} preview the same, at most as large as it is drawn on a screen
   */
  constructor(photo, preview) {
    const { signal } = this.#over;
    this.#photo = photo;
    this.edit = this.#untouched = untouched(preview);
    this.#steps = new Steps(this.edit);
    this.stage = new Stage(preview, signal);
    this.#tools = [CropTool, FilterTool, TextTool, DrawTool, BlurTool].map((Tool) => new Tool(this));
    const bar = element("fieldset", { class: "tools" }, element("legend", { class: "unseen" }, "Tools"));
    for (const [index, { name, symbol }] of this.#tools.entries()) {
      const input = element("input", { class: "cover", type: "radio", name: "tool", value: name, "aria-label": name });
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
      start: (event) => this.#tool.start(event),
      move: (step) => this.#tool.move(step),
      end: () => this.#tool.end(),
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
    this.#dialog.querySelector(".tools input").focus();
    const [cancel, done] = [this.#dialog.querySelector("header > button"), this.#dialog.querySelector("[data-done]")];
    // Back leaves the editor and stays on the page.
    const place = crypto.randomUUID();
    const enter = () => history.pushState({ ...history.state, editor: place }, "");
    enter();
    try {
      return await new Promise((resolve) => {
        const leave = async () => (await this.#mayLeave()) && resolve(null);
        const goBack = async () => {
          if (this.#isBusy || !(await this.#mayLeave())) enter();
          else resolve(null);
        };
        addEventListener("popstate", goBack, { signal: this.#over.signal });
        // Chromium closes a dialog at the second Escape in a row, whatever is said to the first.
        this.#dialog.addEventListener("close", () => this.#dialog.showModal(), { signal: this.#over.signal });
        this.#dialog.oncancel = (event) => {
          event.preventDefault();
          if (!this.#isBusy) leave();
        };
        cancel.onclick = leave;
        done.onclick = () => this.#finish().then((picture) => picture !== undefined && resolve(picture));
      });
    } finally {
      this.#over.abort();
      await backFrom(place);
      cancelAnimationFrame(this.#frame);
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
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.draw());
  }

  /** Makes what is shown a step that can be undone, unless nothing has changed. */
  keep() {
    if (!isSame(this.edit, this.#steps.current)) this.#steps.add(this.edit);
    this.draw();
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

  newID() {
    this.#lastID += 1;
    return this.#lastID;
  }

  /** Draws what is shown, at once. */
  draw() {
    cancelAnimationFrame(this.#frame);
    this.stage.show(this.edit, this.activeID);
    this.#tool.show(this.edit);
    const { canUndo, canRedo } = this.#steps;
    this.#undo.disabled = !canUndo;
    this.#redo.disabled = !canRedo;
  }

  #choose(name) {
    this.#tool?.leave?.();
    this.activeID = null;
    this.#tool = this.#tools.find((tool) => tool.name === name);
    this.#panel.replaceChildren(this.#tool.panel);
    this.#dialog.dataset.tool = name;
    this.stage.isCutting = name === "Crop";
    this.stage.root.ariaLabel = `Photo. ${this.#tool.hint}`.trim();
    this.keep();
  }

  /** @param {"undo" | "redo"} way */
  #go(way) {
    this.activeID = null;
    this.#steps[way]();
    this.edit = this.#steps.current;
    this.draw();
    this.say(way === "undo" ? "Undone." : "Done again.");
  }

  #press(event) {
    const { key, target, shiftKey, ctrlKey, metaKey } = event;
    if (this.#dialog !== topmost()) return;
    const isText = target.localName === "textarea";
    if ((ctrlKey || metaKey) && key.toLowerCase() === "z" && !isText) {
      event.preventDefault();
      this.#go(shiftKey ? "redo" : "undo");
    } else if (this.stage.root.contains(target) && this.#tool.press(event)) {
      event.preventDefault();
    }
  }

  async #mayLeave() {
    if (!this.#steps.canUndo) return true;
    return ask("Discard your changes?", "Discard", "Keep editing");
  }

  /** Makes the picture. Returns nothing when that failed, and says why. */
  async #finish() {
    this.#tool.leave?.();
    this.keep();
    if (isSame(this.edit, this.#untouched)) return null;
    this.#problem.textContent = "";
    this.#setBusy(true);
    try {
      return await made(this.#photo, this.edit);
    } catch (error) {
      this.#problem.textContent = "The picture couldn’t be made. There may not be enough memory; close other pages and try again.";
      console.error(error);
    } finally {
      this.#setBusy(false);
    }
  }

  get #isBusy() {
    return "busy" in this.#dialog.dataset;
  }

  #setBusy(isBusy) {
    this.#dialog.toggleAttribute("data-busy", isBusy);
    this.#dialog.querySelector(".making").textContent = isBusy ? "Making the picture…" : "";
    for (const part of this.#dialog.querySelectorAll("header, .stage, .panel, .tools")) part.inert = isBusy;
  }
}

/** Goes back from the editor's entry in the history, unless the person has done so. */
async function backFrom(place) {
  if (history.state?.editor !== place) return;
  const gone = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  history.back();
  await gone;
}

/** Returns the window that lies over all others. */
const topmost = () => [...document.querySelectorAll("dialog:modal")].at(-1);

/** Makes a picture in a worker of its own, which ends with it and gives its memory back. */
async function made(photo, edit) {
  const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data: { picture, error } }) => (picture ? resolve(picture) : reject(new Error(error)));
      worker.onerror = (event) => reject(new Error(event.message || "The worker didn’t start."));
      worker.postMessage({ photo, edit });
    });
  } finally {
    worker.terminate();
  }
}
