/**
 * What waves keep for a time without a network: their page.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: { waves: { most: 1, bytes: 1_000_000 } },
  placeOfPage: ({ pathname }) => (pathname === "/waves" ? { key: pathname, kind: "waves" } : null),
};
