/**
 * The browser's offer to install the app.
 *
 * @typedef {Event & {prompt: () => Promise<{outcome: "accepted" | "dismissed"}>}} Offer
 */

/** @type {Offer | null} */
let offer = null;

/** Keeps an offer until somebody takes it, and reports it as `tintype:installable`. */
export function keepOffer(event) {
  offer = event;
  dispatchEvent(new CustomEvent("tintype:installable"));
}

/** Returns whether the browser can install the app now. */
export const isOffered = () => offer !== null;

/**
 * Lets the browser ask the person.
 *
 * @returns {Promise<boolean>} whether they want it
 */
export async function install() {
  const current = offer;
  offer = null; // An offer counts once.
  return (await current?.prompt())?.outcome === "accepted";
}
