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

/**
 * Finds out whether this browser has ever kept something in a database, so that a page with nothing to look for
 * doesn't load the scripts that would.
 *
 * @param {string} name
 * @returns {Promise<boolean>} also true where the browser can't tell
 */
export async function mayExist(name) {
  if (!indexedDB.databases) return true;
  const databases = await indexedDB.databases().catch(() => []);
  return databases.some((database) => database.name === name);
}
