import { element } from "../web/element.js";
import { settled } from "../web/motion.js";
import { drawMarks, drawPhoto, levelsOf } from "./drawing.js";
import { frameOf } from "./edit.js";
import { applyFilter } from "./filters.js";
import { turned } from "./geometry.js";
import { MarkPicture } from "./mark-picture.js";
import { Picture } from "./picture.js";

/** Pixels around the frame: room for its handles, or a little air. */
const margins = { cutting: 24, looking: 12 };

/**
 * The pictures that are as large as the photo and lie on each other, and how sharp they are. What is drawn again for each
 * frame of the screen while a finger moves has half of the pixels, which still are two for each of the page on a phone.
 */
const sharpness = { plain: 1, filtered: 1, blurs: 0.5, marks: 1, line: 0.5 };

/** The handles of the frame for fingers and the mouse: which sides each of them moves. Keys have sliders for it. */
const handles = [
  { across: -1, down: -1 },
  { across: 0, down: -1 },
  { across: 1, down: -1 },
  { across: 1, down: 0 },
  { across: 1, down: 1 },
  { across: 0, down: 1 },
  { across: -1, down: 1 },
  { across: -1, down: 0 },
];

/**
 * Shows an edit. The photo, what a filter makes of it and the marks are pictures that lie on each other and are moved as
 * one, so that only what has changed is drawn again.
 */
export class Stage {
  /** The element, on which fingers move. */
  root;
  #photo = element("div", { class: "photo" });
  #frame = element("div", { class: "frame" });
  #box = element("div", { class: "mark-box", hidden: true });
  #pictures = Object.fromEntries(Object.keys(sharpness).map((name) => [name, new Picture({ className: name })]));
  /** The blurred part and the text that are being changed. */
  #blur;
  #text;
  #source;
  /** Pixels of the photo for each unit. */
  #perUnit;
  /** @type {import("./edit.js").Edit | null} what is shown */
  #shown = null;
  /**
   * The marks that are drawn on each picture.
   *
   * @type {Record<string, readonly import("./edit.js").Mark[]>}
   */
  #drawn = {};
  /**
   * Smaller copies of the photo and of what its filter makes of it.
   *
   * @type {Record<string, import("./drawing.js").Level[] | null>}
   */
  #levels = { plain: null, filtered: null };
  /**
   * The mark that is being changed.
   *
   * @type {number | null}
   */
  #activeID = null;
  #isCutting = true;
  /**
   * The size of the stage, in pixels of the page.
   *
   * @type {import("./geometry.js").Size}
   */
  #size = { width: 0, height: 0 };
  /** What is in the middle of the stage, and pixels for each unit. */
  #view = { x: 0, y: 0, scale: 1 };
  #isHeld = false;

