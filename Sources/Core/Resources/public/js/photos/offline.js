/**
 * What the library keeps for a time without a network: its pages, and its pictures.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: {
    /** Pages of the library's grid, and the parts that scrolling adds to them. */
    list: { most: 20, bytes: 4_000_000 },
    /** Pages of one photo or pair. */
    photo: { most: 60, bytes: 4_000_000 },
  },
  list: "/library",
  placeOfPage: ({ pathname, search }) => {
    if (pathname === "/library") return { key: pathname + search, kind: "list" };
    return /^\/library\/\d+$/.test(pathname) ? { key: pathname, kind: "photo" } : null;
  },
  placeOfPicture: ({ pathname }) => {
    const isOwn = /^\/photos\/\d+\/(square|medium|large)$/.test(pathname);
    return isOwn ? { key: pathname, kind: "picture" } : null;
  },
  showsPictures: (path) => (/^\/library(\/|$)/.test(path) ? "picture" : null),
  photoOf: (key) => key.match(/^\/(?:library|photos)\/(\d+)(?:\/|$)/)?.[1],
  deletedPhoto: (method, path) => {
    const [, byForm, byScript] = path.match(/^\/library\/(\d+)\/delete$|^\/api\/v1\/photos\/(\d+)$/) ?? [];
    return byForm ?? (method === "DELETE" ? byScript : undefined);
  },
  isFile: (path) => /^\/api\/v1\/photos\/\d+\/original$/.test(path),
};
