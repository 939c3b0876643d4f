/**
 * What is kept of people for a time without a network: the profiles that were opened, and the list of Users.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: {
    /** Profiles, and lists of people. */
    person: { most: 60, bytes: 4_000_000, showsOthers: true },
  },
  placeOfPage: ({ pathname, search }) => {
    const isKept = pathname === "/users" || /^\/@[^/]+$/.test(pathname);
    return isKept && ["", "?q="].includes(search) ? { key: pathname, kind: "person" } : null;
  },
  showsPictures: (path) => (/^\/(users$|@[^/]+$)/.test(path) ? "seen" : null),
};
