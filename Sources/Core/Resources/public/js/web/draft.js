/** What a person has typed and not sent yet. This browser keeps it until it is sent. */
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
      return null; // Not written by this script, or storage is forbidden: there is no draft.
    }
  }

  /** @param {object} content */
  keep(content) {
    try {
      localStorage.setItem(this.#name, JSON.stringify(content));
    } catch {
      // No room, or storage is forbidden. The page itself still holds the text.
    }
  }

  clear() {
    try {
      localStorage.removeItem(this.#name);
    } catch {
      // Storage is forbidden, so nothing was kept either.
    }
  }
}
