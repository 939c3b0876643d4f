import { notificationsPage } from "../notifications/paths.js";

/**
 * What a push of the server says (Documentation/Interface.md, "Announcements on devices").
 *
 * @typedef {object} Announcement
 * @property {string} title
 * @property {NotificationOptions & {tag: string, data: {path: string, id: string | null}}} options
 *
 * @typedef {object} Message
 * @property {Announcement | null} announcement what to show, null for a push that only closes
 * @property {string[]} close the tags of notifications that have been read elsewhere
 * @property {number | null} badge what is unread, null when the push doesn't say
 */

/** Characters of a title, a line of text and a tag at most, and tags closed by one push. */
const longest = { title: 120, body: 400, tag: 100 };
const mostTags = 50;

/** The tag of what the person has asked for, to see whether pushes arrive: it is shown even while a page is in sight. */
export const testTag = "push_test";

const icons = new URL("../../icons/", import.meta.url).pathname;

/** @type {Announcement} what is shown in place of a push that can't be read: browsers want something to be shown */
const unreadable = {
  title: "Something new on Tintype",
  options: optionsOf({ tag: "tintype", body: "", path: notificationsPage, id: null, icon: null }),
};

/**
 * Reads a push. Whatever it holds, the answer is something that can be shown or closed.
 *
 * @param {string | null} text its content
 * @param {string} origin of this server, to which all paths have to lead
 * @returns {Message}
 */
export function read(text, origin) {
  const content = parse(text);
  if (!content) return { announcement: unreadable, close: [], badge: null };
  const badge = Number.isSafeInteger(content.badge) && content.badge >= 0 ? content.badge : null;
  if (Array.isArray(content.close)) {
    const tags = content.close.filter((tag) => typeof tag === "string" && tag).slice(0, mostTags);
    return { announcement: null, close: tags, badge };
  }
  const title = words(content.title, longest.title);
  if (!title) return { announcement: unreadable, close: [], badge };
  const options = optionsOf({
    tag: words(content.tag, longest.tag) || unreadable.options.tag,
    body: words(content.body, longest.body),
    path: pathOn(origin, content.path) ?? unreadable.options.data.path,
    id: words(content.id, longest.tag) || null,
    icon: pathOn(origin, content.icon),
    at: Date.parse(words(content.at, longest.tag)),
  });
  return { announcement: { title, options }, close: [], badge };
}

/**
 * Returns an address as a path of this server.
 *
 * @param {string} origin
 * @param {unknown} address
 * @returns {string | null} null for anything that leads elsewhere
 */
export function pathOn(origin, address) {
  if (typeof address !== "string" || !address.startsWith("/") || !URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  return url.origin === origin ? url.pathname + url.search + url.hash : null;
}

/** @returns {Record<string, any> | null} */
function parse(text) {
  try {
    const content = JSON.parse(text ?? "");
    return content && typeof content === "object" ? content : null;
  } catch {
    return null; // Not ours, or cut off.
  }
}

function words(value, most) {
  return typeof value === "string" ? value.trim().slice(0, most) : "";
}

function optionsOf({ tag, body, path, id, icon, at = NaN }) {
  const options = { tag, body, icon: icon ?? `${icons}icon-192.png`, badge: `${icons}badge-96.png`, data: { path, id } };
  return Number.isNaN(at) ? options : { ...options, timestamp: at };
}
