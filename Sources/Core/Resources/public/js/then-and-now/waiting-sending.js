import { ApiError, newKey, readAnswer } from "../web/api.js";
import * as store from "./waiting-store.js";

/** How pairs that wait go out: from a page, or from the service worker when there is a network (Background Sync). */

/** What the service worker's task is called. */
export const syncTag = "tintype-pairs";

/** Milliseconds that a request may take: a slow network needs minutes for a picture. */
const patience = 300_000;

/** For how many milliseconds after a first try the server is certain to know its key; it keeps them for 24 hours. */
const certain = 23 * 3_600_000;

/** Refusals that the same picture would meet again: no past photo, too large, no picture. */
const useless = [404, 413, 415];

/** On which the tabs and the service worker report changes to each other. */
const channelName = "tintype-waiting-pairs";

/** @returns {BroadcastChannel} with messages `{added?, changed?, removed?, sent?, pair?}`, of keys */
export const openChannel = () => new BroadcastChannel(channelName);

/**
 * Sends an account's pairs, oldest first, until none waits. Only one tab, or the service worker, does so at a time.
 *
 * @param {string} account
 * @returns {Promise<void>}
 * @throws {ApiError} when one couldn't be sent now
 */
export async function sendWaiting(account) {
  const channel = openChannel();
  try {
    const drain = () => sendAll(account, channel);
    // Without locks (plain HTTP) two tabs may send the same pair, and its keys keep that harmless.
    await (navigator.locks?.request(channelName, drain) ?? drain());
  } finally {
    channel.close();
  }
}

async function sendAll(account, channel) {
  for (;;) {
    const entry = (await store.entries(account)).find(({ state }) => state === "waiting");
    if (!entry) return;
    try {
      const pair = await send(entry);
      await store.remove(entry);
      channel.postMessage({ sent: entry.key, pair });
    } catch (error) {
      // 409: something else is on the way under the same key.
      if (!error.isFinal || error.status === 409) throw error;
      const remedy = useless.includes(error.status) ? undefined : "retry";
      Object.assign(entry, { state: "failed", error: sentence(error), remedy });
      await store.update(entry);
      channel.postMessage({ changed: entry.key });
    }
  }
}

function sentence({ status, message }) {
  return status === 404 ? "The past photo is no longer available." : message;
}

async function send(entry) {
  if (entry.postedAt && Date.now() - entry.postedAt > certain) throw uncertainty();
  try {
    return await upload(entry);
  } catch (error) {
    // An upload waits at the server for an hour; of one that was used up or has expired only its key is left.
    const isTooOld = error.status === 410 || (error.status === 422 && entry.media);
    if (!isTooOld || entry.isAgain) throw error;
    Object.assign(entry, { media: undefined, uploadKey: newKey(), isAgain: true });
    await store.update(entry);
    return upload(entry);
  }
}

function uncertainty() {
  const message = "It may have been saved already: the answer was lost. Look in your library before you send it again.";
  return new ApiError(422, message);
}

/** The picture first, then the pair. */
async function upload(entry) {
  if (!entry.media) {
    const form = new FormData();
    form.append("purpose", "rephotograph");
    form.append("kind", "camera");
    form.append("file", entry.file, entry.file.name ?? "now.jpg");
    entry.media = (await post("/api/v2/media", form, entry.uploadKey)).id;
    await store.update(entry);
  }
  entry.postedAt ??= Date.now();
  await store.update(entry);
  const recipe = new Blob([JSON.stringify({ ...entry.recipe, media_id: entry.media })], { type: "application/json" });
  return post("/api/v1/rephotographs", recipe, entry.key);
}

async function post(path, body, key) {
  try {
    const headers = { Accept: "application/json", "Idempotency-Key": key };
    const response = await fetch(path, { method: "POST", headers, body, signal: AbortSignal.timeout(patience) });
    const answer = readAnswer(response.status, await response.text(), response.headers.get("Retry-After"));
    if (answer instanceof ApiError) throw answer;
    return answer;
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError(0, "No connection. Check the network and try again.");
  }
}
