import { editsPhotos } from "../editing/availability.js";
import { edit, editLibraryPhoto } from "../editing/library-photo.js";
import { element, icon } from "../web/element.js";
import { filePicture } from "../web/file-picture.js";
import { flash } from "../web/flash-message.js";
import { askDescription } from "./description-sheet.js";

/** The most photos that can be sent at a time. */
const most = 10;

/**
 * A file, which can get a description, or a photo of the person's library, which has one already.
 *
 * @typedef {Pick<import("./sending.js").Content, "file" | "origin" | "library" | "description">} Chosen
 */

/** The photos that are sent with the next message, as small pictures above the text field. */
export class ComposerTray {
  #list;
  /** @type {Map<HTMLElement, Chosen>} by their items in the tray */
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
   * @param {"upload" | "camera"} [origin] where they come from
   */
  addFiles(files, origin = "upload") {
    for (const file of files) {
      const chosen = { file, origin, description: "" };
      if (!this.#add(chosen, ...this.#contentOf(chosen))) return;
    }
  }

  /** Returns the picture of a file, and the button that describes it. */
  #contentOf(chosen) {
    const { file, description } = chosen;
    const picture = filePicture(file, description || file.name);
    const describe = element("button", { class: "describe", type: "button" });
    describe.onclick = () => this.#describe(chosen, picture, describe);
    return [picture, describe];
  }

  /** @param {{id: string, src: string, alt: string}[]} photos of the library */
  addPhotos(photos) {
    for (const { id, src, alt } of photos) {
      if (!this.#add({ library: id, description: alt }, element("img", { src, alt }))) return;
    }
  }

  /** @returns {boolean} whether there was room for the photo */
  #add(chosen, ...content) {
    if (this.#chosen.size >= most) {
      flash(`${most} photos at a time.`, "error");
      return false;
    }
    const remove = element("button", { class: "remove", type: "button", "aria-label": "Remove" }, icon("x-lg"));
    const item = element("li", {}, ...content, remove);
    if (editsPhotos) remove.before(this.#editButton(item));
    remove.onclick = () => {
      this.#chosen.delete(item);
      item.remove();
      this.#label();
    };
    this.#chosen.set(item, chosen);
    this.#list.append(item);
    this.#label();
    item.scrollIntoView({ block: "nearest", inline: "nearest" });
    return true;
  }

  #editButton(item) {
    const button = element("button", { class: "edit", type: "button" }, icon("sliders"));
    button.onclick = () => this.#edit(item, button);
    return button;
  }

  /** Lets the person edit a photo, whose place a file takes, also that of a photo of the library. */
  async #edit(item, button) {
    const { file, library, origin = "upload", description } = this.#chosen.get(item);
    const edited = library ? await editLibraryPhoto(library) : { file: await edit(file, file.name), description };
    if (edited?.file) {
      const chosen = { origin, ...edited };
      this.#chosen.set(item, chosen);
      for (const part of item.querySelectorAll("img, .describe")) part.remove();
      item.prepend(...this.#contentOf(chosen));
      this.#label();
    }
    button.focus(); // A tap gives a button no focus in Safari, so the editor can't give it back there.
  }

  async #describe(chosen, picture, button) {
    const description = await askDescription(chosen.file, chosen.description);
    if (description !== null) {
      chosen.description = description;
      picture.alt = description || chosen.file.name;
      this.#label();
    }
    button.focus(); // A tap gives a button no focus in Safari, so the sheet can't give it back there.
  }

  /** Names on the buttons the number of the photo, and whether a file has a description. */
  #label() {
    for (const [index, [item, { description }]] of [...this.#chosen].entries()) {
      item.querySelector(".edit")?.setAttribute("aria-label", `Edit photo ${index + 1}`);
      const button = item.querySelector(".describe");
      if (!button) continue;
      const words = description ? "Edit alt text of" : "Add alt text to";
      button.setAttribute("aria-label", `${words} photo ${index + 1}`);
      button.replaceChildren(element("span", {}, icon(description ? "check-lg" : "plus-lg"), "Alt"));
      button.toggleAttribute("data-described", description !== "");
    }
  }

  /**
   * Empties the tray.
   *
   * @returns {[HTMLElement, Chosen][]} the photos that were in it, in order, each with its item
   */
  take() {
    const all = [...this.#chosen];
    this.#chosen.clear();
    this.#list.replaceChildren();
    return all;
  }

  /** Puts back the photos that couldn't be sent, before those that have been chosen since. */
  giveBack(taken) {
    this.#chosen = new Map([...taken, ...this.#chosen]);
    this.#list.prepend(...taken.map(([item]) => item));
    this.#label();
  }
}
