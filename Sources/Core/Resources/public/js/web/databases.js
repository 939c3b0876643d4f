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
