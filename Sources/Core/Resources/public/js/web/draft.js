/** What somebody has typed and not sent yet, kept in this browser until it is. */
export class Draft {
  #name;

  /** @param {string} what for; each account has its own */
  constructor(what) {
    this.#name = `draft:${what}:${document.documentElement.dataset.account}`;
  }

  /** @returns {any} what was kept, or null */
  read() {
    try {
      return JSON.parse(localStorage.getItem(this.#name));
    } catch {
      return null; // Not ours, or storage is forbidden: the same as no draft.
    }
  }

  /** @param {object} content */
  keep(content) {
    try {
      localStorage.setItem(this.#name, JSON.stringify(content));
    } catch {
      // No room, or storage is forbidden: the page itself still holds the text.
    }
  }

  clear() {
    try {
      localStorage.removeItem(this.#name);
    } catch {
      // Then nothing was kept either.
    }
  }
}
