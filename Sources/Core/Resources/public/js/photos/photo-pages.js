import { fragment } from "../web/api.js";

/** Pages kept at most: this one, its neighbours, and theirs. */
const kept = 7;

/**
 * The parts of a photo's page: the content of its stage (an `<img>`, or an element with several), the bars around the
 * stage in the viewer, the sheets that its buttons open, and its title.
 *
 * @typedef {{picture: HTMLElement, bars: Element[], sheets: Element[], title: string}} PhotoPage
 */

/** The pages of single photos: each loaded once and kept while near. */
export class PhotoPages {
  /** @type {Map<string, Promise<PhotoPage>>} by path */
  #pages = new Map();

  /**
   * Reads the parts of a page.
   *
   * @param {Document | DocumentFragment} page
   * @returns {PhotoPage}
   */
  static read(page) {
    const viewer = page.querySelector("photo-viewer");
    const picture = viewer.querySelector("[data-stage]").firstElementChild;
    const bars = [...viewer.children].filter((part) => !part.matches("[data-stage]"));
    return { picture, bars, sheets: sheetsAround(viewer), title: page.querySelector("title").textContent };
  }

  /** @param {string} path of a photo's page, as `/library/ID` */
  load(path) {
    const page = this.#pages.get(path) ?? this.#fetch(path);
    this.keep(path, page);
    return page;
  }

  /** Keeps a page as the most recently used one. */
  keep(path, page) {
    this.#pages.delete(path);
    this.#pages.set(path, Promise.resolve(page));
    if (this.#pages.size > kept) this.#pages.delete(this.#pages.keys().next().value);
  }

  async #fetch(path) {
    try {
      const content = await fragment(path, "photo");
      await bringStyles(content);
      const page = PhotoPages.read(content);
      // In this document the pictures begin to load. One that can't be decoded is shown while it loads.
      document.adoptNode(page.picture);
      await Promise.allSettled(imagesOf(page.picture).map((image) => image.decode()));
      return page;
    } catch (error) {
      this.#pages.delete(path);
      throw error;
    }
  }
}

/**
 * Returns the sheets of a photo's page, which are beside the viewer.
 *
 * @param {Element} viewer
 * @returns {Element[]}
 */
export function sheetsAround(viewer) {
  return [...viewer.parentElement.children].filter((part) => part.matches(".sheet"));
}

/** Returns the pictures that load at once. */
function imagesOf(picture) {
  return [picture, ...picture.querySelectorAll("*")].filter((part) => part.matches("img:not([loading=lazy])"));
}

/** Adds the style sheets that a page has and the document lacks, and waits until they apply. */
async function bringStyles(page) {
  const styles = (root) => [...root.querySelectorAll("link[rel=stylesheet]")];
  const present = new Set(styles(document).map((style) => style.getAttribute("href")));
  const missing = styles(page).filter((style) => !present.has(style.getAttribute("href")));
  const loaded = missing.map((style) => new Promise((done) => {
    for (const name of ["load", "error"]) style.addEventListener(name, done, { once: true });
  }));
  document.head.append(...missing);
  await Promise.all(loaded);
}
