import * as tab from "../web/browser-memory.js";
import * as device from "../web/device-memory.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { loadStyle } from "../web/style.js";
import { isFirstVisit, isInstalled } from "../web/visits.js";
import { install, isOffered } from "./offer.js";

/** The name under which the device remembers that it was invited, and that it has answered, and the tab that it shows it. */
const memory = "invited";
const [shown, answered] = ["shown", "answered"];

/**
 * `<install-invitation hidden>`: invites to install the app, in one tab, and never on the first visit. Where the browser
 * can do it there is a button `[data-install]`; on an iPhone or iPad the picture `[data-by-hand]` says how, and
 * `[data-how]` leads to the page with all steps.
 */
class InstallInvitation extends Enhancement {
  async enhance(signal) {
    await loadStyle("installing");
    if (signal.aborted) return;
    const look = () => this.#look();
    addEventListener("tintype:installable", look, { signal });
    this.addEventListener("click", (event) => this.#answer(event.target), { signal });
    look();
  }

  #look() {
    const said = device.recall(memory);
    const isDue = said === null ? !isFirstVisit() : said === shown && tab.recall(memory) === true;
    const isByHand = navigator.standalone === false;
    if (!isDue || isInstalled() || !(isByHand || isOffered())) return;
    device.remember(memory, shown);
    tab.remember(memory, true);
    for (const part of this.querySelectorAll("[data-by-hand], [data-how]")) part.hidden = !isByHand;
    this.querySelector("[data-install]").hidden = isByHand;
    this.hidden = false;
  }

  async #answer(target) {
    const control = target.closest("[data-install], [data-how], [data-refuse]");
    if (!control) return;
    device.remember(memory, answered);
    if ("how" in control.dataset) return; // The link leads on.
    this.remove();
    if ("install" in control.dataset && (await install())) flash("Tintype is being installed.", "good");
    if ("refuse" in control.dataset) flash("You find it in Settings when you change your mind.", "good");
  }
}

customElements.define("install-invitation", InstallInvitation);
