import { request } from "../web/api.js";
import { mayExist } from "../web/browser-memory.js";
import { flash } from "../web/flash-message.js";
import { hear } from "./hearing.js";

/** The last wishes that wait for a network: likes, saves, follows. */

const { account } = document.documentElement.dataset;

/** @type {Promise<Map<string, any>>} what waited when the page opened and still does, by lane */
const waiting = (async () => {
  if (!(await mayExist("tintype-outbox"))) return new Map();
  const { entries } = await import("./store.js");
  return new Map((await entries(account)).filter(({ kind }) => kind === "wish").map((entry) => [entry.lane, entry]));
})().catch(() => new Map()); // The outbox sends them all the same.

hear("wish", ["added"], async ({ entry }) => (await waiting).set(entry.lane, entry));
hear("wish", ["sent", "removed"], async ({ entry }) => (await waiting).delete(entry.lane));

/**
 * Sends a wish, or lets it wait for a network.
 *
 * @param {string} lane what it is about, such as `like:12`
 * @param {any} state what the person wishes
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>} the server's answer; null when the wish waits
 * @throws {ApiError} when the server refuses it
 */
export async function wish(lane, state, path, body) {
  // What waits would overtake it.
  if (!(await waiting).has(lane)) {
    try {
      return await request("POST", path, body, { keepalive: true });
    } catch (error) {
      if (error.status !== 0) throw error;
    }
  }
  const { outbox } = await import("./outbox.js");
  await outbox.add({ kind: "wish", lane, state: "waiting", wished: state, path, body }, true);
  if (!navigator.onLine) flash("Waiting for the network.");
  return null;
}

/**
 * Follows a wish that waits: shows it, and what the server has made of it.
 *
 * @param {string} lane
 * @param {object} how
 * @param {(state: any) => void} how.show what is wished
 * @param {(answer: any) => void} how.sent gets the server's answer
 * @param {(error: Error, state: any) => void} how.refused gets what had been wished
 * @param {AbortSignal} signal ends it
 */
export async function followWish(lane, { show, sent, refused }, signal) {
  const settle = ({ entry, result }) => {
    if (entry.lane !== lane) return;
    if (result.refused) refused(result.refused, entry.wished);
    else sent(result.answer);
  };
  hear("wish", ["sent"], settle, signal);
  const known = (await waiting).get(lane);
  if (known && !signal.aborted) show(known.wished);
}
