/**
 * What chats keep for a time without a network: the list and the chats that were opened, with their words and ordinary
 * photos. Of a photo that may be seen once there is only its place.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: {
    /** The list, and pages of one chat. */
    chat: { most: 60, bytes: 8_000_000, showsOthers: true },
  },
  placeOfPage: ({ pathname, search }) => {
    const isKept = /^\/(friends|messages|messages\/\d+|messages\/\d+\/photos\/\d+)$/.test(pathname);
    // A search for nothing finds the list itself.
    return isKept && ["", "?q="].includes(search) ? { key: pathname, kind: "chat" } : null;
  },
  // The tab Friends shows the list, too.
  twins: { "/friends": "/messages", "/messages": "/friends" },
  showsPictures: (path) => (/^\/(friends|messages)(\/|$)/.test(path) ? "seen" : null),
};
