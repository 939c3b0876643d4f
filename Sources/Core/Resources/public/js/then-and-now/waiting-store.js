/**
 * Then & Now pairs that were accepted and have not gone out, kept in IndexedDB: no lost network, closed page or killed
 * browser loses one.
 *
 * @typedef {object} Entry
 * @property {number} [order] given by the store, ascending
 * @property {string} key the pair's `Idempotency-Key`
 * @property {string} uploadKey the upload's
 * @property {string} account who took it
 * @property {object} recipe the body of `POST /api/v1/rephotographs`, without the `media_id`
 * @property {Blob & {name?: string}} file the new picture; one that was drawn has no name
 * @property {Blob} [preview] a small picture of the pair
 * @property {number} madeAt milliseconds since 1970
 * @property {string} [media] the id of the file, once it has gone up
 * @property {boolean} [isAgain] whether the file has gone up a second time
 * @property {number} [postedAt] when the pair itself first went out; the server may have it
 * @property {"waiting" | "failed"} state
 * @property {string} [error] why it failed, in a sentence
 * @property {"retry"} [remedy] what would help
 * @property {boolean} [isPlain] whether the store has bytes in place of the pictures
 */
import { Store } from "../web/store.js";

/** The name of the database. */
export const name = "tintype-waiting";

/** What may wait at most: pairs, and bytes. */
const limits = { most: 20, bytes: 200_000_000 };

const table = "pairs";
const store = new Store(name, { [table]: { keyPath: "order", autoIncrement: true } });

/** @param {Entry} pair */
const sizeOf = ({ file, preview }) => file.size + (preview?.size ?? 0);

/** A picture as bytes, for browsers that can't keep files (private windows of WebKit). */
const plain = async (file) =>
  file && { bytes: await file.arrayBuffer(), size: file.size, type: file.type, name: file.name ?? "now.jpg" };

/**
 * Returns an entry as the store has it.
 *
 * @param {Entry} entry
 */
async function stored(entry) {
  if (!entry.isPlain) return entry;
  return { ...entry, file: await plain(entry.file), preview: await plain(entry.preview) };
}

/** An entry of the store with its pictures as files. */
function whole(entry) {
  if (!entry.isPlain) return entry;
  const [file, preview] = [entry.file, entry.preview].map((one) => one && new File([one.bytes], one.name, one));
  return { ...entry, file, preview };
}

/**
 * Every pair of an account that waits, oldest first.
 *
 * @param {string} account
 * @returns {Promise<Entry[]>}
 */
export async function entries(account) {
  const kept = await store.run(table, "readonly", (pairs) => pairs.getAll(), () => []);
  return kept.filter((entry) => entry.account === account).map(whole);
}

/**
 * Keeps a new pair and gives it its order; one that waits under the same key stays as it is.
 *
 * @param {Entry} entry
 * @throws {Error} with a sentence for a person, when there is no room for it
 */
export async function add(entry) {
  const forbidden = () => {
    throw new Error("This browser can’t store pictures for later. Save the picture to your device.");
  };
  let isFull = false;
  /** @type {object} */
  let record = entry;
  const put = (pairs) => {
    const all = pairs.getAll();
    all.onsuccess = () => {
      if (all.result.some(({ key }) => key === entry.key)) return;
      const bytes = all.result.reduce((sum, one) => sum + sizeOf(one), sizeOf(entry));
      isFull = all.result.length >= limits.most || bytes > limits.bytes;
      if (!isFull) pairs.put(record);
    };
    return all;
  };
  try {
    await store.run(table, "readwrite", put, forbidden);
  } catch (error) {
    if (error.name === "UnknownError" || error.name === "DataCloneError") {
      record = await stored({ ...entry, isPlain: true });
      await store.run(table, "readwrite", put, forbidden);
    } else if (error.name === "QuotaExceededError") {
      isFull = true;
    } else {
      throw error;
    }
  }
  const words = "Too many pictures are waiting for the network. Save this one to your device, or send some of them first.";
  if (isFull) throw new Error(words);
}

/**
 * Keeps a changed pair, unless it has been removed meanwhile.
 *
 * @param {Entry} entry
 * @returns {Promise<boolean>}
 */
export async function update(entry) {
  const record = await stored(entry);
  const change = (pairs) => {
    const count = pairs.count(entry.order);
    count.onsuccess = () => count.result > 0 && pairs.put(record);
    return count;
  };
  return (await store.run(table, "readwrite", change, () => 0)) > 0;
}

/** @param {Entry} entry */
export async function remove({ order }) {
  await store.run(table, "readwrite", (pairs) => pairs.delete(order), () => {});
}

/**
 * Deletes the pairs of all other accounts.
 *
 * @param {string} account
 */
export async function keepOnly(account) {
  const deleteOthers = (pairs) => {
    const all = pairs.openCursor();
    all.onsuccess = () => {
      const cursor = all.result;
      if (!cursor) return;
      if (cursor.value.account !== account) cursor.delete();
      cursor.continue();
    };
    return all;
  };
  await store.run(table, "readwrite", deleteOthers, () => {});
}
