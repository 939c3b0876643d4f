import { fragment } from "../web/api.js";

/** Pages kept at most: this one, its neighbours, and theirs. */
const kept = 7;

/**
 * The page of one photo in parts: its picture, what stands around it in the viewer, and the
 * sheet that asks before it is deleted.
 *
 * @typedef {{picture: HTMLImageElement, bars: Element[], sheet: Element | null}} PhotoPage
 */

/** The pages of single photos: each loaded once and kept while near. */
export class PhotoPages {
  /** @type {Map<string, Promise<PhotoPage>>} by path */
  #pages = new Map();

  /** Takes a page apart. */
  static read(page) {
    const viewer = page.querySelector("photo-viewer");
    const picture = viewer.querySelector("[data-stage] > img");
    const bars = [...viewer.children].filter((part) => !part.matches("[data-stage]"));
    return { picture, bars, sheet: page.querySelector(".sheet") };
  }

  /** @param {string} path of a photo's page, as `/library/ID` */
  load(path) {
    const page = this.#pages.get(path) ?? this.#fetch(path);
    this.keep(path, page);
    return page;
  }

  /** Keeps a page, as the one that was used last. */
  keep(path, page) {
    this.#pages.delete(path);
    this.#pages.set(path, Promise.resolve(page));
    if (this.#pages.size > kept) this.#pages.delete(this.#pages.keys().next().value);
  }

  async #fetch(path) {
    try {
      const page = PhotoPages.read(await fragment(path, "photo"));
      // In the document the picture begins to load. If it can't be decoded, it shows as it comes.
      document.adoptNode(page.picture);
      await page.picture.decode().catch(() => {});
      return page;
    } catch (error) {
      this.#pages.delete(path);
      throw error;
    }
  }
}