  /**
   * @param {ImageBitmap} source the photo
   * @param {AbortSignal} signal ends the listening
   */
  constructor(source, signal) {
    this.#source = source;
    this.#perUnit = Math.max(source.width, source.height);
    this.#blur = new MarkPicture(this.#perUnit, 0.5);
    this.#text = new MarkPicture(this.#perUnit, 1);
    this.#photo.append(...Object.values(this.#pictures).map(({ canvas }) => canvas), this.#text.canvas);
    this.#pictures.blurs.canvas.after(this.#blur.canvas);
    this.#frame.append(
      element("div", { class: "thirds" }),
      ...handles.map(({ across, down }) => {
        const handle = element("span", { class: "handle" });
        Object.assign(handle.dataset, { across, down });
        return handle;
      }),
    );
    this.#box.append(element("span", { class: "knob", "data-knob": "" }));
    this.root = element("div", { class: "stage", tabIndex: 0, role: "group" }, this.#photo, this.#frame, this.#box);
    // Asking the element itself would let the browser lay out the page once more for each frame.
    const observer = new ResizeObserver(([{ contentRect }]) => {
      this.#size = contentRect;
      if (this.#shown) this.#place();
    });
    observer.observe(this.root);
    signal.addEventListener("abort", () => observer.disconnect());
  }

  /**
   * Whether the frame has handles, and what is outside of it can be seen.
   *
   * @param {boolean} isCutting
   */
  set isCutting(isCutting) {
    this.#isCutting = isCutting;
    this.root.toggleAttribute("data-cutting", isCutting);
    if (this.#shown) this.#place();
  }

  /**
   * Shows an edit.
   *
   * @param {import("./edit.js").Edit} edit
   * @param {number | null} activeID the mark that is being changed
   */
  show(edit, activeID = null) {
    const before = this.#shown;
    this.#shown = edit;
    const isTurned = before?.quarters !== edit.quarters || before.isMirrored !== edit.isMirrored;
    if (isTurned) this.#drawPhoto(edit);
    if (isTurned || before?.filter?.name !== edit.filter?.name) this.#drawFilter(edit);
    const strength = edit.filter?.strength ?? 0;
    this.#pictures.filtered.canvas.style.opacity = String(strength);
    // A blurred part looks as the filtered photo does.
    this.#drawMarks(edit, activeID, isTurned || before.filter !== edit.filter);
    this.#place();
  }

  /** Draws the texts again when an edit is shown next, since a font was loaded. */
  forgetTexts() {
    delete this.#drawn.marks;
    this.#text.forget();
  }

  /** Keeps the photo in its place while a handle of the frame is dragged. */
  hold() {
    this.#isHeld = true;
    this.root.removeAttribute("data-settling");
  }

  /** Moves the frame into the middle again, and enlarges what it shows. */
  release() {
    this.#isHeld = false;
    this.root.toggleAttribute("data-settling", true);
    this.#place();
    settled(this.root).then(() => this.root.removeAttribute("data-settling"));
  }

  /** Pixels of the screen for each unit. */
  get scale() {
    return this.#view.scale;
  }

  /**
   * Returns where a point of the window is, from the middle of the frame along its sides, in units.
   *
   * @returns {import("./geometry.js").Point}
   */
  fromMiddle(clientX, clientY) {
    const box = this.root.getBoundingClientRect();
    const { scale } = this.#view;
    return { x: (clientX - box.x - box.width / 2) / scale, y: (clientY - box.y - box.height / 2) / scale };
  }

  /**
   * Returns where a point of the window is on the photo, in units.
   *
   * @returns {import("./geometry.js").Point}
   */
  onPhoto(clientX, clientY) {
    const { x, y } = turned(this.fromMiddle(clientX, clientY), -this.#shown.angle);
    return { x: x + this.#view.x, y: y + this.#view.y };
  }

  /**
   * Measures a mark, before it is turned, in units.
   *
   * @param {import("./mark-picture.js").Mark} mark
   * @returns {import("./geometry.js").Size}
   */
  sizeOf(mark) {
    return this.#text.sizeOf(mark);
  }

  /**
   * Returns the photo without marks, for small pictures of the filters.
   *
   * @returns {HTMLCanvasElement}
   */
  get plain() {
    return this.#pictures.plain.canvas;
  }

  /** Draws the photo as it is turned and mirrored. */
  #drawPhoto(edit) {
    const { size } = edit;
    const [width, height] = [size.width, size.height].map((side) => Math.round(side * this.#perUnit));
    for (const [name, picture] of Object.entries(this.#pictures)) {
      const [across, down] = [width, height].map((side) => Math.max(1, Math.round(side * sharpness[name])));
      picture.resize(across, down);
      Object.assign(picture.canvas.style, { inlineSize: `${width}px`, blockSize: `${height}px` });
    }
    this.#pictures.plain.draw((context) => {
      context.scale(this.#perUnit, this.#perUnit);
      drawPhoto(context, this.#source, edit);
    });
    this.#levels.plain = null;
  }

  #drawFilter({ filter }) {
    this.#levels.filtered = null;
    this.#pictures.filtered.canvas.hidden = !filter;
    if (!filter) return;
    const { width, height } = this.plain;
    this.#pictures.filtered.draw((context) => {
      context.drawImage(this.plain, 0, 0);
      const pixels = context.getImageData(0, 0, width, height);
      applyFilter(pixels.data, { name: filter.name, strength: 1 });
      context.putImageData(pixels, 0, 0);
    });
  }

  /**
   * Returns the photo as it looks, for what blurs it. Its smaller copies are made when they are first asked for.
   *
   * @returns {import("./drawing.js").Layer[]}
   */
  get #layers() {
    const { filter } = this.#shown;
    const layer = (name, strength) => {
      this.#levels[name] ??= levelsOf(this.#pictures[name].canvas, new DOMMatrix().scale(this.#perUnit), this.#perUnit);
      return { levels: this.#levels[name], strength };
    };
    return [layer("plain", 1), ...(filter ? [layer("filtered", filter.strength)] : [])];
  }

  /** Draws what has changed: blurred parts, lines and texts, and the one of them that is being changed. */
  #drawMarks({ marks }, activeID, isOtherPhoto) {
    const active = marks.find(({ id }) => id === activeID);
    const resting = marks.filter((mark) => mark !== active);
    const shown = {
      blurs: resting.filter(({ kind }) => kind === "blur"),
      marks: resting.filter(({ kind }) => kind !== "blur"),
      line: active?.kind === "stroke" ? [active] : [],
    };
    for (const [name, marks] of Object.entries(shown)) {
      const drawn = this.#drawn[name] ?? [];
      const isSame = marks.length === drawn.length && marks.every((mark, index) => mark === drawn[index]);
      if (marks.length > 0 && (!isSame || isOtherPhoto)) this.#redraw(name, marks);
      this.#drawn[name] = marks;
      // A picture of nothing would take as long to be shown as one of something.
      this.#pictures[name].canvas.hidden = marks.length === 0;
    }
    if (isOtherPhoto) this.#blur.forget();
    this.#blur.show(active?.kind === "blur" ? active : undefined, () => this.#layers);
    this.#text.show(active?.kind === "text" ? active : undefined, () => []);
    this.#activeID = activeID;
  }

  #redraw(name, marks) {
    const scale = this.#perUnit * sharpness[name];
    this.#pictures[name].draw((context) => drawMarks(context, marks, scale, () => this.#layers));
  }

  /** Places the photo so that its frame is in the middle of the stage. */
  #place() {
    const edit = this.#shown;
    const frame = frameOf(edit);
    const { width: wide, height: high } = this.#size;
    if (!this.#isHeld) {
      const margin = this.#isCutting ? margins.cutting : margins.looking;
      const scale = Math.min((wide - 2 * margin) / frame.width, (high - 2 * margin) / frame.height);
      this.#view = { x: frame.x, y: frame.y, scale: Math.max(scale, 1) };
    }
    const { x, y, scale } = this.#view;
    this.#photo.style.transform =
      `translate(${wide / 2}px, ${high / 2}px) rotate(${edit.angle}deg) scale(${scale / this.#perUnit}) ` +
      `translate(${-x * this.#perUnit}px, ${-y * this.#perUnit}px)`;
    const shift = turned({ x: frame.x - x, y: frame.y - y }, edit.angle);
    const [width, height] = [frame.width * scale, frame.height * scale];
    Object.assign(this.#frame.style, { inlineSize: `${width}px`, blockSize: `${height}px` });
    const left = wide / 2 + shift.x * scale - width / 2;
    const top = high / 2 + shift.y * scale - height / 2;
    this.#frame.style.transform = `translate(${left}px, ${top}px)`;
    this.#placeBox();
  }

  /** Draws the box around the text or oval that is being changed. */
  #placeBox() {
    const { marks, angle } = this.#shown;
    const mark = marks.find(({ id }) => id === this.#activeID);
    const hasBox = Boolean(mark) && mark.kind !== "stroke" && !(mark.kind === "text" && mark.text === "");
    this.#box.hidden = !hasBox;
    if (!hasBox) return;
    const { x, y, scale } = this.#view;
    const at = turned({ x: mark.x - x, y: mark.y - y }, angle);
    const { size } = mark.kind === "blur" ? this.#blur : this.#text;
    const [width, height] = [size.width * scale, size.height * scale];
    const left = this.#size.width / 2 + at.x * scale - width / 2;
    const top = this.#size.height / 2 + at.y * scale - height / 2;
    Object.assign(this.#box.style, { inlineSize: `${width}px`, blockSize: `${height}px` });
    const turn = angle + (mark.kind === "text" ? mark.angle : 0);
    this.#box.style.transform = `translate(${left}px, ${top}px) rotate(${turn}deg)`;
    this.#box.dataset.kind = mark.kind;
  }
}
