/**
 * Whether this browser has ever kept something in a database: most pages have nothing to look for in one, and load
 * nothing that could.
 *
 * @param {string} name
 * @returns {Promise<boolean>} also true where the browser can't tell
 */
export async function mayExist(name) {
  if (!indexedDB.databases) return true;
  const databases = await indexedDB.databases().catch(() => []);
  return databases.some((database) => database.name === name);
}
