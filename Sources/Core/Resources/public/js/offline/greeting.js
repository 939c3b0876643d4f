import { entry } from "./kept.js";
import { owner } from "./owner.js";
import { visit } from "./pages.js";
import { offlinePage, opened, placeOfPage, placeOfShown } from "./places.js";

/** Pictures at most that a page names which was open before the service worker. */
const mostPictures = 200;

/** @type {Set<Promise<void>>} the pages that are being kept again */
const again = new Set();

/**
 * Keeps a page again that has changed while it was open.
 *
 * @param {string} page its path
 */
export async function keepAgain(page) {
  const place = placeOfPage(new URL(page, location.origin)) ?? offlinePage;
  const visited = visit(place, place === offlinePage ? undefined : page).then(() => {}, ignoreOutage);
  again.add(visited);
  await visited.finally(() => again.delete(visited));
}

/** There is nothing to keep without a network. */
function ignoreOutage(error) {
  if (!(error instanceof TypeError)) throw error;
}

/**
 * Answers a page that has opened. What one shows that was open before the service worker is kept now.
 *
 * @param {ExtendableMessageEvent} event whose data are the page's path, and the pictures of one that was open before
 * @param {string} version of the static files
 */
export async function greet({ data: { page, pictures }, ports: [port] }, version) {
  try {
    const known = await entry(offlinePage.key);
    if (known?.version !== version || !(await owner())) await visit(offlinePage);
    if (pictures) await keepShown(page, pictures.slice(0, mostPictures));
    // A browser that ends while it keeps a page again loses that page, so this greeting waits for the page before.
    await Promise.allSettled(again);
  } catch (error) {
    ignoreOutage(error);
  } finally {
    port.postMessage("ready");
  }
  await opened(page).catch(ignoreOutage);
}

async function keepShown(page, pictures) {
  const url = new URL(page, location.origin);
  const place = placeOfPage(url);
  if (place) await visit(place, page);
  for (const address of pictures.map((path) => new URL(path, location.origin))) {
    const picture = address.origin === location.origin && placeOfShown(address, url.pathname);
    if (picture) await visit(picture, address.pathname + address.search);
  }
}
