import { owner } from "../offline/owner.js";
import { ApiError } from "../web/api.js";
import * as store from "./store.js";

/**
 * How what waits goes out: from a page, or from the service worker when there is a network (Background Sync).
 *
 * @typedef {import("./store.js").Entry} Entry
 *
 * @typedef {object} Tools for sending one entry
 * @property {AbortSignal} signal says that it was taken back
 * @property {() => Promise<void>} save keeps what has changed in it; throws an `AbortError` when it was taken back
 * @property {(loaded: number) => void} onprogress gets how much of its files has gone, from 0 to 1
 * @property {() => Promise<void>} post is called when it goes out and can't be taken back any more
 *
 * @typedef {(entry: Entry, tools: Tools) => Promise<any>} Send gives what the server made of it
 * @typedef {(name: string, detail: {entry: Entry} & Record<string, any>) => void} Report
 */

/** What the service worker's task is called. */
export const syncTag = "tintype-outbox";

/** For how many milliseconds after a first try the server is certain to know its key; it keeps them for 24 hours. */
const certain = 23 * 3_600_000;

/** What browsers call their errors when there is no room in their store. */
const fullness = ["QuotaExceededError", "UnknownError"];

/** Opens the channel on which the tabs and the service worker report to each other what becomes of entries. */
export const openChannel = () => new BroadcastChannel("tintype-outbox");

/**
 * Refuses what first went out so long ago that the server may have forgotten its key: it could come twice.
 *
 * @param {Entry} entry
 * @param {string} words say where to look for it
 * @throws {ApiError}
 */
export function insistOnCertainty({ postedAt }, words) {
  if (!postedAt || Date.now() - postedAt <= certain) return;
  throw new ApiError(422, `It may have been saved already: the answer was lost. ${words}`);
}

/**
 * Sends what waits in a lane, in order, until nothing does. Only one tab, or the service worker, does so at a time.
 *
 * @param {string} account
 * @param {string} lane
 * @param {object} how
 * @param {(kind: string) => Promise<Send>} how.senderOf
 * @param {Report} how.report
 * @param {Map<string, AbortController>} how.stops takes back what is on its way, by its key
 * @throws {ApiError} when an entry couldn't be sent now
 */
export async function drain(account, lane, { senderOf, report, stops }) {
  const sendNext = async () => {
    const entry = (await store.entries(account)).find((one) => one.lane === lane && one.state === "waiting");
    if (!entry) return false;
    // Somebody else has logged in on this device, while a page of the first person is still open.
    const person = await owner();
    if (person && person !== account) throw new ApiError(0, "Somebody else is logged in on this device now.");
    const stop = new AbortController();
    stops.set(entry.key, stop);
    try {
      const result = await (await senderOf(entry.kind))(entry, toolsFor(entry, stop, report));
      await store.remove(entry);
      report("sent", { entry, result });
    } catch (error) {
      if (stop.signal.aborted) return true;
      // 409: something else is on the way under the same key.
      if (!error.isFinal || error.status === 409) {
        report("changed", { entry: isFull(error) ? unkept(entry) : entry });
        throw error;
      }
      Object.assign(entry, { state: "failed", error: error.message, remedy: error.remedy });
      if (await store.update(entry)) report("changed", { entry });
    } finally {
      stops.delete(entry.key);
    }
    return true;
  };
  const sendAllOfLane = async () => {
    while (await sendNext());
  };
  // Without locks (plain HTTP) two tabs may send the same entry, and its key keeps that harmless.
  await (navigator.locks?.request(`tintype-outbox-${lane}`, sendAllOfLane) ?? sendAllOfLane());
}

/** @returns {boolean} whether an error says that the browser's store is full */
export const isFull = ({ name }) => fullness.includes(name);

/**
 * Returns an entry as a page shows it whose change has no room in the browser's store, where it stays as it was.
 *
 * @param {Entry} entry
 * @returns {Entry}
 */
export function unkept(entry) {
  const error = "Your browser has no room to keep it. Free up some space and try again.";
  return { ...entry, state: "failed", error, isUnkept: true };
}

/** @returns {Tools} */
function toolsFor(entry, stop, report) {
  const { signal } = stop;
  const save = async () => {
    // Another tab may have taken it back.
    if (!signal.aborted && !(await store.update(entry))) stop.abort();
    signal.throwIfAborted();
  };
  const post = async () => {
    report("posting", { entry });
    // Where the browser knows of no network, the server can't get it.
    if (navigator.onLine) entry.postedAt ??= Date.now();
    await save();
  };
  return { signal, save, onprogress: (loaded) => report("progress", { entry, loaded }), post };
}

/**
 * Sends all that waits of an account, from the service worker.
 *
 * @param {string} account
 * @param {(kind: string) => Promise<Send>} senderOf
 * @throws {ApiError} when an entry couldn't be sent now
 */
export async function sendAll(account, senderOf) {
  const channel = openChannel();
  try {
    const report = (name, detail) => channel.postMessage({ name, detail });
    const lanes = new Set((await store.entries(account)).map(({ lane }) => lane));
    const sent = [...lanes].map((lane) => drain(account, lane, { senderOf, report, stops: new Map() }));
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === "rejected");
    if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
  } finally {
    channel.close();
  }
}
