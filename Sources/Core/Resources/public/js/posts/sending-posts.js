import { sendFile } from "../photos/upload.js";
import { insistOnCertainty } from "../outbox/draining.js";
import { request } from "../web/api.js";

/**
 * What is sent with the photos of a post, by its names in the API.
 *
 * @typedef {{status: string, language: string, sensitive: boolean, spoiler_text: string, visibility: string, findable: boolean}} Words
 */

/**
 * A post that waits to be sent.
 *
 * @typedef {object} Content
 * @property {string} words what it is called while it waits
 * @property {{id: string | null, description: string, isKnown: boolean}[]} photos in their order; one of a file has its
 *   id once it has gone up, and the server may have its description already
 * @property {(File | null)[]} files likewise
 * @property {Words} content
 * @property {boolean} mayExist whether it went out with other words before, and got no answer
 */

/**
 * Sends a post: first the files that it is made of, and what its photos show.
 *
 * @type {import("../outbox/draining.js").Send}
 */
export async function send(entry, tools) {
  const { key, photos, files, content, mayExist } = entry;
  insistOnCertainty(entry, "Look at your profile before you send it again.");
  for (const [index, photo] of photos.entries()) {
    if (!photo.id) {
      const how = { purpose: "post", key: `${key}-${index}`, description: photo.description };
      photo.id = (await sendFile(files[index], how, tools)).id;
    } else if (!photo.isKnown) {
      await request("PUT", `/api/v1/media/${photo.id}`, { description: photo.description });
    }
    photo.isKnown = true;
    await tools.save();
  }
  await tools.post();
  const body = { ...content, media_ids: photos.map(({ id }) => id) };
  const post = await request("POST", "/api/v1/statuses", body, { key });
  // The server answers a repeated key with the post first made; what was changed since goes into that post.
  return mayExist ? request("PUT", `/api/v1/statuses/${post.id}`, body) : post;
}
