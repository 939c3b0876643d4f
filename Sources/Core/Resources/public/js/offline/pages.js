import { entries, find, forget, forgetPhotos, keep } from "./kept.js";
import { meet } from "./meeting.js";
import { owner } from "./owner.js";
import { clean, limits, offlinePage, photoList, photoOf, placeOfPage, placeOfPart, twinOf } from "./places.js";

/** The statuses of something that the viewer may not see, or that no longer exists. */
const ends = [401, 403, 404, 410];

/** @param {string} html @returns {string | undefined} the version of the static files that a page uses */
const versionIn = (html) => html.match(/\/static\/(\w+)\//)?.[1];

/** @param {string} html @returns {string[]} the photos that it lists, in order */
const idsIn = (html) => [...html.matchAll(/ data-id="(\d+)"/g)].map(([, id]) => id);

/**
 * Notes from an answer of the network who is logged in, and whether what is kept of it has to be deleted.
 *
 * @param {import("./places.js").Place} place
 * @param {Response} answer
 * @param {number} asked when it was asked for
 * @param {string} [part] of a page, when that was asked for
 * @returns {Promise<() => Promise<void>>} keeps the answer, which may go on while it is shown
 */
export async function learn(place, answer, asked, part) {
  await meet(answer, asked);
  if (ends.includes(answer.status)) return () => forgetPlace(place);
  if (answer.status !== 200) return async () => {};
  const copy = answer.clone();
  const isPage = answer.headers.get("Content-Type")?.startsWith("text/html");
  return () => (isPage ? keepPage(place, copy, part) : keep(place, copy));
}

/**
 * Fetches something to keep.
 *
 * @param {import("./places.js").Place} place
 * @param {string} [url]
 */
export async function visit(place, url = place.key) {
  const asked = performance.now();
  // As pages ask for them: the same picture comes in several formats.
  const isPicture = ["picture", "seen", "past"].includes(place.kind);
  const answer = await fetch(url, { headers: { Accept: isPicture ? "image/webp,image/*" : "text/html, */*" } });
  await (await learn(place, answer, asked))();
  return answer;
}

/** Deletes what is kept of a place that no longer exists. If it was a photo, fetches the list of all photos again. */
async function forgetPlace({ key }) {
  const id = photoOf(key);
  const gone = id ? await forgetPhotos([id]) : await forget((entry) => entry.key === key);
  const list = photoList();
  if (id && gone.includes(list)) await visit(placeOfPage(new URL(list, location.origin)));
}

async function keepPage(place, answer, part) {
  const html = await answer.text();
  const isWhole = /^<!doctype html/i.test(html);
  const ids = place.kind === "list" ? idsIn(html) : undefined;
  // The server may answer with the whole page where it doesn't have the part.
  const own = isWhole || !part ? place : placeOfPart(place, part);
  await keep(own, answer, { ids, version: versionIn(html) }, clean(withoutFlash(html)));
  if (own.key === photoList()) await forgetMissing(ids, !html.includes('rel="next"'));
}

/** Removes the message that a page shows only once. */
function withoutFlash(html) {
  return html.replace(/(<flash-message\b[^>]*?)(?: hidden(?:="")?)?>[^<]*(?=<\/flash-message>)/, "$1 hidden>");
}

/**
 * Deletes what is kept of photos that are no longer in the list of all photos.
 *
 * @param {string[]} ids listed at its top, newest first
 * @param {boolean} isAll whether there are no older ones
 */
async function forgetMissing(ids, isAll) {
  const listed = new Set(ids);
  const isMissing = (id) => !listed.has(id) && (isAll || BigInt(id) > BigInt(ids.at(-1)));
  // Photos of other people are in no list of the library.
  const own = (await entries()).filter(({ kind }) => !limits[kind]?.showsOthers);
  const known = own.flatMap(({ key, ids: others = [] }) => [photoOf(key) ?? [], others].flat());
  await forgetPhotos([...new Set(known)].filter(isMissing));
}

/**
 * Finds a page that is kept, marked as such.
 *
 * @param {string} key
 * @returns {Promise<Response | null>}
 */
export async function findPage(key) {
  const kept = await find(key);
  if (!kept) return null;
  const html = (await kept.text()).replace(/<html(?=[\s>])/, `<html data-kept="${kept.headers.get("X-Kept")}"`);
  return new Response(html, { headers: kept.headers });
}

/**
 * Finds what is kept in place of a page that isn't: the same page at another address, or the list of all photos for one
 * of its filters.
 *
 * @param {import("./places.js").Place} page
 * @returns {Promise<Response | null>}
 */
export async function findInstead({ key, kind }) {
  const list = photoList();
  const isFilter = kind === "list" && key !== list && !key.includes("max_id=");
  const other = isFilter ? list : twinOf(key);
  return other && (await find(other)) ? Response.redirect(other) : null;
}

/**
 * Finds the page that says that there is no network, as the owner sees it, with links to the pages that are kept.
 *
 * @returns {Promise<Response | null>}
 */
export async function findOfflinePage() {
  const page = (await owner()) ? await find(offlinePage.key) : null;
  if (!page) return null;
  const known = new Set((await entries()).map(({ key }) => key));
  const hideUnknown = (item, path) => (known.has(path) || known.has(twinOf(path)) ? item : `${item} hidden`);
  const html = (await page.text()).replace(/<li data-page="([^"]+)"/g, hideUnknown);
  return new Response(html, { headers: page.headers });
}
