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
 * @property {string} [reply] the id of the message that it answers
 * @property {boolean} [once] whether the photo may be seen once
 * @property {"waiting" | "failed"} state
 * @property {string} [error] why it failed, in a sentence
 * @property {"file" | "room"} [remedy] what would help: another file, or room for it on the server
 */

const table = "messages";

/** Milliseconds after which the store counts as lost, and how often a lost one is opened again. */
const patience = 10_000;
const tries = 3;

/** What the browser's errors are called when it has closed the store by itself. */
const losses = ["InvalidStateError", "UnknownError", "AbortError", "TimeoutError"];

/**
 * Where the browser keeps nothing (some private windows): it lasts as long as the page. Its orders are negative.
 *
 * @type {Map<number, Entry>}
 */
const memory = new Map();

/** @type {Promise<IDBDatabase | null> | undefined} */
let opened;
let hasOpened = false;

/** @returns {Promise<IDBDatabase | null>} null where the browser keeps nothing */
function open() {
  opened ??= new Promise((resolve, reject) => {
    const opening = indexedDB.open("tintype-outbox", 1);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore(table, { keyPath: "order", autoIncrement: true });
    opening.onsuccess = () => {
      hasOpened = true;
      // WebKit closes it while the page is in the background; erasing the site's data does, too.
      opening.result.onclose = forget;
      opening.result.onversionchange = forget;
      resolve(opening.result);
    };
    opening.onerror = () => reject(opening.error);
    setTimeout(() => reject(new DOMException("The store does not open.", "TimeoutError")), patience);
  }).catch((error) => {
    opened = undefined;
    if (hasOpened) throw error;
    return null;
  });
  return opened;
}

/** Lets go of the store: the next use opens it again. */
function forget() {
  opened?.then((database) => database?.close()).catch(() => {});
  opened = undefined;
}

/** Runs one request of the store in a transaction, and waits until that is kept. */
async function run(mode, action, instead) {
  for (let number = 1; ; number += 1) {
    try {
      const database = await open();
      return database ? await transact(database, mode, action) : instead();
    } catch (error) {
      if (number === tries || !losses.includes(error.name)) throw error;
      forget();
    }
  }
}

async function transact(database, mode, action) {
  let timer;
  const kept = new Promise((resolve, reject) => {
    // A connection that is lost may not even say so.
    const lost = () => reject(new DOMException("The store does not answer.", "TimeoutError"));
    timer = setTimeout(lost, patience);
    const transaction = database.transaction(table, mode);
    const request = action(transaction.objectStore(table));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? new DOMException("The store was closed.", "AbortError"));
  });
  return kept.finally(() => clearTimeout(timer));
}

/**
 * Every message of an account that waits, in the order in which they were written.
 *
 * @param {string} account
 * @returns {Promise<Entry[]>}
 */
export async function entries(account) {
  const kept = await run("readonly", (store) => store.getAll(), () => []);
  return [...kept, ...memory.values()].filter((entry) => entry.account === account);
}

/** Keeps a new entry, and gives it its order. @param {Entry} entry */
export async function put(entry) {
  const keepInMemory = () => {
    const order = -(memory.size === 0 ? 1 : 1 - Math.min(...memory.keys()));
    memory.set(order, entry);
    return order;
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
  if (entry.order < 0) return memory.has(entry.order);
  const change = (store) => {
    const count = store.count(entry.order);
    count.onsuccess = () => count.result > 0 && store.put(entry);
    return count;
  };
  const known = await run("readwrite", change, () => 0);
  return known > 0;
}

/** @param {Entry} entry */
export async function remove({ order }) {
  if (memory.delete(order)) return;
  await run("readwrite", (store) => store.delete(order), () => {});
}
