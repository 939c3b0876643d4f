import { notificationsPage } from "./paths.js";

/**
 * What notifications keep for a time without a network: the newest ones.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: {
    notifications: { most: 2, bytes: 2_000_000, showsOthers: true },
  },
  placeOfPage: ({ pathname, search }) => {
    return pathname === notificationsPage && !search ? { key: pathname, kind: "notifications" } : null;
  },
  showsPictures: (path) => (path === notificationsPage ? "seen" : null),
};
