import { editsPhotos } from "../editing/availability.js";
import { indexOf } from "./cell-gestures.js";
import { lookFirst } from "./first-look.js";

/**
 * The sheet that puts photos into cells: photos of the library, which its list loads when the sheet opens, and uploaded
 * files. Several files fill this cell and the next empty ones, in their order.
 */
export class Picker {
  #sheet;
  #collage;
  #note;
  #index = 0;
  /** Whether the cell of the sheet still waits for its first file. */
  #isWaiting = false;
  /**
   * Files that are being uploaded, in the order in which they were chosen, and the cells that wait for them.
   *
   * @type {{item: Element, index?: number}[]}
   */
  #coming = [];
  /**
   * Files that were just chosen, before it is known how many, each with its kind.
   *
   * @type {{file: File, kind: string}[]}
   */
  #chosen = [];
  /** Whether files are on their way that the person has looked at. */
  #isPassing = false;

  /** @param {HTMLElement} sheet @param {{collage: object, note: object}} tools */
  constructor(sheet, { collage, note }, signal) {
    this.#sheet = sheet;
    this.#collage = collage;
    this.#note = note;
    sheet.addEventListener("click", (event) => this.#choose(event.target), { signal });
    sheet.addEventListener("photo-chosen", (event) => this.#hold(event), { signal });
    sheet.addEventListener("photo-uploaded", (event) => this.#take(event), { signal });
    const close = ({ newState }) => newState === "closed" && (this.#isWaiting = false);
    sheet.addEventListener("toggle", close, { signal });
    const uploads = new MutationObserver((records) => records.forEach((one) => this.#follow(one)));
    uploads.observe(this.#tray, { childList: true });
    signal.addEventListener("abort", () => uploads.disconnect());
  }

  /** Opens the sheet for a cell. */
  open(index) {
    this.#index = index;
    this.#isWaiting = true;
    this.#show(`Photo for cell ${index + 1}`);
  }

  #show(title) {
    this.#sheet.querySelector("h2").textContent = title;
    this.#sheet.showPopover();
  }

  /**
   * Begins to upload files that were dropped on a cell.
   *
   * @param {FileList} files
   */
  bring(files, index) {
    this.open(index);
    this.#upload.add(files);
  }

  get #upload() {
    return this.#sheet.querySelector("photo-upload");
  }

  /** Holds files that others would see at once, until the person has looked at them. */
  #hold(event) {
    if (!editsPhotos || this.#isPassing || this.#collage.rights.isAlone) return;
    event.preventDefault();
    this.#chosen.push(event.detail);
    if (this.#chosen.length === 1) queueMicrotask(() => this.#pass());
  }

  /**
   * Uploads the held files: a single one after a look, with the chance to edit it; several without, since a dialog for each
   * would be in the way.
   */
  async #pass() {
    const [index, isWaiting] = [this.#index, this.#isWaiting];
    const [{ kind }] = this.#chosen;
    let files = this.#chosen.splice(0).map(({ file }) => file);
    if (files.length === 1) files = [await lookFirst(files[0])].filter((file) => file !== null);
    // The look has closed the sheet.
    if (isWaiting) this.open(index);
    if (files.length === 0) return;
    this.#isPassing = true;
    this.#upload.add(files, kind);
    this.#isPassing = false;
  }

  get #tray() {
    return this.#sheet.querySelector("[data-tray]");
  }

  #choose(target) {
    const item = target.closest("button[value]")?.closest("li[data-id]");
    if (!item) return;
    const { id, width, height, description } = item.dataset;
    const original = { width: Number(width), height: Number(height) };
    this.#sheet.hidePopover();
    this.#collage.fill(this.#index, { id, description, meta: { original } });
  }

  /** Gives each new upload its cell at once, so that the order of files doesn't depend on which one ends first. */
  #follow({ addedNodes, removedNodes }) {
    for (const item of addedNodes) this.#coming.push({ item, index: this.#nextCell() });
    const gone = [...removedNodes];
    this.#coming = this.#coming.filter(({ item }) => !gone.includes(item) || item.isConnected);
    // The sheet opens for a pasted file, too, to show its progress.
    const isHidden = !this.#sheet.matches(":popover-open");
    if (isHidden && this.#coming.length > 0) this.#show("Add a photo");
  }

  /** Returns the sheet's cell for the first file, then the next empty cell that waits for no other file. */
  #nextCell() {
    const taken = this.#coming.map(({ index }) => index);
    const { emptyCells, rights } = this.#collage;
    const free = emptyCells.filter((index) => rights.mayFill(index));
    const after = free.filter((index) => index > this.#index);
    const first = this.#isWaiting ? [this.#index] : [];
    this.#isWaiting = false;
    return [...first, ...after, ...free].find((index) => !taken.includes(index));
  }

  #take(event) {
    event.preventDefault();
    // The file's item has just been removed from the tray.
    const place = this.#coming.findIndex(({ item }) => !item.isConnected);
    const [{ index } = { index: this.#nextCell() }] = place < 0 ? [] : this.#coming.splice(place, 1);
    if (index === undefined) this.#note.say("All cells are full. The other photos are in your library.");
    else this.#collage.fill(index, event.detail.media);
    if (!this.#tray.firstElementChild) this.#sheet.hidePopover();
  }
}

/**
 * Lets files be dropped on the cells of a square.
 *
 * @param {Picker} picker
 */
export function letFilesBeDropped(square, picker, collage, signal) {
  const isWelcome = ({ target, dataTransfer }) => {
    const index = indexOf(target);
    return index !== undefined && dataTransfer.types.includes("Files") && collage.rights.mayFill(index);
  };
  square.addEventListener("dragover", (event) => isWelcome(event) && event.preventDefault(), { signal });
  const drop = (event) => {
    if (!isWelcome(event) || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    picker.bring(event.dataTransfer.files, indexOf(event.target));
  };
  square.addEventListener("drop", drop, { signal });
}
