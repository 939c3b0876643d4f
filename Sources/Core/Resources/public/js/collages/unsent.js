import { newKey } from "../web/api.js";
import { commute, merged } from "./changes.js";

/** The most changes that are kept. Changes of one thing in a row are merged, so few collages come near this. */
const most = 300;

/**
 * The changes of a collage that the server doesn't have yet, in order. This browser keeps them, so that a reload and a
 * lost connection lose none, and all its tabs see the same ones.
 *
 * @typedef {import("./changes.js").Change & {key: string, isTried?: boolean}} Entry
 */
export class Unsent {
  #name;
  /**
   * The changes that the browser didn't store, because it has no room or storage is forbidden.
   *
   * @type {Entry[] | null}
   */
  #memory = null;

  /** @param {string} collage its id */
  constructor(collage) {
    this.#name = `collage:${collage}:${document.documentElement.dataset.account}`;
  }

  /** Calls `changed` when another tab has added or sent a change. */
  watch(changed, signal) {
    addEventListener("storage", ({ key }) => key === this.#name && changed(), { signal });
  }

  /** @returns {Entry[]} */
  get all() {
    if (this.#memory) return this.#memory;
    try {
      return JSON.parse(localStorage.getItem(this.#name)) ?? [];
    } catch {
      return [];
    }
  }

  /** Adds a change, or merges it into a waiting one. Returns false when there is no room for more. */
  add(change) {
    const { all } = this;
    for (let index = all.length - 1; index >= 0 && !all[index].isTried; index -= 1) {
      const both = merged(all[index], change);
      if (both !== undefined) {
        all.splice(index, 1, ...(both ? [/** @type {Entry} */ (both)] : []));
        this.#keep(all);
        return true;
      }
      if (!commute(all[index], change)) break;
    }
    if (all.length >= most) return false;
    this.#keep([...all, { ...change, key: newKey() }]);
    return true;
  }

  /**
   * Notes that the server may have a change already, so that no other change is merged into it.
   *
   * @param {Entry} entry
   */
  try(entry) {
    this.#keep(this.all.map((one) => (one.key === entry.key ? { ...one, isTried: true } : one)));
  }

  /** @param {Entry} entry */
  remove(entry) {
    this.#keep(this.all.filter(({ key }) => key !== entry.key));
  }

  clear() {
    this.#keep([]);
  }

  /** @param {Entry[]} all */
  #keep(all) {
    try {
      if (all.length > 0) localStorage.setItem(this.#name, JSON.stringify(all));
      else localStorage.removeItem(this.#name);
      this.#memory = null;
    } catch {
      this.#memory = all;
    }
  }
}
