/**
 * What snaps keep for a time without a network: the lists, with names and times. Nothing in them opens a snap: that needs
 * the network, so without one a tap uses nothing up.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: {
    /** The list of snaps, and the one beside Home. */
    snaps: { most: 4, bytes: 2_000_000, showsOthers: true },
  },
  placeOfPage: ({ pathname, search }) => {
    return ["/snaps", "/snaps/newest"].includes(pathname + search) ? { key: pathname, kind: "snaps" } : null;
  },
  showsPictures: (path) => (path === "/snaps" ? "seen" : null),
  clean: (html) => {
    const form = /<form [^>]*action="\/snaps\/\d+\/open"[^>]*>([\s\S]*?)<\/form>/g;
    return html.replace(form, (_, button) => button.replace(/ data-open="\d+"/, ' type="button" data-unopened'));
  },
};
