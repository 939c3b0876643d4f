import { entries, entry, find, forget } from "../offline/kept.js";
import { visit } from "../offline/pages.js";
import { placeOfPage, placeOfPicture } from "../offline/places.js";
import { lastSearch, nearby } from "../past-photos/offline.js";

export { lastSearch };

/** @type {import("../offline/places.js").Place} */
export const nearbyPage = { key: nearby, kind: "start" };

/** The most requests at the same time, and the most photos of one search. */
const lanes = 3;
const most = 60;

/** The search that is being fetched. */
let current;

/**
 * Fetches the last search ahead: its page, the page on which each photo is taken again, and all pictures, so that they
 * are available outdoors without a network. Deletes what is kept of an earlier search.
 */
export async function fetchAhead() {
  const search = await (await find(lastSearch.key))?.json();
  if (!search?.search || current === search.search.id) return;
  const { id } = search.search;
  current = id;
  try {
    const pages = search.photos.slice(0, most).map((photo) => `/then-and-now?past=${photo.id}`);
    const pictures = search.photos.slice(0, most).flatMap(({ picture }) => [picture.url, picture.large_url]);
    /** @type {[import("../offline/places.js").Place | null, string][]} where each is kept, and its address */
    const places = [
      ...pages.map((path) => [placeOfPage(addressOf(path)), path]),
      ...pictures.filter(Boolean).map(addressOf).map((url) => [placeOfPicture(url), url.pathname + url.search]),
    ].filter(([place]) => place);
    const wanted = new Set(places.map(([place]) => place.key));
    const isOfEarlier = ({ key, kind }) => kind === "past" || /^\/then-and-now\?(.*&)?past=/.test(key);
    await forget((entry) => isOfEarlier(entry) && !wanted.has(entry.key));
    const known = new Set((await entries()).map(({ key }) => key));
    /** @type {[import("../offline/places.js").Place, string?][]} */
    const missing = [[nearbyPage], ...places.filter(([place]) => !known.has(place.key))];
    const fetchNext = async () => {
      while (missing.length > 0 && current === id) await visit(...missing.shift());
    };
    await Promise.all(Array.from({ length: lanes }, fetchNext));
  } catch (error) {
    // The network failed. The next visit to Then & Now continues.
    if (!(error instanceof TypeError)) throw error;
  } finally {
    if (current === id) current = undefined;
  }
}

/**
 * Continues to fetch the last search, which a form may have replaced.
 *
 * @param {boolean} mayBeNew
 */
export async function followSearch(mayBeNew) {
  try {
    if (mayBeNew || !(await entry(lastSearch.key))) await visit(lastSearch);
    await fetchAhead();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

const addressOf = (path) => new URL(path, location.origin);
