/**
 * What is kept to be seen without a network. Each feature says what it has for that; nothing else is kept: no
 * picture that may be seen once, no stake, and nothing that opens one.
 *
 * @typedef {{key: string, kind: string}} Place where an answer is kept, and how it counts
 *
 * @typedef {object} Limit how much is kept of a kind; what was used least recently goes first
 * @property {number} most entries
 * @property {number} bytes
 * @property {boolean} [showsOthers] whether it shows other people, so that it goes when the person may see less of them
 *
 * @typedef {object} Keeping what one feature keeps
 * @property {Record<string, Limit>} [limits] how much is kept of each kind that it adds
 * @property {(url: URL) => Place | null} [placeOfPage] null for a page that isn't kept
 * @property {(url: URL) => Place | null} [placeOfPicture] null for an address that isn't one of a picture to be kept
 * @property {(url: URL) => Place | null} [placeOfData] the same for JSON
 * @property {(url: URL) => {place: Place, then: () => Promise<void>} | null} [renewal] the place whose content the answer
 *   of another address becomes, and what follows once that is kept
 * @property {(path: string) => "picture" | "seen" | null} [showsPictures] as which kind the pictures of a page are kept
 * @property {(html: string) => string} [clean] takes away from any page what must not be kept
 * @property {(key: string) => string | undefined} [photoOf] the id of the one photo that something kept shows
 * @property {(method: string, path: string) => string | undefined} [deletedPhoto] the id of the photo that a request deletes
 * @property {Record<string, string>} [twins] pages that show the same at another address
 * @property {string} [list] the page that lists all photos with ids, newest first; one feature has it
 * @property {(path: string) => boolean} [isFile] whether an address is that of a file to save
 * @property {(page: string) => Promise<void>} [opened] follows the opening of a page
 * @property {(account: string) => Promise<void>} [keepOnly] deletes what is not of the account that is logged in
 * @property {() => void} [start] adds the feature's own listeners to the service worker, whenever that starts
 */

/** @type {Keeping[]} */
let parts = [];

/** @type {Record<string, Limit>} */
const shared = {
  /** The page that says that there is no network. */
  offline: { most: 1, bytes: 1_000_000 },
  /** Pictures of the person's own library. */
  picture: { most: 600, bytes: 80_000_000 },
  /** Pictures of other people that were seen, and portraits. */
  seen: { most: 400, bytes: 60_000_000, showsOthers: true },
};

/** @type {Record<string, Limit>} */
export let limits = shared;

/** @type {Place} */
export const offlinePage = { key: "/offline", kind: "offline" };

/**
 * Sets what features keep.
 *
 * @param {Keeping[]} features
 */
export function setParts(features) {
  parts = features;
  limits = Object.assign({}, shared, ...features.map((feature) => feature.limits));
}

/**
 * Asks one feature after the other, until one has an answer.
 *
 * @template T
 * @param {(part: Keeping) => T | null | undefined} ask
 * @returns {T | null}
 */
function first(ask) {
  for (const part of parts) {
    const answer = ask(part);
    if (answer) return answer;
  }
  return null;
}

/** Takes away from a page what must not be kept. */
export function clean(html) {
  return parts.reduce((rest, part) => part.clean?.(rest) ?? rest, html);
}

/** @param {URL} url of a page @returns {Place | null} null when it isn't kept */
export function placeOfPage(url) {
  return url.pathname === offlinePage.key ? offlinePage : first((part) => part.placeOfPage?.(url));
}

/**
 * Returns the place of a part of a page, which is kept under an address that no page has.
 *
 * @param {Place} page
 * @param {string} part
 */
export function placeOfPart(page, part) {
  return { ...page, key: `/-/${part}${page.key}` };
}

/**
 * Returns the place of a picture, which is its path: the query is the viewer's signature.
 *
 * @param {URL} url
 * @returns {Place | null} null for an address that isn't one of a picture which may be kept
 */
export function placeOfPicture(url) {
  if (/^\/portraits\/\d+(\/small)?$/.test(url.pathname)) return { key: url.pathname, kind: "seen" };
  return first((part) => part.placeOfPicture?.(url));
}

/**
 * Returns the place of a picture that a page shows: that of another person's photo doesn't count as one of the library.
 *
 * @param {URL} url
 * @param {string} page its path
 * @returns {Place | null} null on a page whose pictures aren't kept
 */
export function placeOfShown(url, page) {
  const place = placeOfPicture(url);
  const kind = place && first((part) => part.showsPictures?.(page));
  if (!kind) return null;
  return place.kind === "picture" ? { ...place, kind } : place;
}

/** @param {URL} url @returns {Place | null} null for an address that isn't one of JSON which is kept */
export const placeOfData = (url) => first((part) => part.placeOfData?.(url));

/** @param {URL} url @returns {{place: Place, then: () => Promise<void>} | null} what its answer renews */
export const renewal = (url) => first((part) => part.renewal?.(url));

/** @param {string} path @returns {boolean} whether it is that of a file to save */
export const isFile = (path) => parts.some((part) => part.isFile?.(path));

/** @param {string} method @param {string} path @returns {string | null} the id of the photo that the request deletes */
export const deletedPhoto = (method, path) => first((part) => part.deletedPhoto?.(method, path));

/** @param {string} key of a page @returns {string | null} the page that shows the same at another address */
export const twinOf = (key) => first((part) => part.twins?.[key]);

/** @returns {string | null} the page that lists all photos with ids */
export const photoList = () => first((part) => part.list);

/**
 * Returns the photo or pair that something kept shows, if it shows only one.
 *
 * @param {string} key
 * @returns {string | undefined} its id
 */
export function photoOf(key) {
  const own = key.replace(/^\/-\/\w+/, "");
  return first((part) => part.photoOf?.(own)) ?? undefined;
}

/** Follows the opening of a page. */
export async function opened(page) {
  for (const part of parts) await part.opened?.(page);
}

/** Deletes what features have of all accounts but one. */
export async function keepOnly(account) {
  for (const part of parts) await part.keepOnly?.(account);
}
