/**
 * The app's service worker: what was seen on some pages can be seen again without a network.
 *
 * It answers only for what features keep (`places.js`), and leaves everything else to the network.
 */
import { entry, find, forgetPhotos } from "./kept.js";
import { greet, keepAgain } from "./greeting.js";
import { meet } from "./meeting.js";
import { networkFirst } from "./network.js";
import { isNobodys, owner } from "./owner.js";
import { findInstead, findOfflinePage, findPage, learn } from "./pages.js";
import {
  deletedPhoto,
  isFile,
  placeOfData,
  placeOfPage,
  placeOfPart,
  placeOfPicture,
  placeOfShown,
  renewal,
  setParts,
} from "./places.js";
import * as staticFiles from "./static-files.js";
import { sendAll, syncTag } from "../outbox/draining.js";

/** The version of the static files that came with this service worker. */
let version;

/**
 * Starts the service worker.
 *
 * @param {object} app
 * @param {string} app.version of the static files
 * @param {string[]} app.files their names
 * @param {import("./places.js").Keeping[]} app.parts what each feature keeps
 * @param {Record<string, import("../outbox/draining.js").Send>} app.senders send what waits, by its kind
 */
export function serve({ version: own, files, parts, senders }) {
  version = own;
  setParts(parts);
  // Open pages go on using their own version of the static files, so this one needn't wait for them.
  const install = () => staticFiles.install(version, files).then(() => skipWaiting());
  const activate = () => staticFiles.activate(version).then(() => clients.claim());
  addEventListener("install", (event) => event.waitUntil(install()));
  addEventListener("activate", (event) => event.waitUntil(activate()));
  addEventListener("fetch", answer);
  const hear = (event) => (event.data.isChanged ? keepAgain(event.data.page) : greet(event, version));
  addEventListener("message", (event) => event.waitUntil(hear(event)));
  addEventListener("sync", (event) => event.tag === syncTag && event.waitUntil(send(senders)));
  for (const part of parts) part.start?.();
}

/** @param {FetchEvent} event */
function answer(event) {
  const { request } = event;
  const url = new URL(request.url);
  // Files to save may take longer than a service worker lives.
  if (url.origin !== location.origin || request.headers.has("Range") || isFile(url.pathname)) return;
  if (request.method !== "GET") return noteDeletion(event, url);
  const part = request.headers.get("X-Fragment");
  const page = placeOfPage(url);
  if (url.pathname.startsWith("/static/")) event.respondWith(staticFile(request, url));
  else if (request.mode === "navigate") event.respondWith(answerPage(event, page));
  else if (part && page && request.headers.has("X-Fresh")) event.respondWith(answerFresh(event, page));
  else if (part && page) event.respondWith(answerPart(event, page, part));
  else if (placeOfData(url)) event.respondWith(ask(event, placeOfData(url), () => find(placeOfData(url).key)));
  else if (renewal(url)) event.respondWith(renew(event, renewal(url)));
  else if (placeOfPicture(url)) event.respondWith(answerPicture(event, url));
}

async function staticFile(request, { pathname }) {
  return (await staticFiles.find(pathname)) ?? fetch(request);
}

/** Asks the network for what may be kept, and keeps what it answers. */
async function ask(event, place, kept, part) {
  const network = askNetwork(event, place, part);
  event.waitUntil(network.catch(() => {})); // A failure is reported where the answer is needed.
  const isKept = Boolean(await entry(part ? placeOfPart(place, part).key : place.key).catch(goOnWithoutStore));
  return networkFirst(network, kept, { isKept, isPage: event.request.mode === "navigate" });
}

async function askNetwork(event, place, part) {
  const asked = performance.now();
  const found = await fetch(event.request);
  const keep = await learn(place, found, asked, part).catch(goOnWithoutStore);
  if (keep) event.waitUntil(keep());
  return found;
}

/** Reports that the browser's store failed. What the network answers is shown all the same. */
function goOnWithoutStore(error) {
  console.warn("The browser’s store failed:", error.message);
}

async function answerPage(event, page) {
  try {
    const kept = async () => (await findPage(page.key)) ?? findInstead(page);
    if (page) return await ask(event, page, kept);
    const asked = performance.now();
    const found = await fetch(event.request);
    await meet(found, asked).catch(goOnWithoutStore);
    return found;
  } catch (error) {
    const found = (await findOfflinePage().catch(goOnWithoutStore)) ?? (await staticFiles.strangersPageOf(version));
    if (!found) throw error;
    // Nobody knows without the server whether the person has logged out.
    let html = (await found.text()).replace(/(<html\b[^>]*?) data-logged-out/, "$1");
    const isStrangers = await isNobodys().catch(() => false);
    if (!isStrangers) html = html.replace("the network to log in.", "the network, then try again.");
    return new Response(html, { status: 503, headers: found.headers });
  }
}

/** Answers with a part of a page. If it isn't the next rows of a list, the kept page may have it. */
function answerPart(event, page, part) {
  const kept = async () => (await find(placeOfPart(page, part).key)) ?? (part === "list" ? null : find(page.key));
  return ask(event, page, kept, part);
}

/**
 * Answers with a part of a page that has changed since it was shown, as only the server knows it. It isn't kept: the page
 * is, once it is left.
 */
async function answerFresh(event, page) {
  const asked = performance.now();
  const found = await fetch(event.request);
  const learned = found.ok ? meet(found, asked) : learn(page, found, asked).then((forget) => forget());
  await learned.catch(goOnWithoutStore);
  return found;
}

/** Asks the network for something, and keeps it in place of what is kept elsewhere. */
async function renew(event, { place, then }) {
  const asked = performance.now();
  const found = await fetch(event.request);
  const keep = await learn(place, found, asked).catch(goOnWithoutStore);
  if (keep) event.waitUntil(keep().then(then));
  return found;
}

/** Answers with a picture, which is kept for the pages that are kept, and for no other. */
async function answerPicture(event, url) {
  const client = await clients.get(event.clientId);
  const place = client && placeOfShown(url, new URL(client.url).pathname);
  if (!place) return fetch(event.request);
  return ask(event, place, () => find(place.key));
}

/** Deletes what is kept of a photo that the person has deleted. */
function noteDeletion(event, { pathname }) {
  const id = deletedPhoto(event.request.method, pathname);
  if (id) event.waitUntil(forgetPhotos([id]));
}

/** Sends what waits, when the browser says that there is a network and no page may be open. */
async function send(senders) {
  const account = await owner();
  if (account) await sendAll(account, async (kind) => senders[kind]);
}
