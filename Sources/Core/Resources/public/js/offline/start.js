/**
 * What every page does about being without a network: registers the service worker, says on a kept page that it is
 * one, and sends the pairs that wait. `<html data-sw>` is `on` once the service worker has done its part for this page.
 */
import { mayExist } from "../web/databases.js";

const page = document.documentElement;
const { account, kept } = page.dataset;

/** The database of pairs that wait; few pages have any, and only those load what sends them. */
const waiting = "tintype-waiting";

async function register() {
  const container = navigator.serviceWorker;
  const isNew = !container.controller;
  const { pathname, search } = location;
  // The page's own files come first.
  if (document.readyState !== "complete") await new Promise((resolve) => addEventListener("load", resolve));
  const registration = await container.register("/sw.js", { type: "module", updateViaCache: "none" });
  if (!registration) return; // Tests may forbid it.
  const { active } = await container.ready;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => (page.dataset.sw = "on");
  active.postMessage({ page: pathname + search, pictures: isNew ? shownPictures() : undefined }, [port2]);
}

function shownPictures() {
  return [...document.images].filter(({ complete, src }) => complete && src).map(({ src }) => src);
}

/** Deletes the pairs of who has logged out, and sends those of who is logged in. */
async function lookAfterWaiting() {
  if (!(await mayExist(waiting))) return;
  const { keepOnly } = await import("../then-and-now/waiting-store.js");
  await keepOnly(account ?? "none");
  if (account) (await import("../then-and-now/waiting-pairs.js")).waitingPairs.wake();
}

if (kept) import("./kept-note.js").then(({ showNote }) => showNote(kept));
lookAfterWaiting().catch((error) => console.warn("What waits can’t be read:", error));
// Only where the browser has service workers: over HTTPS and on the computer itself.
if (account && navigator.serviceWorker) {
  register().catch((error) => {
    // Without a network, or in a browser that lacks modules there, pages work as before.
    page.dataset.sw = "off";
    console.warn("No service worker:", error.message);
  });
}
