import { request } from "../web/api.js";

/**
 * Sends a wish that waited, such as a like: only the last one of each thing counts, and a second time changes nothing.
 *
 * @type {import("./draining.js").Send}
 */
export async function send({ path, body }) {
  try {
    return { answer: await request("POST", path, body) };
  } catch (error) {
    // What has gone can't be liked any more. There is nothing that the person could do about it.
    if (error.isFinal) return { refused: error };
    throw error;
  }
}
