import { features } from "../features.js";

/**
 * What every page does about being without a network: registers the service worker, and says on a kept page that it is
 * one. `<html data-sw>` is `on` once the service worker has done its part for this page.
 */
const page = document.documentElement;
const { account, kept } = page.dataset;

async function register() {
  const container = navigator.serviceWorker;
  const isNew = !container.controller;
  const { pathname, search } = location;
  // The page's own files come first.
  if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve));
  const registration = await container.register("/sw.js", { type: "module", updateViaCache: "none" });
  // Tests may forbid it.
  if (!registration) return (page.dataset.sw = "off");
  const { active } = await container.ready;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => (page.dataset.sw = "on");
  active.postMessage({ page: pathname + search, pictures: isNew ? shownPictures() : undefined }, [port2]);
  keepWhatChanges(active);
}

/**
 * Lets the service worker keep a page again that events have changed, once it is out of sight, and learn at once when
 * something can't be seen any more.
 *
 * @param {ServiceWorker} worker
 */
function keepWhatChanges(worker) {
  let isChanged = false;
  for (const { name } of features.events) {
    addEventListener(`tintype:${name.replace(/^tintype\./, "")}`, () => (isChanged = true));
  }
  const keepAgain = () => {
    if (!isChanged || !navigator.onLine) return;
    isChanged = false;
    worker.postMessage({ page: location.pathname + location.search, isChanged: true });
  };
  document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && keepAgain());
  addEventListener("tintype:reset", keepAgain);
}

function shownPictures() {
  return [...document.images].filter(({ complete, src }) => complete && src).map(({ src }) => src);
}

if (kept) import("./kept-note.js").then(({ showNote }) => showNote(kept));
// Only where the browser has service workers: over HTTPS and on the computer itself.
if (account && navigator.serviceWorker) {
  register().catch((error) => {
    // Without a network, or in a browser that lacks modules there, pages work as before.
    page.dataset.sw = "off";
    console.warn("No service worker:", error.message);
  });
}
