import { request } from "../web/api.js";
import { entries } from "./store.js";

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

/** What wishes are called in the question before they are lost: each that does something, and each that undoes it. */
const nouns = { like: ["like", "unlike"], save: ["save", "unsave"], follow: ["follow", "unfollow"] };

/** @param {import("./store.js").Entry} wish */
const isUndone = ({ wished }) => wished === false || wished === "none";

/** @type {import("../web/log-out.js").Unsent[]} */
export const unsent = Object.entries(nouns).flatMap(([name, words]) => {
  const isOfName = ({ kind, lane }) => kind === "wish" && lane.startsWith(`${name}-`);
  return words.map((noun, index) => ({
    noun: `unsent ${noun}`,
    count: async (account) => {
      const wishes = (await entries(account)).filter(isOfName);
      return wishes.filter((wish) => isUndone(wish) === (index === 1)).length;
    },
  }));
});
