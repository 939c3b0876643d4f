import { count } from "../web/words.js";

/**
 * Lets a post wait for a network, in the outbox.
 *
 * @param {{id: string, description: string, file?: File, isKnown: boolean}[]} photos in their order; `file` of one that
 *   hasn't gone up, and whether the server has the description
 * @param {object} post
 * @param {string} post.key
 * @param {import("./sending-posts.js").Words & {media_ids: string[]}} post.content
 * @param {boolean} post.mayExist whether it went out with other words before, and got no answer
 * @throws {Error} with a sentence for a person, when there is no room for it
 */
export async function letPostWait(photos, { key, content: { media_ids: _, ...content }, mayExist }) {
  const { outbox } = await import("../outbox/outbox.js");
  await outbox.add({
    kind: "post",
    lane: "posts",
    key,
    words: content.status.trim() || `Post of ${count(photos.length, "photo")}`,
    photos: photos.map(({ id, file, description, isKnown }) => ({ id: file ? null : id, description, isKnown })),
    files: photos.map(({ file }) => file ?? null),
    content,
    mayExist,
  });
}
