/**
 * Returns what this tab of the browser remembers from page to page until it is closed.
 *
 * @param {string} name
 * @returns {any} null when there is nothing, or storage is forbidden
 */
export function recall(name) {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null; // Storage is forbidden, so nothing is remembered.
  }
}

/** @param {string} name @param {object | boolean} value */
export function remember(name, value) {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is forbidden, so nothing is remembered.
  }
}
