/**
 * The app's service worker: what was looked at in the library and in Then & Now can be looked at without a network.
 *
 * It answers only for what `places.js` names; everything else passes by it.
 */
import { sendWaiting, syncTag } from "../then-and-now/waiting-sending.js";
import { entry, find, forgetPhotos } from "./kept.js";
import { greet } from "./greeting.js";
import { fetchAhead } from "./last-search.js";
import { networkFirst } from "./network.js";
import { meet, owner } from "./owner.js";
import { findLibrary, findOfflinePage, findPage, learn } from "./pages.js";
import { lastSearch, placeOfPage, placeOfPart, placeOfPicture, showsKeptPictures } from "./places.js";
import * as staticFiles from "./static-files.js";

/** The version of the static files that came with this service worker. */
let version;

/**
 * Starts the service worker.
 *
 * @param {{version: string, files: string[]}} app the version of the static files, and their names
 */
export function serve({ version: own, files }) {
  version = own;
  // Pages that are open go on with their own version of the static files, so none has to be waited for.
  const install = () => staticFiles.install(version, files).then(() => skipWaiting());
  const activate = () => staticFiles.activate(version).then(() => clients.claim());
  addEventListener("install", (event) => event.waitUntil(install()));
  addEventListener("activate", (event) => event.waitUntil(activate()));
  addEventListener("fetch", answer);
  addEventListener("message", (event) => event.waitUntil(greet(event, version)));
  addEventListener("sync", (event) => {
    if (event.tag === syncTag) event.waitUntil(owner().then((account) => account && sendWaiting(account)));
  });
}

/** @param {FetchEvent} event */
function answer(event) {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin || request.headers.has("Range") || isFile(url)) return;
  if (request.method !== "GET") return noteDeletion(event, url);
  const part = request.headers.get("X-Fragment");
  const page = placeOfPage(url);
  if (url.pathname.startsWith("/static/")) event.respondWith(staticFile(request, url));
  else if (request.mode === "navigate") event.respondWith(answerPage(event, page));
  else if (part && page) event.respondWith(answerPart(event, page, part));
  else if (url.pathname === lastSearch.key) event.respondWith(ask(event, lastSearch, () => find(lastSearch.key)));
  else if (url.pathname === "/api/v1/past_photos") event.respondWith(search(event));
  else if (placeOfPicture(url)) event.respondWith(answerPicture(event, placeOfPicture(url)));
}

/** Files to save may take longer than a service worker lives. */
function isFile({ pathname }) {
  return /^\/(settings\/data\/|api\/v1\/photos\/\d+\/original$)/.test(pathname);
}

async function staticFile(request, { pathname }) {
  return (await staticFiles.find(pathname)) ?? fetch(request);
}

/** Asks the network for what may be kept, and keeps what it answers. */
async function ask(event, place, kept, part) {
  const network = askNetwork(event, place, part);
  event.waitUntil(network.catch(() => {})); // It is reported where its answer is needed.
  const isKept = Boolean(await entry(part ? placeOfPart(place, part).key : place.key));
  return networkFirst(network, kept, { isKept, isPage: event.request.mode === "navigate" });
}

async function askNetwork(event, place, part) {
  const asked = performance.now();
  const found = await fetch(event.request);
  const keep = await learn(place, found, asked, part);
  event.waitUntil(keep());
  return found;
}

async function answerPage(event, page) {
  try {
    const kept = async () => (await findPage(page.key)) ?? findLibrary(page);
    if (page) return await ask(event, page, kept);
    const asked = performance.now();
    const found = await fetch(event.request);
    await meet(found, asked);
    return found;
  } catch (error) {
    const found = (await findOfflinePage()) ?? (await staticFiles.strangersPageOf(version));
    if (!found) throw error;
    return new Response(found.body, { status: 503, headers: found.headers });
  }
}

/** A part that isn't a list's next rows can be taken from the kept page. */
function answerPart(event, page, part) {
  const kept = async () => (await find(placeOfPart(page, part).key)) ?? (part === "list" ? null : find(page.key));
  return ask(event, page, kept, part);
}

/** A new search is the last one from then on. */
async function search(event) {
  const asked = performance.now();
  const found = await fetch(event.request);
  const keep = await learn(lastSearch, found, asked);
  event.waitUntil(keep().then(fetchAhead));
  return found;
}

/** Pictures are kept for the pages that are kept, and for no other. */
async function answerPicture(event, place) {
  const client = await clients.get(event.clientId);
  if (!client || !showsKeptPictures(new URL(client.url).pathname)) return fetch(event.request);
  return ask(event, place, () => find(place.key));
}

/** What is deleted isn't kept either. */
function noteDeletion(event, { pathname }) {
  const [, byForm, byScript] = pathname.match(/^\/library\/(\d+)\/delete$|^\/api\/v1\/photos\/(\d+)$/) ?? [];
  const id = byForm ?? (event.request.method === "DELETE" ? byScript : undefined);
  if (id) event.waitUntil(forgetPhotos([id]));
}
