/**
 * What a person's downloads mean for the service worker.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  isFile: (path) => path.startsWith("/settings/data/"),
};
