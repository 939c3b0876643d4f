import { element } from "../web/element.js";
import { colours } from "./colours.js";
import { choiceOf, colourChoice, slider, wordButton } from "./controls.js";
import { frameOf, isEmpty, mostCharacters, upright, withoutMark } from "./edit.js";
import { familyOf, fonts } from "./fonts.js";
import { between } from "./geometry.js";
import { MarkTool } from "./mark-tool.js";

/** The height of letters, in units. */
const range = { min: 0.02, max: 0.4, step: 0.005 };

/** The height of a new text's letters, in parts of the frame's shorter side. */
const first = 0.11;

/** How long a line may be, in parts of the frame's width. */
const longest = 0.9;

const within = (value) => between(value, range.min, range.max);

/** Writes on the photo. */
export class TextTool extends MarkTool {
  name = "Text";
  symbol = "type";
  noun = "text";
  #field;
  #fonts;
  #colours;
  #plate;
  #size;
  #angle;

  /** @param {import("./photo-editor.js").PhotoEditor} editor */
  constructor(editor) {
    super(editor, "text");
    const keep = () => editor.keep();
    this.#field = element("textarea", {
      rows: 1,
      maxLength: mostCharacters,
      placeholder: "Write something",
      dir: "auto",
      "aria-label": "Text",
    });
    this.#field.oninput = () => this.change({ text: this.#field.value });
    this.#field.onchange = keep;
    const set = (changes) => {
      this.change(changes);
      keep();
    };
    const choices = fonts.map(({ name }) => {
      const content = element("span", {}, name);
      content.style.fontFamily = familyOf(name);
      return { name, content };
    });
    this.#fonts = choiceOf("Font", choices, (font) => set({ font }));
    this.#colours = colourChoice(colours, (colour) => set({ colour }));
    this.#plate = wordButton("Plate", () => set({ hasPlate: !this.chosen.hasPlate }));
    this.#size = slider("Size", range, (value) => `${Math.round(value * 100)}`, {
      input: (size) => this.change({ size }),
      change: keep,
    });
    this.#angle = slider("Turn", { min: -180, max: 180, step: 1 }, (value) => `${value}°`, {
      // As it is seen on the screen, however the photo is straightened.
      input: (angle) => this.change({ angle: upright(angle - editor.edit.angle) }),
      change: keep,
    });
    this.details.append(
      this.#field,
      element("div", { class: "line" }, this.#fonts.root, this.#plate),
      this.#colours.root,
      element("div", { class: "line" }, this.#size.root, this.#angle.root),
      this.place,
    );
  }

  nameOf({ text }, index) {
    const [line] = text.trim().split("\n");
    const letters = [...line];
    const words = letters.length > 14 ? `${letters.slice(0, 13).join("")}…` : line;
    return words || `Text ${index + 1}`;
  }

  showDetails({ text, font, colour, hasPlate, size, angle }) {
    if (this.#field.value !== text) this.#field.value = text;
    this.#fonts.show(font);
    this.#colours.show(colour);
    this.#plate.setAttribute("aria-pressed", String(hasPlate));
    this.#size.show(size);
    this.#angle.show(Math.round(upright(angle + this.editor.edit.angle)));
  }

  enter() {
    this.editor.loadFonts();
  }

  add(at) {
    super.add(at);
    if (this.chosen) this.#field.focus();
  }

  made(at) {
    const frame = frameOf(this.editor.edit);
    const { x, y } = at ?? frame;
    return {
      kind: "text",
      id: this.editor.newID(),
      text: "",
      font: fonts[0].name,
      colour: colours[0].value,
      size: within(first * Math.min(frame.width, frame.height)),
      angle: -this.editor.edit.angle,
      x,
      y,
      width: longest * frame.width,
      hasPlate: false,
    };
  }

  tapBeside() {
    this.choose(null);
  }

  /** Ends the work on a text. An empty one isn't kept. */
  leave() {
    const { chosen } = this;
    super.leave();
    if (chosen && isEmpty(chosen)) this.editor.show(withoutMark(this.editor.edit, chosen.id));
  }

  enlarged({ size, angle }, factor, turn = 0) {
    return { size: within(size * factor), angle: upright(angle + turn) };
  }

  /** Returns the text after its knob has been pulled: it grows, and turns about its middle. */
  pulled({ x, y, size, angle }, before, at) {
    const [was, is] = [before, at].map((point) => ({
      far: Math.hypot(point.x - x, point.y - y),
      turn: Math.atan2(point.y - y, point.x - x),
    }));
    const turn = ((is.turn - was.turn) * 180) / Math.PI;
    return { size: within(was.far > 0 ? (size * is.far) / was.far : size), angle: upright(angle + turn) };
  }
}
