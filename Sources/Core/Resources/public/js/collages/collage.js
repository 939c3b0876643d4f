import * as changes from "./changes.js";
import { apply, inverse } from "./effects.js";
import { contains, frameOf } from "./geometry.js";
import { History } from "./history.js";
import { Rights } from "./rights.js";
import { Saving } from "./saving.js";

/**
 * The collage on the page: its draft with the person's own changes, and the actions on it.
 *
 * Fires `changed` for each new draft, `said` with a sentence as detail, and `gone`.
 */
export class Collage extends EventTarget {
  history = new History();
  #saving;
  #world;

  /**
   * @param {{draft: object, layouts: object[], viewer: string}} page what the server wrote into it
   * @param {AbortSignal} signal ends the saving
   */
  constructor({ draft, layouts, viewer }, signal) {
    super();
    const people = [draft.owner, ...draft.accounts];
    this.#world = {
      layouts: new Map(layouts.map((layout) => [layout.id, layout])),
      viewer: people.find(({ id }) => id === viewer) ?? { id: viewer },
    };
    this.#saving = new Saving(draft, this.#world, signal);
    const pass = ({ type }) => this.dispatchEvent(new Event(type));
    this.#saving.addEventListener("changed", pass, { signal });
    this.#saving.addEventListener("gone", pass, { signal });
    this.#saving.addEventListener("refused", ({ detail }) => this.#explain(detail), { signal });
    addEventListener("tintype:collage", ({ detail }) => this.#hear(detail), { signal });
    // Without a network the page stays as it is, and the draft is fetched again when the stream is back.
    addEventListener("tintype:reset", () => this.#saving.refresh().catch(() => {}), { signal });
  }

  get draft() {
    return this.#saving.draft;
  }

  get rights() {
    return new Rights(this.draft, this.#world.viewer.id);
  }

  get saved() {
    const { isSaved, isTroubled } = this.#saving;
    return { isSaved, isTroubled };
  }

  /**
   * The indices of the cells without a photo.
   *
   * @returns {number[]}
   */
  get emptyCells() {
    return [...this.draft.cells.keys()].filter((index) => !this.draft.cells[index].photo);
  }

  /** Returns the frame of a cell, in this draft or another. */
  frame(index, { layout_id, spacing } = this.draft) {
    return frameOf(this.#world.layouts.get(layout_id).cells[index], spacing);
  }

  /** Returns the index of the cell at a point of the square; undefined between the cells. */
  cellAt(point) {
    return [...this.draft.cells.keys()].find((index) => contains(this.frame(index), point));
  }

  /** @param {{background?: string, spacing?: number, corner_radius?: number}} style */
  restyle(style) {
    this.#change(changes.restyle(style));
  }

  relayout(layout) {
    this.#change(changes.relayout(layout));
  }

  /** Puts a photo into a cell, which shows its middle or another part of it. */
  fill(index, photo, view = undefined) {
    this.#change(changes.fill(index, photo, view));
  }

  clear(index) {
    this.#change(changes.clear(this.draft, index));
  }

  look(index, view) {
    this.#change(changes.look(this.draft, index, view));
  }

  swap(one, other) {
    this.#change(changes.swap(this.draft, one, other));
  }

  /** Returns the draft as it would be with the photos of two cells swapped. */
  swapped(one, other) {
    return apply(this.draft, changes.swap(this.draft, one, other), this.#world);
  }

  /** Undoes or redoes the last step that still has an effect, as others may have changed the collage since. */
  step(way) {
    const next = () => (way === "undo" ? this.history.undo() : this.history.redo());
    let change = next();
    while (change && !this.#hasEffect(change)) change = next();
    if (change) this.#saving.add(change);
    else this.dispatchEvent(new Event("changed"));
  }

  /**
   * Renders the picture.
   *
   * @returns {Promise<object>} the photo
   */
  finish() {
    return this.#saving.finish();
  }

  #change(change) {
    if (!this.#hasEffect(change)) return;
    const back = inverse(this.draft, change, this.#world);
    if (back) this.history.add(change, back);
    if (!this.#saving.add(change)) this.#say("This change can’t be saved. Check the network.");
  }

  #hasEffect(change) {
    return apply(this.draft, change, this.#world) !== this.draft;
  }

  #hear(draft) {
    if (draft.id !== this.draft.id) return;
    if (draft.state === "deleted") return this.#saving.end();
    const before = this.draft;
    this.#saving.take(draft);
    if (draft.state === "finished") {
      // The picture arrives a moment later, for the people who gave a photo.
      const isNews = before.state !== "finished" || (draft.photo && !before.photo);
      const where = draft.photo ? " The picture is in your library." : "";
      if (isNews && !this.rights.isOwner) this.#say(`${nameOf(draft.owner)} finished the collage.${where}`);
      return;
    }
    const index = before.layout_id === this.draft.layout_id ? this.#filled(before) : -1;
    if (index >= 0) this.#say(`${nameOf(this.draft.cells[index].account)} filled cell ${index + 1}.`);
  }

  /** Returns the index of a cell that another person has filled since an earlier draft, or -1. */
  #filled({ cells }) {
    return this.draft.cells.findIndex(
      ({ photo, account }, index) => photo && !cells[index].photo && !this.rights.isOwn(account),
    );
  }

  #explain({ change, error }) {
    const { account } = this.draft.cells[change.index] ?? {};
    const wasSlow = error.status === 409 && change.kind === "fill" && !this.rights.isOwn(account);
    const cell = `cell ${change.index + 1}`;
    const sentence = `${nameOf(account)} filled ${cell} before you did. Your photo is in your library.`;
    this.#say(wasSlow ? sentence : error.message);
  }

  #say(sentence) {
    this.dispatchEvent(new CustomEvent("said", { detail: sentence }));
  }
}

/** Returns the name of an account to show. */
export function nameOf(account) {
  return account?.display_name || account?.username || "Somebody";
}
