import { owner } from "../offline/owner.js";
import { eraseArrivalBut, eraseOldArrival, keepArrival } from "../photos/arrivals.js";

/** The address to which the device's other apps send photos, in the manifest too. */
const address = "/share";

/**
 * Takes what another app of this device shares with Tintype, before the network is asked: the photos wait on the device,
 * also behind the log-in.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = { start, opened: eraseOldArrival, keepOnly };

function start() {
  addEventListener("fetch", (event) => {
    const { method, mode, url, referrer } = event.request;
    const isShare = method === "POST" && mode === "navigate" && new URL(url).pathname === address;
    // A form of another website isn't an app of this device, which has no website as its referrer. The server refuses it.
    const isForeign = referrer.startsWith("http") && new URL(referrer).origin !== location.origin;
    if (isShare && !isForeign) event.respondWith(take(event.request));
  });
}

/** @param {Request} request */
async function take(request) {
  try {
    const form = await request.formData();
    const files = form.getAll("photos").flatMap((one) => (one instanceof File && one.size > 0 ? one : []));
    const words = ["title", "text", "url"].map((name) => form.get(name)).filter((one) => typeof one === "string" && one);
    await keepArrival(files, [...new Set(words)].join("\n"), (await owner()) ?? null);
    return Response.redirect(address, 303);
  } catch (error) {
    // The browser has no room for them, or keeps nothing.
    console.warn("Photos that were shared couldn’t be kept:", error.message);
    return Response.redirect(`${address}?problem=room`, 303);
  }
}

/** Erases what was handed over on somebody else's device; without a log-in it waits for one. */
async function keepOnly(account) {
  if (account !== "none") await eraseArrivalBut(account);
}
