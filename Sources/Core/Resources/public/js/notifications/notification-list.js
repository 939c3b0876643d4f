import { fragment } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";

/** `<notification-list>` around the newest notifications: shows what comes in while one looks. */
class NotificationList extends Enhancement {
  #signal;
  #looking;
  #queued;

  enhance(signal) {
    this.#signal = signal;
    // An older page of the list is what it is.
    if (location.search) return;
    const look = () => this.#lookForNew();
    addEventListener("tintype:notification", look, { signal });
    addEventListener("tintype:reset", look, { signal });
    document.addEventListener("visibilitychange", look, { signal });
  }

  /** Asks when the page is in sight, since what is shown counts as read; many calls ask once. */
  #lookForNew() {
    if (document.hidden) return;
    this.#queued ??= Promise.resolve(this.#looking).then(() => {
      this.#queued = undefined;
      this.#looking = this.#look();
    });
  }

  async #look() {
    try {
      this.replaceChildren(await fragment("/notifications", "list", this.#signal));
    } catch (error) {
      if (error.name !== "AbortError") flash(error.message, "error");
    }
  }
}

customElements.define("notification-list", NotificationList);
