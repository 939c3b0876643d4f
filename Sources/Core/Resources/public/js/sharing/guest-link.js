import { request } from "../web/api.js";
import { copyText } from "../web/clipboard.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { inLocalTime } from "../web/local-time.js";

/**
 * `<guest-link data-photo>` around the link `data-copy`, which makes a link for guests and copies it, and `data-made`,
 * which says until when the link for guests works, with a button that revokes it.
 */
class GuestLink extends Enhancement {
  #isBusy = false;

  enhance(signal) {
    const press = (name, action) => {
      const run = (event) => {
        event.preventDefault();
        this.#run(action);
      };
      this.querySelector(name).addEventListener("click", run, { signal });
    };
    press("[data-copy]", () => this.#copy());
    press("[data-revoke]", () => this.#revoke());
  }

  get #path() {
    return `/api/v1/photos/${this.dataset.photo}/guest_link`;
  }

  /** Runs an action unless another one is running, and shows its error. */
  async #run(action) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    try {
      await action();
    } catch (error) {
      if (!("status" in error)) throw error;
      flash(error.message, "error");
    } finally {
      this.#isBusy = false;
    }
  }

  async #copy() {
    const made = request("POST", this.#path, {});
    // Copying begins before the link exists, since browsers let a page copy only right after a tap.
    const copied = copyText(made.then(({ url }) => url)).then(() => true, () => false);
    const { url, expires_at: end } = await made;
    this.#say(new Date(end));
    if (await copied) flash("Link copied.");
    else flash(`This browser doesn’t allow copying. The link is ${url}`, "error");
  }

  async #revoke() {
    await request("DELETE", this.#path);
    this.#say(null);
    flash("The link no longer works.");
    this.querySelector("[data-copy]").focus();
  }

  /** @param {Date | null} end when the link expires; null when there is none */
  #say(end) {
    const place = this.querySelector("[data-made]");
    place.hidden = !end;
    const time = place.querySelector("time");
    time.textContent = end ? inLocalTime(end) : "";
    if (end) time.dateTime = end.toISOString();
  }
}

customElements.define("guest-link", GuestLink);
