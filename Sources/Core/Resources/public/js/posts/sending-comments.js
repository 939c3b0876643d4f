import { insistOnCertainty } from "../outbox/draining.js";
import { request } from "../web/api.js";

/** The lane in which the comments of a post wait. */
export const laneOf = (post) => `comments-${post}`;

/**
 * Sends a comment that waited: `words`, below their `cover` if they have one, in answer to `parent`.
 *
 * @type {import("../outbox/draining.js").Send}
 */
export async function send(entry, tools) {
  insistOnCertainty(entry, "Look at the comments before you send it again.");
  await tools.post();
  const body = { status: entry.words, in_reply_to_id: entry.parent, ...entry.cover };
  return request("POST", "/api/v1/statuses", body, { key: entry.key });
}
