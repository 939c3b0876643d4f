import { sendFile } from "../photos/upload.js";
import { newKey, request } from "../web/api.js";

/**
 * A message that waits to be sent. Its lane is its chat.
 *
 * @typedef {object} Content
 * @property {string} chat
 * @property {string} text
 * @property {File} [file] a photo that goes up first
 * @property {"upload" | "camera"} [origin] where that photo comes from
 * @property {string} [description] what the photo shows, said of a file; of a library photo what it is known by here
 * @property {string} [library] the id of a photo of the person's library, chosen there
 * @property {string} [uploadKey] the upload's `Idempotency-Key`, when it isn't the message's
 * @property {string} [photo] the id of what has gone up
 * @property {string} [reply] the id of the message that it answers
 * @property {string} [snap] the id of the snap that it answers
 * @property {boolean} [once] whether the photo may be seen once: then it lasts as long as the page
 * @property {"file" | "room"} [remedy] what would help: another file, or room for it on the server
 *
 * @typedef {import("../outbox/store.js").Entry & Content} Entry
 */

/** The kind of entries of the outbox that are messages. */
export const kind = "message";

/**
 * Sends a message: its photo first, then itself. The server knows the key of a message for as long as it has it.
 *
 * @type {import("../outbox/draining.js").Send}
 */
export async function send(entry, tools) {
  const message = /** @type {Entry} */ (entry);
  try {
    return await sendParts(message, tools);
  } catch (error) {
    // A picture to be seen once waits at the server for an hour; of one that was used up only its key is left.
    const { once, file, photo, snap } = message;
    if (snap && error.details?.snap_id) {
      // The snap is gone by now: the answer arrives without it.
      Object.assign(entry, { snap: undefined });
      return send(entry, tools);
    }
    const isTooOld = once && file && (error.status === 410 || (error.status === 422 && photo));
    if (!isTooOld) throw error;
    Object.assign(entry, { photo: undefined, uploadKey: newKey() });
    return sendParts(message, tools);
  }
}

async function sendParts(entry, tools) {
  tools.onprogress(0);
  if (!entry.photo && entry.file) {
    entry.photo = await uploadFile(entry, tools);
    await tools.save();
  }
  tools.signal.throwIfAborted();
  await tools.post();
  const { text, reply: reply_to_id, snap: snap_id } = entry;
  const body = { text, ...pictureOf(entry), reply_to_id, snap_id };
  return request("POST", `/api/v1/chats/${entry.chat}/messages`, body, { key: entry.key });
}

/** What the message says of its photo. One of the library to be seen once is copied there, with its description. */
function pictureOf({ library, photo, once }) {
  if (library) return { photo_id: library, ...(once && { view_once: true }) };
  if (!photo) return {};
  return once ? { media_id: photo, view_once: true } : { photo_id: photo };
}

/** @returns {Promise<string>} the id of the photo */
async function uploadFile({ file, origin, description, once, key, uploadKey = key }, tools) {
  try {
    const purpose = once ? "view_once" : "post";
    return (await sendFile(file, { purpose, key: uploadKey, kind: origin, description }, tools)).id;
  } catch (error) {
    if ([413, 415].includes(error.status)) error.remedy = "file";
    if (error.details?.file?.some((problem) => problem.error === "ERR_STORAGE_FULL")) error.remedy = "room";
    throw error;
  }
}
