import { element, icon } from "../web/element.js";
import { flash } from "../web/flash-message.js";

/** Photos that go with one message at most. */
const most = 10;

/**
 * The photos that go with the next message, as small pictures above the line to write on.
 *
 * @typedef {{file?: File, kind?: "upload" | "camera", library?: string}} Chosen a file, or the id of a photo of one's library
 */
export class ComposerTray {
  #list;
  /** @type {Map<HTMLElement, Chosen>} by their place in the tray */
  #chosen = new Map();

  /** @param {HTMLElement} list */
  constructor(list) {
    this.#list = list;
  }

  get isEmpty() {
    return this.#chosen.size === 0;
  }

  /**
   * @param {Iterable<File>} files
   * @param {"upload" | "camera"} [kind] where they come from
   */
  addFiles(files, kind = "upload") {
    for (const file of files) {
      const picture = element("img", { src: URL.createObjectURL(file), alt: file.name });
      picture.onload = () => URL.revokeObjectURL(picture.src);
      // What the browser can't draw (HEIC) shows its name.
      picture.onerror = () => picture.removeAttribute("src");
      if (!this.#add({ file, kind }, picture)) return;
    }
  }

  /** @param {{id: string, src: string, alt: string}[]} photos of the library */
  addPhotos(photos) {
    for (const { id, src, alt } of photos) {
      if (!this.#add({ library: id }, element("img", { src, alt }))) return;
    }
  }

  /** @returns {boolean} whether there was room for it */
  #add(chosen, picture) {
    if (this.#chosen.size >= most) {
      flash(`${most} photos at a time.`, "error");
      return false;
    }
    const remove = element("button", { type: "button", "aria-label": "Remove" }, icon("x-lg"));
    const item = element("li", {}, picture, remove);
    remove.onclick = () => {
      this.#chosen.delete(item);
      item.remove();
    };
    this.#chosen.set(item, chosen);
    this.#list.append(item);
    item.scrollIntoView({ block: "nearest", inline: "nearest" });
    return true;
  }

  /** Empties the tray. @returns {[HTMLElement, Chosen][]} what was in it, in order, each with its place */
  take() {
    const all = [...this.#chosen];
    this.#chosen.clear();
    this.#list.replaceChildren();
    return all;
  }

  /** Puts back what was taken out and could not go, before what has been chosen since. */
  giveBack(taken) {
    this.#chosen = new Map([...taken, ...this.#chosen]);
    this.#list.prepend(...taken.map(([item]) => item));
  }
}
