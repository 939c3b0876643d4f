/**
 * What installing needs on every page: the browser's offer to install the app, which comes once a page and is kept for a
 * button, and the count of visits, by which it is known that somebody has come back.
 */
import { countVisit } from "../web/visits.js";
import { keepOffer } from "./offer.js";

countVisit();
addEventListener("beforeinstallprompt", (event) => {
  // Else the browser would ask by itself, and on the first visit.
  event.preventDefault();
  keepOffer(event);
});
