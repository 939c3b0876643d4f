/**
 * What is kept to be seen without a network: the library and Then & Now, their pictures, and the last search.
 *
 * Nothing else is: no snap, no picture to be seen once, no chat, no one else's picture in a feed.
 *
 * @typedef {{key: string, kind: keyof typeof limits}} Place where an answer is kept, and how it counts
 */

/** How much is kept of each kind: entries, and bytes. What was used least recently goes first. */
export const limits = {
  /** The page that says that there is no network. */
  offline: { most: 1, bytes: 1_000_000 },
  /** Pages of the library's grid, and the parts that scrolling adds to them. */
  list: { most: 20, bytes: 4_000_000 },
  /** Pages of one photo or pair. */
  photo: { most: 60, bytes: 4_000_000 },
  /** Then & Now: its start with a past photo, Find Nearby, and what leads there. */
  start: { most: 90, bytes: 6_000_000 },
  /** The last search, as JSON. */
  search: { most: 1, bytes: 1_000_000 },
  /** Pictures of the library, and both pictures of pairs. */
  picture: { most: 600, bytes: 80_000_000 },
  /** Pictures of the last search. */
  past: { most: 130, bytes: 40_000_000 },
};

/** @type {Place} */
export const offlinePage = { key: "/offline", kind: "offline" };
/** @type {Place} */
export const lastSearch = { key: "/api/v1/past_photos/last", kind: "search" };
/** @type {Place} */
export const nearbyPage = { key: "/then-and-now/nearby", kind: "start" };

/** @param {string} path @returns {boolean} whether the page shows pictures that are kept */
export function showsKeptPictures(path) {
  return /^\/(library|then-and-now)(\/|$)/.test(path) || /^\/pairs\/\d+\//.test(path);
}

/** @param {URL} url of a page @returns {Place | null} null when it isn't kept */
export function placeOfPage({ pathname, search }) {
  if (pathname === offlinePage.key) return offlinePage;
  if (pathname === "/library") return { key: pathname + search, kind: "list" };
  if (/^\/library\/\d+$/.test(pathname)) return { key: pathname, kind: "photo" };
  if (/^\/then-and-now(\/|$)/.test(pathname)) return { key: pathname + search, kind: "start" };
  return null;
}

/**
 * A part of a page is kept apart from the page, under an address that no page has.
 *
 * @param {Place} page
 * @param {string} part
 */
export function placeOfPart(page, part) {
  return { ...page, key: `/-/${part}${page.key}` };
}

/**
 * A picture is known by its path: what follows it is the viewer's signature.
 *
 * @param {URL} url
 * @returns {Place | null} null for an address that isn't one of a picture which may be kept
 */
export function placeOfPicture({ pathname }) {
  if (/^\/past-photos\/\d+\/\w+$/.test(pathname)) return { key: pathname, kind: "past" };
  const isOwn =
    /^\/photos\/\d+\/(square|medium|large)$/.test(pathname) ||
    /^\/pairs\/\d+\/(then|now)$/.test(pathname) ||
    /^\/portraits\/\d+(\/small)?$/.test(pathname);
  return isOwn ? { key: pathname, kind: "picture" } : null;
}

/**
 * The photo, or pair, that something kept shows and nothing else.
 *
 * @param {string} key
 * @returns {string | undefined} its id
 */
export function photoOf(key) {
  return key.match(/^(?:\/-\/\w+)?\/(?:library|photos|pairs)\/(\d+)(?:\/|$)/)?.[1];
}
