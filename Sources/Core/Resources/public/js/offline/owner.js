import { Store } from "../web/store.js";
import { keepOnly } from "./places.js";

/** The account for which this browser keeps things. Its cache has its name, and there is never more than one. */

/** The service worker's tables: `state`, of few values by name, and `kept`, what the cache holds. */
export const store = new Store("tintype-offline", { state: { keyPath: "name" }, kept: { keyPath: "key" } });

/** What the server calls the account of a request that nobody is logged in for (`X-Account`). */
const nobody = "none";

const prefix = "tintype-kept-";

/** When the owner changed, of `performance.now()`. */
let changed = -Infinity;

/** @type {Promise<any>} */
let turn = Promise.resolve();

/**
 * Does one thing after the other, so that nothing is kept of an account while its things are being deleted.
 *
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function inTurn(work) {
  const done = turn.then(work);
  turn = done.catch(() => {}); // The caller gets the error.
  return done;
}

/**
 * Returns the name of an account's cache.
 *
 * @param {string} account
 */
export const cacheOf = (account) => prefix + account;

/** @returns {Promise<any>} a value of the table `state`, undefined when there is none */
export async function recall(name) {
  const entry = await store.run("state", "readonly", (states) => states.get(name), () => undefined);
  return entry?.value;
}

export async function remember(name, value) {
  await store.run("state", "readwrite", (states) => states.put({ name, value }), () => {});
}

/**
 * Reads which account things are kept for, each time from the browser's store, which logging out empties.
 *
 * @returns {Promise<string | undefined>}
 */
export const owner = () => recall("account");

/**
 * Learns from an answer who is logged in. When that is someone else, or nobody, all that is kept is deleted.
 *
 * @param {Response} answer
 * @param {number} asked when it was asked for: what comes late says nothing about now
 */
export async function meet(answer, asked) {
  const account = answer.headers.get("X-Account");
  if (account === null || account === ((await owner()) ?? nobody)) return;
  await inTurn(async () => {
    if (asked < changed) return;
    changed = performance.now();
    await empty();
    await keepOnly(account);
    if (account !== nobody) await remember("account", account);
  });
}

async function empty() {
  await store.run("state", "readwrite", (states) => states.delete("account"), () => {});
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)));
  await store.run("kept", "readwrite", (entries) => entries.clear(), () => {});
}
