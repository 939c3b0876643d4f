/**
 * What was written on this device and has not gone out, kept in IndexedDB: no lost network, closed page or killed browser
 * loses it. What may be seen once is never kept there: it lasts as long as the page.
 *
 * @typedef {object} Waiting what every entry has, besides the members of its kind
 * @property {number} [order] given by the store; negative for what lasts as long as the page
 * @property {string} key the `Idempotency-Key` under which it goes out
 * @property {string} account who wrote it
 * @property {string} kind which script sends it (`FeatureScripts.outbox`)
 * @property {string} lane entries of one lane go out one after the other
 * @property {number} madeAt milliseconds since 1970, ascending
 * @property {number} [postedAt] when it first went out; the server may have it
 * @property {"waiting" | "failed"} state
 * @property {string} [error] why it failed, in a sentence
 * @property {string} [remedy] what would help, as its kind says
 * @property {boolean} [isFleeting] whether it lasts as long as the page
 * @property {boolean} [isUnkept] whether the store has it as it was before it failed, having no room
 * @property {boolean} [isPlain] whether the store has bytes in place of the files
 *
 * @typedef {Waiting & Record<string, any>} Entry
 */
import { Store } from "../web/store.js";

/** The name of the database. */
export const name = "tintype-outbox";

/** What may wait at most: entries, those with files among them, and bytes. */
const limits = { most: 400, files: 60, bytes: 200_000_000 };

const table = "entries";
const store = new Store(name, { [table]: { keyPath: "order", autoIncrement: true } });

/**
 * What lasts as long as the page: all of it where the browser keeps nothing (some private windows).
 *
 * @type {Map<number, Entry>}
 */
const memory = new Map();

/** When the last entry was made. */
let last = 0;

/** @param {any} value @returns {number} the bytes of the files in it */
function sizeOf(value) {
  if (value instanceof Blob) return value.size;
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + sizeOf(one), 0);
  return value?.bytes instanceof ArrayBuffer ? value.bytes.byteLength : 0;
}

/** @param {Entry} entry */
const bytesOf = (entry) => sizeOf(Object.values(entry));

/** Returns bytes in place of files, for browsers that can't keep files (private windows of WebKit). */
async function plain(value) {
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (!(value instanceof Blob)) return value;
  const name = value instanceof File ? value.name : "picture.jpg";
  return { bytes: await value.arrayBuffer(), name, type: value.type };
}

/** Returns files in place of bytes. */
function whole(value) {
  if (Array.isArray(value)) return value.map(whole);
  return value?.bytes instanceof ArrayBuffer ? new File([value.bytes], value.name, { type: value.type }) : value;
}

/** Returns an entry as the store has it. */
async function stored(entry) {
  if (!entry.isPlain) return entry;
  const members = Object.entries(entry).map(async ([name, value]) => [name, await plain(value)]);
  return Object.fromEntries(await Promise.all(members));
}

/** Returns an entry of the store as the app has it. */
function read(entry) {
  if (!entry.isPlain) return entry;
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, whole(value)]));
}

/** @returns {boolean} whether something waits that is lost with the page */
export const losesWithPage = () => memory.size > 0;

/**
 * Returns every entry of an account, in the order in which they were written.
 *
 * @param {string} account
 * @returns {Promise<Entry[]>}
 */
export async function entries(account) {
  const kept = await store.run(table, "readonly", (all) => all.getAll(), () => []);
  return [...kept.map(read), ...memory.values()]
    .filter((entry) => entry.account === account)
    .sort((one, other) => one.madeAt - other.madeAt);
}

/**
 * Counts what has not gone out, for the question before it is lost.
 *
 * @param {string} account
 * @param {string} kind
 */
export async function count(account, kind) {
  return (await entries(account)).filter((entry) => entry.kind === kind).length;
}

/**
 * Keeps a new entry, and gives it its order. One that waits under the same key stays as it is.
 *
 * @param {Entry} entry
 * @param {boolean} [isLatest] whether it is in place of all that waits in its lane
 * @returns {Promise<boolean>} whether it is new
 * @throws {Error} with a sentence for a person, when there is no room for it
 */
export async function add(entry, isLatest = false) {
  last = entry.madeAt = Math.max(Date.now(), last + 1);
  if (entry.isFleeting) return remember(entry);
  try {
    return await put(entry, isLatest);
  } catch (error) {
    if (error.name !== "UnknownError" && error.name !== "DataCloneError") throw error;
    entry.isPlain = true;
    return put(entry, isLatest);
  }
}

function remember(entry) {
  entry.order = Math.min(0, ...memory.keys()) - 1;
  memory.set(entry.order, entry);
  return true;
}

async function put(entry, isLatest) {
  const record = await stored(entry);
  const outcome = { isKnown: false, problem: null, order: 0 };
  const request = (all) => {
    const reading = all.getAll();
    reading.onsuccess = () => {
      const known = isLatest ? reading.result.filter(({ lane }) => lane !== entry.lane) : reading.result;
      outcome.isKnown = known.some(({ key }) => key === entry.key);
      if (outcome.isKnown) return;
      try {
        if (isFull(known, entry)) throw new Error("Too much is waiting for the network. Send or delete some of it first.");
        for (const { lane, order } of reading.result) if (isLatest && lane === entry.lane) all.delete(order);
        const adding = all.put(record);
        adding.onsuccess = () => (outcome.order = adding.result);
      } catch (error) {
        outcome.problem = error;
      }
    };
    return reading;
  };
  if ((await store.run(table, "readwrite", request, () => null)) === null) return remember(entry);
  if (outcome.problem) throw outcome.problem;
  if (!outcome.isKnown) entry.order = outcome.order;
  return !outcome.isKnown;
}

function isFull(known, entry) {
  const all = [...known, entry].map(bytesOf);
  const isOver = all.reduce((sum, one) => sum + one, 0) > limits.bytes || all.length > limits.most;
  return isOver || (all.at(-1) > 0 && all.filter((bytes) => bytes > 0).length > limits.files);
}

/**
 * Keeps a changed entry, unless it has been removed meanwhile, in another tab, say.
 *
 * @param {Entry} entry
 * @returns {Promise<boolean>} whether it was still there
 */
export async function update(entry) {
  if (entry.order < 0) return memory.has(entry.order);
  const record = await stored(entry);
  const change = (all) => {
    const counting = all.count(entry.order);
    counting.onsuccess = () => counting.result > 0 && all.put(record);
    return counting;
  };
  return (await store.run(table, "readwrite", change, () => 0)) > 0;
}

/** @param {Entry} entry */
export async function remove({ order }) {
  if (memory.delete(order)) return;
  await store.run(table, "readwrite", (all) => all.delete(order), () => {});
}

/**
 * Deletes the entries of all other accounts.
 *
 * @param {string} account
 */
export async function keepOnly(account) {
  const deleteOthers = (all) => {
    const reading = all.openCursor();
    reading.onsuccess = () => {
      const cursor = reading.result;
      if (!cursor) return;
      if (cursor.value.account !== account) cursor.delete();
      cursor.continue();
    };
    return reading;
  };
  await store.run(table, "readwrite", deleteOthers, () => {});
}
