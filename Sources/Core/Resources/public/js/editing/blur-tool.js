import { percent, slider } from "./controls.js";
import { frameOf } from "./edit.js";
import { between } from "./geometry.js";
import { MarkTool } from "./mark-tool.js";

/** Sides of an oval, in units. */
const range = { min: 0.03, max: 1, step: 0.005 };

/** A new oval's part of the frame's shorter side: a face in a group. */
const first = 0.28;

const within = (value) => between(value, range.min, range.max);

/** Blurs parts of the photo, such as the faces of others. */
export class BlurTool extends MarkTool {
  name = "Blur";
  symbol = "eye-slash";
  noun = "blur";
  hint = "Tap what nobody should recognise. Drag to move, spread two fingers to enlarge, or press the arrow keys, plus and minus.";
  #width;
  #height;

  /** @param {import("./photo-editor.js").PhotoEditor} editor */
  constructor(editor) {
    super(editor, "blur");
    const side = (name, member) =>
      slider(name, range, percent, {
        input: (value) => this.change({ [member]: value }),
        change: () => editor.keep(),
      });
    this.#width = side("Width", "width");
    this.#height = side("Height", "height");
    this.details.append(this.#width.root, this.#height.root, this.place);
  }

  nameOf(_, index) {
    return `Blur ${index + 1}`;
  }

  showDetails({ width, height }) {
    this.#width.show(width);
    this.#height.show(height);
  }

  made(at) {
    const frame = frameOf(this.editor.edit);
    const side = within(first * Math.min(frame.width, frame.height));
    const { x, y } = at ?? frame;
    return { kind: "blur", id: this.editor.newID(), x, y, width: side, height: within(side * 1.25) };
  }

  tapBeside(at) {
    this.add(at);
  }

  enlarged({ width, height }, factor) {
    return { width: within(width * factor), height: within(height * factor) };
  }

  /** Returns the oval after its knob, at a corner, has been pulled. */
  pulled({ x, y }, _, at) {
    return { width: within(Math.abs(at.x - x) * 2), height: within(Math.abs(at.y - y) * 2) };
  }
}
