import { Enhancement } from "../web/enhancement.js";
import { availability } from "./availability.js";
import { PushRefusal, isOn, repair, turnOff, turnOn } from "./subscription.js";

/** What is said beside the switch in each of its states. */
const words = {
  working: "One moment…",
  on: "What is new appears on this device while Tintype is closed.",
  off: "This device stays quiet.",
  blocked: "Your browser blocks notifications from Tintype. Allow them in its settings for this site, then come back.",
  unsupported: "This browser can’t show notifications.",
  install: "On an iPhone or iPad, notifications need Tintype on the Home Screen.",
};

/**
 * `<push-switch data-key>` around a switch and its `[data-words]`: turns this device's notifications on and off.
 * `data-state` is one of the keys of `words`. A link `[data-install]` is shown where the app has to be installed first.
 *
 * Fires `push-changed` when this device's subscription has begun or ended.
 */
class PushSwitch extends Enhancement {
  /** @type {HTMLInputElement} */
  #input;
  #account = document.documentElement.dataset.account;
  /** @type {Promise<void>} */
  #turn = Promise.resolve();

  enhance(signal) {
    this.#input = this.querySelector("input");
    this.#input.addEventListener("change", () => this.#then(() => this.#change()), { signal });
    const look = () => document.visibilityState === "visible" && this.#then(() => this.#look());
    // The person may come back from the settings of the browser.
    document.addEventListener("visibilitychange", look, { signal });
    look();
  }

  /** Does one thing after the other, and says what went wrong. */
  #then(work) {
    this.#turn = this.#turn.then(async () => {
      try {
        await work();
      } catch (error) {
        this.#show(await this.#state(), error instanceof PushRefusal ? error.message : this.#reason(error));
      }
    });
  }

  async #look() {
    const isAllowed = (await availability()) === "available" && Notification.permission === "granted";
    if (isAllowed) {
      this.#show("working");
      await repair(await navigator.serviceWorker.ready, this.#account, true);
    }
    this.#show(await this.#state());
  }

  async #change() {
    const wanted = this.#input.checked;
    this.#show("working");
    // The browser asks the person here.
    if (wanted && (await Notification.requestPermission()) === "default") {
      return this.#show("off", "Nothing changed: your browser asked, and got no answer.");
    }
    if ((await availability()) !== "available") return this.#show(await this.#state());
    const registration = await navigator.serviceWorker.ready;
    if (wanted) await turnOn(registration, this.dataset.key, this.#account);
    else await turnOff(registration);
    this.#show(await this.#state());
    this.dispatchEvent(new CustomEvent("push-changed", { bubbles: true }));
  }

  /** @returns {Promise<keyof typeof words>} */
  async #state() {
    const found = await availability();
    if (found !== "available") return found;
    if (Notification.permission !== "granted") return "off";
    return (await isOn(await navigator.serviceWorker.ready, this.#account)) ? "on" : "off";
  }

  /** Says a browser's refusal in words. */
  #reason({ name }) {
    if (name === "NotAllowedError") return words.blocked;
    return "Your browser couldn’t reach its notification service. Check the network and try again.";
  }

  /** @param {keyof typeof words} state @param {string} [problem] */
  #show(state, problem) {
    this.dataset.state = state;
    this.#input.disabled = !["on", "off"].includes(state);
    if (state !== "working") this.#input.checked = state === "on";
    const note = this.querySelector("[data-words]");
    note.textContent = problem ?? words[state];
    note.classList.toggle("error", problem !== undefined);
    const link = this.querySelector("[data-install]");
    if (link) link.hidden = state !== "install";
  }
}

customElements.define("push-switch", PushSwitch);
