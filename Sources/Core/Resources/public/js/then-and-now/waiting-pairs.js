import { outbox } from "../outbox/outbox.js";
import { newKey } from "../web/api.js";
import { kind } from "./sending.js";

/**
 * Keeps a pair until the server has it, and begins to send it.
 *
 * @param {object} pair
 * @param {File} pair.file the new picture
 * @param {object} pair.recipe the body of `POST /api/v1/rephotographs`, without the `media_id`
 * @param {Blob} [pair.preview] a small picture of the pair
 * @param {string} [pair.key] its `Idempotency-Key`: a second call with the same key keeps nothing new
 * @param {string} [pair.uploadKey] the `Idempotency-Key` of its picture, when that may have gone up already
 * @returns {Promise<string>} the key, which the events name
 * @throws {Error} with a sentence for a person, when there is no room for it
 */
export async function keepWaiting({ file, recipe, preview, key = newKey(), uploadKey = `${key}-media` }) {
  await outbox.add({ kind, lane: "pairs", key, uploadKey, recipe, file, preview });
  // An extra that a browser may refuse: the store is kept when room is short.
  navigator.storage?.persist?.().catch(() => {});
  return key;
}

/**
 * Returns the viewer's waiting pairs, oldest first.
 *
 * @returns {Promise<import("./sending.js").Entry[]>}
 */
export async function pairsWaiting() {
  return /** @type {import("./sending.js").Entry[]} */ (await outbox.waiting((entry) => entry.kind === kind));
}

/**
 * Sends a pair again that was refused.
 *
 * @param {import("./sending.js").Entry} entry
 */
export function sendAgain(entry) {
  return outbox.retry(entry, { key: newKey(), uploadKey: newKey(), media: undefined, isAgain: false });
}
