/**
 * Messages that wait to be sent, kept in IndexedDB, so that no closed page and no lost network loses one.
 *
 * @typedef {object} Entry
 * @property {number} [order] given by the store, ascending
 * @property {string} key the message's `Idempotency-Key`
 * @property {string} account who wrote it
 * @property {string} chat
 * @property {string} text
 * @property {File} [file] a photo that goes up first
 * @property {"upload" | "camera"} [kind] where that photo comes from
 * @property {string} [description] what the photo shows, said of a file; of a library photo what it is known by here
 * @property {string} [library] the id of a photo of one's library, chosen there
 * @property {string} [uploadKey] the upload's `Idempotency-Key`, when it isn't the message's
 * @property {string} [photo] the id of what has gone up
 * @property {boolean} [once] whether the photo may be seen once
 * @property {"waiting" | "failed"} state
 * @property {string} [error] why it failed, in a sentence
 */

const table = "messages";

/** Where the browser keeps nothing (some private windows): it lasts as long as the page. */
const memory = new Map();
let memoryOrder = 0;

/** @type {Promise<IDBDatabase | null>} */
let opened;

function open() {
  opened ??= new Promise((resolve) => {
    const opening = indexedDB.open("tintype-outbox", 1);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore(table, { keyPath: "order", autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => resolve(null);
  });
  return opened;
}

/** Runs one request of the store in a transaction, and waits until that is kept. */
async function run(mode, action, instead) {
  const database = await open();
  if (!database) return instead();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(table, mode);
    const request = action(transaction.objectStore(table));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

/**
 * Every message of an account that waits, in the order in which they were written.
 *
 * @param {string} account
 * @returns {Promise<Entry[]>}
 */
export async function entries(account) {
  const all = await run("readonly", (store) => store.getAll(), () => [...memory.values()]);
  return all.filter((entry) => entry.account === account);
}

/** Keeps a new or changed entry; a new one gets its order. @param {Entry} entry */
export async function put(entry) {
  const keepInMemory = () => {
    entry.order ??= ++memoryOrder;
    memory.set(entry.order, entry);
    return entry.order;
  };
  entry.order = await run("readwrite", (store) => store.put(entry), keepInMemory);
}

/**
 * Keeps a changed entry, unless it has been removed meanwhile, in another tab, say.
 *
 * @param {Entry} entry
 * @returns {Promise<boolean>} whether it was still there
 */
export async function update(entry) {
  const change = (store) => {
    const count = store.count(entry.order);
    count.onsuccess = () => count.result > 0 && store.put(entry);
    return count;
  };
  const known = await run("readwrite", change, () => Number(memory.has(entry.order)));
  return known > 0;
}

/** @param {Entry} entry */
export async function remove({ order }) {
  await run("readwrite", (store) => store.delete(order), () => memory.delete(order));
}
