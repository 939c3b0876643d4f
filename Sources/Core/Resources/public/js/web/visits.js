import { recall, remember } from "./device-memory.js";

/** Milliseconds without a page after which the next one is another visit. */
const pause = 30 * 60_000;

/** Milliseconds between two notes of the time. */
const step = 60_000;

/** The name under which this device remembers how often it was here, and when last: `NUMBER.TIME`. */
const memory = "visits";

/**
 * Counts a visit when one begins.
 *
 * @param {number} now
 * @returns {number} the number of this visit, from 1
 */
export function countVisit(now = Date.now()) {
  const [number, at] = (recall(memory) ?? "0.0").split(".").map(Number);
  if (number > 0 && now - at < step) return number;
  const current = !(number > 0) ? 1 : now - at > pause ? number + 1 : number;
  remember(memory, `${current}.${now}`);
  return current;
}

/** Whether this device has not been here before. */
export const isFirstVisit = () => countVisit() === 1;
