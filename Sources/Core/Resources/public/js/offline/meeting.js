import { keepOnly as keepOutboxOnly } from "../outbox/store.js";
import { drop, entries } from "./kept.js";
import { asker as known, cacheOf, empty, inTurn, owner, recall, remember } from "./owner.js";
import { keepOnly, limits, offlinePage } from "./places.js";

/** What the server calls the account of a request that nobody is logged in for (`X-Account`). */
const nobody = "none";

/** When something changed, of `performance.now()`. */
let changed = -Infinity;

/**
 * Learns from an answer who is logged in, and whether that person may see less of others than before.
 *
 * When it is someone else, or nobody, all that is kept is deleted; when they may see less, what shows other people is.
 *
 * @param {Response} answer
 * @param {number} asked when it was asked for: what comes late says nothing about now
 */
export async function meet(answer, asked) {
  const asker = answer.status === 401 ? nobody : answer.headers.get("X-Account");
  if (asker === null || asker === ((await known()) ?? nobody)) return;
  await inTurn(async () => {
    if (asked < changed) return;
    changed = performance.now();
    const [account, epoch] = asker.split("-");
    if (account === (await owner())) await forgetOthers(account);
    else await change(account);
    if (account !== nobody) await remember("epoch", epoch);
  });
}

/** Deletes all that is kept of the owner, and what features and the outbox have of everyone but the new one. */
async function change(account) {
  await empty();
  await keepOutboxOnly(account);
  await keepOnly(account);
  if (account !== nobody) await remember("account", account);
}

/** Deletes what shows other people: it is asked for again when it is opened. */
async function forgetOthers(account) {
  const keys = (await entries())
    .filter(({ kind }) => !limits[kind] || limits[kind].showsOthers)
    .map(({ key }) => key);
  await drop(cacheOf(account), keys);
  emptyBrowserCache();
}

/** Lets the browser empty its own cache, too, which scripts can't reach. The page that is being shown needn't wait. */
function emptyBrowserCache() {
  fetch(`${offlinePage.key}?forget=`).catch((error) => console.warn("The browser’s cache isn’t emptied:", error.message));
}
