/** Milliseconds before a change is tried again after the connection failed, at first and at most. */
const pause = { first: 1_000, longest: 30_000 };

/**
 * The sending of waiting changes, one at a time, in order. What can't be sent is tried again after pauses, and as soon
 * as the network is back.
 */
export class Sending {
  #unsent;
  #send;
  #failed;
  #lock;
  #signal;
  #isRunning = false;
  /** Ends the pause between two tries. */
  /** @type {(none?: any) => void} */
  #resume = () => {};

  /**
   * @param {import("./unsent.js").Unsent} unsent
   * @param {object} how
   * @param {(entry: import("./unsent.js").Entry) => Promise<void>} how.send sends an entry and takes it out of `unsent`
   * @param {(error: Error | null) => void} how.failed called after each failed try, and with null after a good one
   * @param {string} how.lock the lock that only one tab holds while it sends
   * @param {AbortSignal} signal ends the sending
   */
  constructor(unsent, { send, failed, lock }, signal) {
    this.#unsent = unsent;
    this.#send = send;
    this.#failed = failed;
    this.#lock = lock;
    this.#signal = signal;
    addEventListener("online", () => this.wake(), { signal });
    signal.addEventListener("abort", () => this.#resume());
  }

  /** Ends a pause, so that waiting changes are sent now. */
  wake() {
    this.#resume();
    this.start();
  }

  /** Sends the waiting changes, unless that is already under way. */
  async start() {
    while (!this.#isRunning && this.#isNeeded) {
      this.#isRunning = true;
      try {
        // One tab sends. Browsers have no locks on plain HTTP, where two tabs may send the same change, which does no
        // harm.
        const drain = () => this.#drain();
        await (navigator.locks?.request(this.#lock, { signal: this.#signal }, drain) ?? drain());
      } catch (error) {
        if (error.name !== "AbortError") throw error;
      } finally {
        this.#isRunning = false;
      }
    }
  }

  get #isNeeded() {
    return this.#unsent.all.length > 0 && !this.#signal.aborted;
  }

  async #drain() {
    let wait = pause.first;
    while (this.#isNeeded) {
      try {
        await this.#send(this.#unsent.all[0]);
        this.#failed(null);
        wait = pause.first;
      } catch (error) {
        if (!("status" in error)) throw error;
        this.#failed(error);
        await this.#rest(Math.max(wait, error.pause * 1_000));
        wait = Math.min(wait * 2, pause.longest);
      }
    }
  }

  async #rest(milliseconds) {
    await new Promise((resolve) => {
      this.#resume = resolve;
      setTimeout(resolve, milliseconds);
    });
    this.#resume = () => {};
  }
}
