import { fragment } from "../web/api.js";

/**
 * Comments of a post as list items, page after page.
 *
 * @param {string} url of the first of these pages
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
 * The query for the comments from this one on, in the order of their thread.
 *
 * @param {HTMLElement} item
 */
export function beginningAt({ dataset: { thread, id } }) {
  return `after=${thread}-${BigInt(id) - 1n}`;
}

/**
 * @param {HTMLElement} item
 * @param {HTMLAnchorElement} next to the comments after the last one shown
 * @returns {boolean} whether the item is one of those
 */
export function isAfter({ dataset }, next) {
  // Ids are decimal and may be larger than a `Number` holds.
  const [lastThread, last] = new URL(next.href).searchParams.get("after").split("-").map(BigInt);
  const thread = BigInt(dataset.thread);
  return thread > lastThread || (thread === lastThread && BigInt(dataset.id) > last);
}
