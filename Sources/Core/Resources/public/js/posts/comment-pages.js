import { fragment } from "../web/api.js";

/**
 * Yields the comments of a post as list items, page after page.
 *
 * @param {string} url of the first page
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<HTMLElement>}
 */
export async function* commentsFrom(url, signal) {
  let next = url;
  while (next) {
    const page = await fragment(next, "list", signal);
    yield* page.querySelectorAll("li[data-id]");
    next = page.querySelector("a[rel=next]")?.href;
  }
}

/**
 * Returns the query for the comments from an item on, in the order of the thread.
 *
 * @param {HTMLElement} item
 */
export function beginningAt({ dataset: { thread, id } }) {
  return `after=${thread}-${BigInt(id) - 1n}`;
}

/**
 * @param {HTMLElement} item
 * @param {HTMLAnchorElement} next the link to the comments after the last one shown
 * @returns {boolean} whether the item is one of those comments
 */
export function isAfter({ dataset }, next) {
  // Ids are decimal and may be larger than a `Number` holds.
  const [lastThread, last] = new URL(next.href).searchParams.get("after").split("-").map(BigInt);
  const thread = BigInt(dataset.thread);
  return thread > lastThread || (thread === lastThread && BigInt(dataset.id) > last);
}
