import { sendFile } from "../photos/upload.js";
import { insistOnCertainty } from "../outbox/draining.js";
import { newKey, request } from "../web/api.js";

/**
 * A pair that was accepted and waits to be sent.
 *
 * @typedef {object} Content
 * @property {string} uploadKey the `Idempotency-Key` of its picture
 * @property {object} recipe the body of `POST /api/v1/rephotographs`, without the `media_id`
 * @property {File} file the new picture
 * @property {Blob} [preview] a small picture of the pair
 * @property {string} [media] the id of the file, once it has gone up
 * @property {boolean} [isAgain] whether the file has gone up a second time
 * @property {"retry"} [remedy] what would help
 *
 * @typedef {import("../outbox/store.js").Entry & Content} Entry
 */

/** The kind of entries of the outbox that are pairs. */
export const kind = "pair";

/** Refusals that the same picture would meet again: no past photo, too large, no picture. */
const useless = [404, 413, 415];

/**
 * Sends a pair: the picture first, then the pair that is made of it.
 *
 * @type {import("../outbox/draining.js").Send}
 */
export async function send(entry, tools) {
  try {
    return await sendParts(entry, tools);
  } catch (error) {
    if (error.status === 404) error.message = "The past photo is no longer available.";
    if (error.isFinal && !useless.includes(error.status)) error.remedy = "retry";
    throw error;
  }
}

async function sendParts(entry, tools) {
  insistOnCertainty(entry, "Look in your library before you send it again.");
  try {
    return await upload(entry, tools);
  } catch (error) {
    // An upload waits at the server for an hour; of one that was used up or has expired only its key is left.
    const isTooOld = error.status === 410 || (error.status === 422 && entry.media);
    if (!isTooOld || entry.isAgain) throw error;
    Object.assign(entry, { media: undefined, uploadKey: newKey(), isAgain: true });
    await tools.save();
    return upload(entry, tools);
  }
}

async function upload(entry, tools) {
  if (!entry.media) {
    const how = { purpose: "rephotograph", key: entry.uploadKey, kind: /** @type {const} */ ("camera") };
    entry.media = (await sendFile(entry.file, how, tools)).id;
    await tools.save();
  }
  await tools.post();
  return request("POST", "/api/v1/rephotographs", { ...entry.recipe, media_id: entry.media }, { key: entry.key });
}
