import { recall, remember } from "../web/device-memory.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { isFirstVisit } from "../web/visits.js";
import { availability } from "./availability.js";
import { PushRefusal, turnOn } from "./subscription.js";

/** The name under which this device remembers the answer. */
const memory = "push_asked";

/** Milliseconds after "Not now" before the question is asked once more. */
const pause = 30 * 86_400_000;

/**
 * `<push-question data-key data-after hidden>`: asks whether to turn notifications on, once there is a message: an
 * element that `data-after` selects. It is asked only where the browser hasn't asked yet, and never on the first visit.
 */
class PushQuestion extends Enhancement {
  enhance(signal) {
    this.addEventListener("click", ({ target }) => this.#answer(target.closest("button")), { signal });
    const look = () => this.#look();
    const changes = new MutationObserver(look);
    changes.observe(this.closest("main"), { childList: true, subtree: true });
    signal.addEventListener("abort", () => changes.disconnect());
    look();
  }

  async #look() {
    if (!this.hidden || !isDue() || isFirstVisit() || !document.querySelector(this.dataset.after)) return;
    if ((await availability()) === "available" && Notification.permission === "default") this.hidden = false;
  }

  async #answer(button) {
    if (!button) return;
    if (!("turnOn" in button.dataset)) {
      refuse();
      return this.remove();
    }
    button.disabled = true;
    try {
      const answer = await Notification.requestPermission();
      if (answer === "granted") {
        const registration = await navigator.serviceWorker.ready;
        await turnOn(registration, this.dataset.key, document.documentElement.dataset.account);
        flash("Notifications are on.", "good");
      } else {
        refuse();
        flash("Notifications stay off. You can turn them on in Settings.", "good");
      }
      this.remove();
    } catch (error) {
      const isOurs = error instanceof PushRefusal;
      const sentence = isOurs ? error.message : "Your browser couldn’t reach its notification service. Try again later.";
      const note = this.querySelector("[role=alert]");
      note.textContent = sentence;
      note.hidden = false;
      button.disabled = false;
    }
  }
}

/** Returns whether nobody has said no on this device, or said it only once and a month ago. */
function isDue() {
  const said = recall(memory);
  return !said || (said !== "never" && Date.now() - Number(said) > pause);
}

/** Remembers a "no": after the second one, nothing is asked again. */
function refuse() {
  remember(memory, recall(memory) ? "never" : String(Date.now()));
}

customElements.define("push-question", PushQuestion);
