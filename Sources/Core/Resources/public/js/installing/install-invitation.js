import { recall, remember } from "../web/device-memory.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { isInstalled } from "../web/installed.js";
import { countVisit } from "../web/visits.js";
import { install, isOffered } from "./offer.js";

/** The name under which this device remembers the visit in which it was invited, or that it has answered. */
const memory = "invited";
const answered = "answered";

/**
 * `<install-invitation hidden>`: invites to install the app, in one visit, and never on the first. Where the browser
 * can do it there is a button `[data-install]`; on an iPhone or iPad the picture `[data-by-hand]` says how, and
 * `[data-how]` leads to the page with all steps.
 */
class InstallInvitation extends Enhancement {
  enhance(signal) {
    const look = () => this.#look();
    addEventListener("tintype:installable", look, { signal });
    this.addEventListener("click", (event) => this.#answer(event.target), { signal });
    look();
  }

  #look() {
    const visit = countVisit();
    const said = recall(memory);
    const isDue = visit > 1 && (said === null || said === String(visit));
    const isByHand = navigator.standalone === false;
    if (!isDue || isInstalled() || !(isByHand || isOffered())) return;
    remember(memory, String(visit));
    for (const part of this.querySelectorAll("[data-by-hand], [data-how]")) part.hidden = !isByHand;
    this.querySelector("[data-install]").hidden = isByHand;
    this.hidden = false;
  }

  async #answer(target) {
    const control = target.closest("[data-install], [data-how], [data-refuse]");
    if (!control) return;
    remember(memory, answered);
    if ("how" in control.dataset) return; // The link leads on.
    this.remove();
    if ("install" in control.dataset && (await install())) flash("Tintype is being installed.", "good");
    if ("refuse" in control.dataset) flash("You find it in Settings when you change your mind.", "good");
  }
}

customElements.define("install-invitation", InstallInvitation);
