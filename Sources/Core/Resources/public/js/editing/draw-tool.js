import { element } from "../web/element.js";
import { colours } from "./colours.js";
import { choiceOf, colourChoice, slider } from "./controls.js";
import { frameOf, withMark, withoutMark } from "./edit.js";

/** Widths of a line, in parts of the frame's longer side. */
const widths = { Pen: 0.012, Marker: 0.05 };

/** How near two points of a line may be, in units, and how many points it may have. */
const nearest = 0.002;
const mostPoints = 2_000;

/** Draws lines with a finger. */
export class DrawTool {
  name = "Draw";
  symbol = "pencil";
  hint = "Draw with a finger or the mouse. Undo takes back line by line.";
  #editor;
  #tools;
  #colours;
  #thickness;
  #tool = "Pen";
  #colour = colours[2].value;
  #widths = { ...widths };
  /** @type {import("./edit.js").Stroke | null} the line under the finger */
  #stroke = null;

  /** @param {import("./photo-editor.js").PhotoEditor} editor */
  constructor(editor) {
    this.#editor = editor;
    this.#tools = choiceOf("Line", Object.keys(widths).map((name) => ({ name })), (name) => {
      this.#tool = name;
      this.show();
    });
    this.#colours = colourChoice(colours, (value) => (this.#colour = value));
    const range = { min: 0.004, max: 0.12, step: 0.002 };
    this.#thickness = slider("Thickness", range, (value) => `${Math.round(value * 1000)}`, {
      input: (value) => (this.#widths[this.#tool] = value),
      change: () => {},
    });
    this.panel = element(
      "div",
      {},
      element("div", { class: "line" }, this.#tools.root, this.#thickness.root),
      this.#colours.root,
    );
  }

  show() {
    this.#tools.show(this.#tool);
    this.#colours.show(this.#colour);
    this.#thickness.show(this.#widths[this.#tool]);
  }

  start({ clientX, clientY }) {
    if (!this.#editor.hasRoom()) return false;
    const { width, height } = frameOf(this.#editor.edit);
    this.#stroke = {
      kind: "stroke",
      id: this.#editor.newID(),
      tool: this.#tool === "Pen" ? "pen" : "marker",
      colour: this.#colour,
      width: this.#widths[this.#tool] * Math.max(width, height),
      points: [this.#editor.stage.onPhoto(clientX, clientY)],
    };
    this.#draw();
  }

  move({ x, y, fingers }) {
    if (!this.#stroke) return;
    // Two fingers don't draw.
    if (fingers > 1) return this.#drop();
    const { points } = this.#stroke;
    const last = points.at(-1);
    const point = this.#editor.stage.onPhoto(x, y);
    if (points.length >= mostPoints || Math.hypot(point.x - last.x, point.y - last.y) < nearest) return;
    this.#stroke = { ...this.#stroke, points: [...points, point] };
    this.#draw();
  }

  end() {
    if (!this.#stroke) return;
    this.#editor.activeID = null;
    this.#stroke = null;
    this.#editor.keep();
  }

  press() {
    return false;
  }

  #draw() {
    this.#editor.activeID = this.#stroke.id;
    this.#editor.show(withMark(this.#editor.edit, this.#stroke));
  }

  #drop() {
    const { id } = this.#stroke;
    this.#stroke = null;
    this.#editor.activeID = null;
    this.#editor.show(withoutMark(this.#editor.edit, id));
  }
}
