/** The account for which this browser keeps things. Its cache has its name, and there is never more than one. */
import { Store } from "../web/store.js";

/** The service worker's tables: `state`, of few values by name, and `kept`, what the cache holds. */
export const store = new Store("tintype-offline", { state: { keyPath: "name" }, kept: { keyPath: "key" } });

const prefix = "tintype-kept-";

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
 * Returns whether it is certain that nobody is logged in, which it isn't where the browser's store doesn't work.
 *
 * @returns {Promise<boolean>}
 */
export async function isNobodys() {
  return (await store.run("state", "readonly", (states) => states.get("account"), () => null)) === undefined;
}

/**
 * Returns what the server says of the owner in answers that may be kept (`X-Account`): the account, and the epoch of what
 * it may see of others.
 *
 * @returns {Promise<string | undefined>}
 */
export async function asker() {
  const account = await owner();
  return account && `${account}-${await recall("epoch")}`;
}

/** Deletes all that is kept; the account last, since as long as it is named, what a killed browser left is deleted again. */
export async function empty() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(prefix)).map((name) => caches.delete(name)));
  await store.run("kept", "readwrite", (entries) => entries.clear(), () => {});
  await store.run("state", "readwrite", (states) => states.delete("account"), () => {});
}
