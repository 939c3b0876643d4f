/**
 * What Then & Now does on every page: delete the waiting pairs of a person who has logged out, and send those of the
 * person who is logged in.
 */
import { mayExist } from "../web/databases.js";

const { account } = document.documentElement.dataset;

/** The database of waiting pairs. Few pages have any, and only those load the script that sends them. */
const waiting = "tintype-waiting";

/** @type {import("../web/log-out.js").Unsent} */
export const unsent = {
  noun: "unsent Then & Now pair",
  count: async (account) => (await (await import("./waiting-store.js")).entries(account)).length,
};

async function lookAfterWaiting() {
  if (!(await mayExist(waiting))) return;
  const { keepOnly } = await import("./waiting-store.js");
  await keepOnly(account ?? "none");
  if (account) (await import("./waiting-pairs.js")).waitingPairs.wake();
}

lookAfterWaiting().catch((error) => console.warn("What waits can’t be read:", error));
