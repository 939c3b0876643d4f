/**
 * What installing needs on every page: the browser's offer to install the app, which comes once a page and is kept for a
 * button, the count of visits, by which it is known that somebody has come back, and the end of what the phone has handed
 * to the app.
 */
import { countVisit } from "../web/visits.js";

// The invitation stays unloaded on a first visit, on which it never shows.
if (countVisit() > 1 && document.querySelector("install-invitation")) import("./install-invitation.js");
addEventListener("beforeinstallprompt", (event) => {
  // Else the browser would ask by itself, and on the first visit.
  event.preventDefault();
  import("./offer.js").then(({ keepOffer }) => keepOffer(event));
});

/** Erases what waits at a log-out, since not every browser erases what the server tells it to. */
export const loggingOut = async () => (await import("../photos/arrivals.js")).eraseArrival();
