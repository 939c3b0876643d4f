/**
 * What the outbox does on every page: deletes what waits of someone who has logged out, and sends what waits of the person
 * who is logged in.
 */
import { mayExist } from "../web/browser-memory.js";

const { account } = document.documentElement.dataset;

/** Loads the list of what waits, on pages that have one. Most have nothing to show in it. */
function loadList() {
  if (document.querySelector("waiting-list")) import("./waiting-list.js");
}

addEventListener("outbox:added", loadList);

async function lookAfterWaiting() {
  // Few pages have something to send, and only those load what sends it.
  if (!(await mayExist("tintype-outbox"))) return;
  loadList();
  const { entries, keepOnly } = await import("./store.js");
  await keepOnly(account ?? "none");
  // When the store fails the outbox tries again.
  const waiting = account ? await entries(account).catch(() => null) : [];
  if (waiting === null || waiting.length > 0) (await import("./outbox.js")).outbox.wake();
}

lookAfterWaiting().catch((error) => console.warn("What waits can’t be read:", error));
