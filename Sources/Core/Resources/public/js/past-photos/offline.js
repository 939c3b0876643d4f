/**
 * What past photos keep for a time without a network: the last search, and its pictures.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: {
    /** The last search, as JSON. */
    search: { most: 1, bytes: 1_000_000, showsOthers: true },
    /** Pictures of the last search. */
    past: { most: 130, bytes: 40_000_000, showsOthers: true },
  },
  placeOfPicture: ({ pathname }) => {
    return /^\/past-photos\/\d+\/\w+$/.test(pathname) ? { key: pathname, kind: "past" } : null;
  },
  placeOfData: ({ pathname }) => (pathname === lastSearch.key ? lastSearch : null),
};

/** The page of the search. */
export const nearby = "/then-and-now/nearby";

/** @type {import("../offline/places.js").Place} */
export const lastSearch = { key: "/api/v1/past_photos/last", kind: "search" };
