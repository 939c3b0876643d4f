import { element } from "../web/element.js";
import { choiceOf, percent, slider } from "./controls.js";
import { applyFilter, filters } from "./filters.js";
import { Picture } from "./picture.js";

/** The side of a filter's small picture, in pixels. */
const side = 128;

/** Gives the photo another look. */
export class FilterTool {
  name = "Filters";
  symbol = "palette";
  hint = "";
  #editor;
  #choice;
  #strength;
  #pictures;
  /** How the small pictures are turned. */
  #drawn = "";

  /** @param {import("./photo-editor.js").PhotoEditor} editor */
  constructor(editor) {
    this.#editor = editor;
    const names = ["None", ...filters.map(({ name }) => name)];
    this.#pictures = new Map(names.map((name) => [name, new Picture()]));
    const choices = names.map((name) => {
      const content = element("span", { class: "look" }, this.#pictures.get(name).canvas, element("span", {}, name));
      return { name, content };
    });
    this.#choice = choiceOf("Filter", choices, (name) => this.#choose(name));
    this.#choice.root.classList.add("looks");
    this.#strength = slider("Strength", { min: 0, max: 1, step: 0.01 }, percent, {
      input: (strength) => editor.show({ ...editor.edit, filter: { ...editor.edit.filter, strength } }),
      change: () => editor.keep(),
    });
    this.panel = element("div", {}, this.#strength.root, this.#choice.root);
  }

  /** @param {import("./edit.js").Edit} edit */
  show({ filter, quarters, isMirrored }) {
    this.#choice.show(filter?.name ?? "None");
    this.#strength.root.toggleAttribute("data-off", !filter);
    if (filter) this.#strength.show(filter.strength);
    const turn = `${quarters} ${isMirrored}`;
    if (this.#drawn !== turn) this.#draw();
    this.#drawn = turn;
  }

  #choose(name) {
    const { edit } = this.#editor;
    this.#editor.show({ ...edit, filter: name === "None" ? null : { name, strength: 1 } });
    this.#editor.keep();
    this.#choice.root.querySelector(":checked")?.closest("label").scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** Draws the middle of the photo with each filter. */
  #draw() {
    const { plain } = this.#editor.stage;
    const shorter = Math.min(plain.width, plain.height);
    const [left, top] = [(plain.width - shorter) / 2, (plain.height - shorter) / 2];
    for (const [name, picture] of this.#pictures) {
      picture.resize(side, side);
      picture.draw((context) => {
        context.imageSmoothingQuality = "high";
        context.drawImage(plain, left, top, shorter, shorter, 0, 0, side, side);
        if (name === "None") return;
        const pixels = context.getImageData(0, 0, side, side);
        applyFilter(pixels.data, { name, strength: 1 });
        context.putImageData(pixels, 0, 0);
      });
    }
  }

  start() {
    return false;
  }

  move() {}

  end() {}

  press() {
    return false;
  }
}
