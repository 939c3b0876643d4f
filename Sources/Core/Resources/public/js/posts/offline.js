import { entry } from "../offline/kept.js";
import { visit } from "../offline/pages.js";

/** @type {import("../offline/places.js").Place} */
const newPost = { key: "/posts/new", kind: "home" };

/**
 * What posts keep for a time without a network: both lists of Home as far as they come at once, posts with their photos
 * and comments, the pictures that were seen there, and the form of a new post.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = {
  limits: {
    /** The lists of Home, the saved posts, and the form of a new one. */
    home: { most: 8, bytes: 4_000_000, showsOthers: true },
    /** Pages of one post. */
    post: { most: 80, bytes: 6_000_000, showsOthers: true },
  },
  placeOfPage: ({ pathname, search }) => {
    // The app's name leads to Home.
    const path = (pathname === "/" ? "/home" : pathname) + search;
    if (["/home", "/home?show=everyone", "/saved", newPost.key].includes(path)) return { key: path, kind: "home" };
    return /^\/posts\/\d+(\/comments|\/photos\/\d+)?$/.test(path) ? { key: path, kind: "post" } : null;
  },
  // The form is there when it is needed for the first time, too.
  opened: async (page) => {
    if (page === "/home" && !(await entry(newPost.key))) await visit(newPost);
  },
  showsPictures: (path) => {
    if (path === newPost.key) return "picture";
    return /^\/(home|saved|posts\/\d+(\/comments|\/photos\/\d+)?)?$/.test(path) ? "seen" : null;
  },
};
