import { asker, cacheOf, inTurn, owner, store } from "./owner.js";
import { limits, photoOf } from "./places.js";

/**
 * Something that is kept in the owner's cache and listed in the table `kept`, which says what is deleted first.
 *
 * @typedef {object} Entry
 * @property {string} key
 * @property {string} kind
 * @property {number} bytes
 * @property {number} at when it was kept
 * @property {number} used when it was last looked at, to the minute
 * @property {string | null} tag the answer's `ETag`
 * @property {string} [version] of the static files that a page uses
 * @property {string[]} [ids] of the photos that a page of the library lists
 */

const minute = 60_000;

/** Headers that say something about the bytes on the wire, or of one request only. */
const passing = ["Content-Encoding", "Content-Length", "Date", "Vary", "X-Request-Id"];

let isInOrder = false;

/** @returns {Promise<Entry[]>} */
export function entries() {
  return store.run("kept", "readonly", (table) => table.getAll(), () => []);
}

/** @param {string} key @returns {Promise<Entry | undefined>} */
export function entry(key) {
  return store.run("kept", "readonly", (table) => table.get(key), () => undefined);
}

/** @param {Entry} entry */
function note(entry) {
  return store.run("kept", "readwrite", (table) => table.put(entry), () => {});
}

/** @param {string} key @returns {Promise<Response | null>} what is kept there */
export async function find(key) {
  const account = await owner();
  const known = account && (await entry(key));
  if (!known) return null;
  const found = await caches.match(key, { cacheName: cacheOf(account), ignoreVary: true });
  if (found && known.used < Date.now() - minute) await note({ ...known, used: Date.now() });
  return found ?? null;
}

/**
 * Keeps an answer, unless it is not for keeping or belongs to someone else, and drops what there is no room for.
 *
 * @param {import("./places.js").Place} place
 * @param {Response} answer whose body is used up
 * @param {object} [details] further members of its entry
 * @param {BodyInit} [changed] a body to keep in place of the answer's
 */
export async function keep({ key, kind }, answer, details = {}, changed) {
  const said = answer.headers.get("X-Account");
  if (!isForKeeping(answer) || said === null) return;
  const tag = answer.headers.get("ETag");
  const known = await entry(key);
  const now = Date.now();
  const isSame = Boolean(known && tag && known.tag === tag);
  if (isSame) await answer.body?.cancel();
  if (isSame && known.used >= now - minute) return;
  const body = isSame ? null : await new Response(changed ?? answer.body).blob();
  if (body && body.size > limits[kind].bytes / 4) return;
  await inTurn(async () => {
    // One from before a block, say, may show what can't be seen any more.
    if (said !== (await asker())) return;
    if (isSame) return note({ ...known, used: now });
    const headers = new Headers(answer.headers);
    for (const name of passing) headers.delete(name);
    headers.set("X-Kept", new Date(now).toISOString());
    const name = cacheOf(await owner());
    await tidyUp(name);
    try {
      await (await caches.open(name)).put(key, new Response(body, { headers }));
    } catch (error) {
      // The browser has no room for more. What is already kept stays.
      console.warn(`${key} isn’t kept:`, error.message);
      return;
    }
    await note({ key, kind, bytes: body.size, at: now, used: now, tag, ...details });
    // Who logged out meanwhile has emptied all this.
    if (said !== (await asker())) return caches.delete(name);
    await trim(name, kind);
  });
}

function isForKeeping(answer) {
  const isPassing = /no-store/.test(answer.headers.get("Cache-Control") ?? "");
  return answer.status === 200 && answer.type === "basic" && !answer.redirected && !isPassing;
}

/** Drops the least recently used of a kind until the rest is within its limits. */
async function trim(name, kind) {
  const known = (await entries()).filter((one) => one.kind === kind).sort((one, other) => other.used - one.used);
  let bytes = 0;
  const over = known.filter((one, index) => (bytes += one.bytes) > limits[kind].bytes || index >= limits[kind].most);
  await drop(name, over.map(({ key }) => key));
}

/** Deletes, once, what is in the cache but in no list, as it may be after the browser was killed. */
async function tidyUp(name) {
  if (isInOrder) return;
  isInOrder = true;
  const listed = new Set((await entries()).map(({ key }) => key));
  const cache = await caches.open(name);
  const keys = (await cache.keys()).map(({ url }) => url.slice(new URL(url).origin.length));
  await Promise.all(keys.filter((key) => !listed.has(key)).map((key) => cache.delete(key)));
}

/**
 * Deletes some of what is kept. Called in turn.
 *
 * @param {string} name of the owner's cache
 * @param {string[]} keys
 */
export async function drop(name, keys) {
  for (const key of keys) {
    await store.run("kept", "readwrite", (table) => table.delete(key), () => {});
    await (await caches.open(name)).delete(key, { ignoreVary: true });
  }
}

/**
 * Deletes what is kept and meets a condition.
 *
 * @param {(entry: Entry) => boolean} condition
 * @returns {Promise<string[]>} the keys of what is deleted
 */
export function forget(condition) {
  return inTurn(async () => {
    const account = await owner();
    const found = account ? (await entries()).filter(condition) : [];
    const keys = found.map(({ key }) => key);
    if (keys.length > 0) await drop(cacheOf(account), keys);
    return keys;
  });
}

/**
 * Deletes all that is kept of photos, and the lists that show them.
 *
 * @param {string[]} ids
 */
export function forgetPhotos(ids) {
  return forget(({ key, ids: listed = [] }) => ids.some((id) => photoOf(key) === id || listed.includes(id)));
}
