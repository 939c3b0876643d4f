import { freshFragment } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { notificationsPage } from "./paths.js";

/** `<notification-list>` around the newest notifications: shows new ones while the page is open. */
class NotificationList extends Enhancement {
  #signal;
  #looking;
  #queued;

  enhance(signal) {
    this.#signal = signal;
    // An older page of the list gets nothing new.
    if (location.search) return;
    const look = () => this.#lookForNew();
    addEventListener("tintype:notification", look, { signal });
    addEventListener("tintype:reset", look, { signal });
    document.addEventListener("visibilitychange", look, { signal });
  }

  /** Fetches new notifications once the page is visible, since what is shown counts as read. Many calls fetch once. */
  #lookForNew() {
    if (document.hidden) return;
    this.#queued ??= Promise.resolve(this.#looking).then(() => {
      this.#queued = undefined;
      this.#looking = this.#look();
    });
  }

  async #look() {
    try {
      this.replaceChildren(await freshFragment(notificationsPage, "list", this.#signal));
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    }
  }
}

customElements.define("notification-list", NotificationList);
