/** Milliseconds without a page after which the next one is another visit. */
const pause = 30 * 60_000;

/** Milliseconds between two notes of the time. */
const step = 60_000;

/**
 * The name under which this browser keeps how often the person was here, and when last: `NUMBER.TIME`. It isn't a cookie:
 * answers that depend on cookies would be fetched again whenever the time is noted.
 */
const memory = "visits";

/**
 * Counts a visit when one begins.
 *
 * @param {number} now
 * @returns {number} the number of this visit, from 1; always 1 where the browser keeps nothing
 */
export function countVisit(now = Date.now()) {
  try {
    const [number, at] = (localStorage.getItem(memory) ?? "0.0").split(".").map(Number);
    if (number > 0 && now - at < step) return number;
    const current = !(number > 0) ? 1 : now - at > pause ? number + 1 : number;
    localStorage.setItem(memory, `${current}.${now}`);
    return current;
  } catch {
    return 1; // Storage is full or forbidden.
  }
}

/** Returns whether this browser has not been here before, or has forgotten it at a log-out. */
export const isFirstVisit = () => countVisit() === 1;

/** Returns whether this page is shown by the installed app. */
export function isInstalled() {
  // Apple's browsers for phones and tablets say it by a property.
  return navigator.standalone === true || matchMedia("(display-mode: standalone)").matches;
}
