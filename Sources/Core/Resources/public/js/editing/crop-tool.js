import { element } from "../web/element.js";
import { enlargementOf, ways } from "../web/moving-keys.js";
import { captionedButton, choiceOf, percent, placeSliders, slider } from "./controls.js";
import { frameOf, mirrored, turnedLeft, whole, withAspect } from "./edit.js";
import { moved, shaped, stretched } from "./geometry.js";

/** The proportions that a frame can keep, width / height. Chosen again, a proportion is laid on its side. */
const aspects = { Free: null, "1:1": 1, "4:5": 4 / 5, "16:9": 16 / 9 };

/** Degrees by which a photo can be straightened. */
const steepest = 45;

/** By how much an arrow key moves the photo, in parts of the frame, and + and − enlarge it. */
const keyStep = 0.04;
const keyZoom = 1.08;

/** Cuts, straightens, turns and mirrors. */
export class CropTool {
  name = "Crop";
  symbol = "crop";
  hint = "Drag the photo, or press the arrow keys; plus and minus enlarge it.";
  #editor;
  #aspects;
  #zoom;
  #width;
  #height;
  #place;
  #angle;
  /** The handle under the finger: which sides it moves, the frame before, and how far the finger has gone. */
  #drag = null;

  /** @param {import("./photo-editor.js").PhotoEditor} editor */
  constructor(editor) {
    this.#editor = editor;
    const actions = { input: (angle) => editor.show({ ...editor.edit, angle }), change: () => editor.keep() };
    this.#angle = slider("Straighten", { min: -steepest, max: steepest, step: 0.1 }, (angle) => `${angle.toFixed(1)}°`, actions);
    this.#zoom = slider("Zoom", { min: 1, max: 10, step: 0.1 }, (zoom) => `${zoom.toFixed(1)}×`, {
      input: (zoom) => this.#enlarge(zoom),
      change: () => editor.keep(),
    });
    const side = (name, member) =>
      slider(name, { min: 0.05, max: 1, step: 0.01 }, percent, {
        input: (share) => this.#size(member, share * editor.edit.size[member]),
        change: () => editor.keep(),
      });
    this.#width = side("Frame width", "width");
    this.#height = side("Frame height", "height");
    this.#place = placeSliders("Frame", {
      input: (place) => editor.show({ ...editor.edit, crop: { ...frameOf(editor.edit), ...place } }),
      change: () => editor.keep(),
    });
    this.#aspects = choiceOf("Proportions", Object.keys(aspects).map((name) => ({ name })), (name) => this.#shape(name));
    // The chosen proportion can be pressed again, which changes no radio button.
    this.#aspects.root.addEventListener("click", (event) => this.#layOnSide(event));
    this.panel = element(
      "div",
      {},
      this.#angle.root,
      element(
        "div",
        { class: "line" },
        this.#aspects.root,
        captionedButton("arrow-repeat", "Turn", "Turn left", () => this.#change(turnedLeft(editor.edit), "Turned left.")),
        captionedButton("arrow-left-right", "Mirror", "Mirror", () => this.#change(mirrored(editor.edit), "Mirrored.")),
        captionedButton("arrows-fullscreen", "Whole", "Whole photo", () => this.#reset()),
      ),
      element("div", { class: "line by-keys" }, this.#width.root, this.#height.root),
      element("div", { class: "line by-keys" }, this.#zoom.root, ...this.#place.sliders),
    );
  }

  /** @param {import("./edit.js").Edit} edit */
  show(edit) {
    this.#angle.show(edit.angle);
    this.#aspects.show(nameOf(edit.aspect));
    const frame = frameOf(edit);
    this.#zoom.show(largest(edit).width / frame.width);
    this.#width.show(frame.width / edit.size.width);
    this.#height.show(frame.height / edit.size.height);
    this.#place.show(frame, edit.size);
  }

  start({ target }) {
    const handle = handleOf(target);
    this.#drag = handle && { handle, frame: frameOf(this.#editor.edit), x: 0, y: 0 };
    if (handle) this.#editor.stage.hold();
  }

  move({ dx, dy, factor, x, y }) {
    const { stage } = this.#editor;
    const { scale } = stage;
    if (this.#drag) {
      this.#drag.x += dx / scale;
      this.#drag.y += dy / scale;
      const { handle, frame, ...way } = this.#drag;
      return this.#stretch(frame, handle, way);
    }
    this.#move({ dx: dx / scale, dy: dy / scale, factor, at: stage.fromMiddle(x, y) });
  }

  end() {
    if (this.#drag) this.#editor.stage.release();
    this.#drag = null;
    this.#editor.keep();
  }

  /** @returns {boolean} whether the key was for this tool */
  press({ key }) {
    const [way, factor] = [ways[key], enlargementOf(key, keyZoom)];
    if (!way && !factor) return false;
    const { edit } = this.#editor;
    const { width, height } = frameOf(edit);
    const [dx, dy] = way ? [way[0] * width * keyStep, way[1] * height * keyStep] : [0, 0];
    this.#move({ dx, dy, factor: factor ?? 1, at: { x: 0, y: 0 } });
    this.#editor.keep();
    return true;
  }

  #move(step) {
    const { edit } = this.#editor;
    this.#editor.show({ ...edit, crop: moved(frameOf(edit), step, edit.angle, edit.size) });
  }

  #stretch(frame, handle, way) {
    const { edit } = this.#editor;
    this.#editor.show({ ...edit, crop: stretched(frame, handle, way, edit.aspect, edit.angle, edit.size) });
  }

  /** @param {number} zoom how many times smaller the frame is than the largest of its proportions */
  #enlarge(zoom) {
    const { edit } = this.#editor;
    const { width, height } = largest(edit);
    this.#editor.show({ ...edit, crop: { ...frameOf(edit), width: width / zoom, height: height / zoom } });
  }

  /**
   * Gives the frame a width or a height, as far as the photo allows.
   *
   * @param {"width" | "height"} member
   * @param {number} side
   */
  #size(member, side) {
    const { edit } = this.#editor;
    const axis = member === "width" ? { across: 1, down: 0 } : { across: 0, down: 1 };
    let frame = frameOf(edit);
    // About its middle, and further to one side where the other one meets the edge of the photo.
    for (const [sign, share] of [[1, 0.5], [-1, 1], [1, 1]]) {
      const handle = /** @type {any} */ ({ across: axis.across * sign, down: axis.down * sign });
      const way = (side - frame[member]) * share * sign;
      frame = stretched(frame, handle, { x: way, y: way }, edit.aspect, edit.angle, edit.size);
    }
    this.#editor.show({ ...edit, crop: frame });
  }

  #shape(name) {
    const { edit } = this.#editor;
    // As the frame is: a photo taken upright is cut upright.
    const { width, height } = frameOf(edit);
    const aspect = aspects[name];
    this.#change(withAspect(edit, aspect && (width > height === aspect > 1 ? aspect : 1 / aspect)), `${name}.`);
  }

  /** Lays the frame on its side when its proportion is pressed again. */
  #layOnSide({ target }) {
    const { edit } = this.#editor;
    // A click is heard before the change that it makes.
    const isAgain = target.localName === "input" && target.value === nameOf(edit.aspect);
    if (isAgain && edit.aspect && edit.aspect !== 1) this.#change(withAspect(edit, 1 / edit.aspect), "Laid on its side.");
  }

  /** Shows the whole photo again, turned as it is. */
  #reset() {
    const { edit } = this.#editor;
    this.#change({ ...edit, angle: 0, aspect: null, crop: whole(edit.size) }, "The whole photo.");
  }

  #change(edit, words) {
    this.#editor.show(edit);
    this.#editor.keep();
    this.#editor.say(words);
  }
}

/**
 * Returns the handle of the frame that an element is.
 *
 * @param {Element} target
 * @returns {{across: any, down: any} | null} the sides that it moves
 */
function handleOf(target) {
  const handle = target.closest("[data-across]");
  return handle && { across: Number(handle.dataset.across), down: Number(handle.dataset.down) };
}

/** Returns the largest frame with the proportions of the one that is set. */
function largest(edit) {
  const { width, height } = frameOf(edit);
  return shaped(whole(edit.size), width / height, edit.angle, edit.size);
}

function nameOf(aspect) {
  if (aspect === null) return "Free";
  const isSame = (other) => other !== null && (Math.abs(other - aspect) < 0.001 || Math.abs(1 / other - aspect) < 0.001);
  return Object.keys(aspects).find((name) => isSame(aspects[name]));
}
