import { Store } from "../web/store.js";

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
 * @property {string} [library] the id of a photo of the person's library
 * @property {string} [uploadKey] the upload's `Idempotency-Key`, when it isn't the message's
 * @property {string} [photo] the id of what has gone up
 * @property {string} [reply] the id of the message that it answers
 * @property {boolean} [once] whether the photo may be seen once
 * @property {"waiting" | "failed"} state
 * @property {string} [error] why it failed, in a sentence
 * @property {"file" | "room"} [remedy] what would help: another file, or room for it on the server
 */

const table = "messages";
const store = new Store("tintype-outbox", { [table]: { keyPath: "order", autoIncrement: true } });

/**
 * Where the browser keeps nothing (some private windows): it lasts as long as the page. Its orders are negative.
 *
 * @type {Map<number, Entry>}
 */
const memory = new Map();

/**
 * Every message of an account that waits, in the order in which they were written.
 *
 * @param {string} account
 * @returns {Promise<Entry[]>}
 */
export async function entries(account) {
  const kept = await store.run(table, "readonly", (messages) => messages.getAll(), () => []);
  return [...kept, ...memory.values()].filter((entry) => entry.account === account);
}

/**
 * Keeps a new entry, and gives it its order.
 *
 * @param {Entry} entry
 */
export async function put(entry) {
  const keepInMemory = () => {
    const order = -(memory.size === 0 ? 1 : 1 - Math.min(...memory.keys()));
    memory.set(order, entry);
    return order;
  };
  const order = await store.run(table, "readwrite", (messages) => messages.put(entry), keepInMemory);
  entry.order = /** @type {number} */ (order);
}

/**
 * Keeps a changed entry, unless it has been removed meanwhile, in another tab, say.
 *
 * @param {Entry} entry
 * @returns {Promise<boolean>} whether it was still there
 */
export async function update(entry) {
  if (entry.order < 0) return memory.has(entry.order);
  const change = (messages) => {
    const count = messages.count(entry.order);
    count.onsuccess = () => count.result > 0 && messages.put(entry);
    return count;
  };
  const known = await store.run(table, "readwrite", change, () => 0);
  return known > 0;
}

/** @param {Entry} entry */
export async function remove({ order }) {
  if (memory.delete(order)) return;
  await store.run(table, "readwrite", (messages) => messages.delete(order), () => {});
}
