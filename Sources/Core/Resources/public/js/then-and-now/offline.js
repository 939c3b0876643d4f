import { fetchAhead, followSearch, lastSearch, nearbyPage } from "./last-search.js";

/**
 * What Then & Now keeps for a time without a network: its pages, pairs, and the results of the last search.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: {
    /** Then & Now: its start with a past photo, which may be another person's, Find Nearby, and what leads there. */
    start: { most: 90, bytes: 6_000_000, showsOthers: true },
  },
  placeOfPage: ({ pathname, search }) => {
    return /^\/then-and-now(\/|$)/.test(pathname) ? { key: pathname + search, kind: "start" } : null;
  },
  placeOfPicture: ({ pathname }) => {
    return /^\/pairs\/\d+\/(then|now)$/.test(pathname) ? { key: pathname, kind: "picture" } : null;
  },
  // A new search becomes the last one.
  renewal: ({ pathname }) => (pathname === "/api/v1/past_photos" ? { place: lastSearch, then: fetchAhead } : null),
  showsPictures: (path) => (/^\/(then-and-now(\/|$)|pairs\/\d+\/)/.test(path) ? "picture" : null),
  photoOf: (key) => key.match(/^\/pairs\/(\d+)(?:\/|$)/)?.[1],
  opened: async (page) => {
    if (page.startsWith("/then-and-now")) await followSearch(page === nearbyPage.key);
  },
};
