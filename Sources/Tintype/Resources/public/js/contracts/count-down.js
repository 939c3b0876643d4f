import { inWords, minute, TimeWords } from "../web/time-words.js";

/**
 * `<count-down>` around a `<time datetime>`: how much time is left until then.
 *
 * Fires `time-up` when the time ends while it is shown. If it is still shown a minute later, the clocks of server and
 * browser may differ, and it does so again.
 */
class CountDown extends TimeWords {
  #isShown = false;

  say(date, now) {
    const left = date - now;
    if (left <= 0 && this.#isShown) this.dispatchEvent(new CustomEvent("time-up", { bubbles: true }));
    this.#isShown = true;
    if (left <= 0) return { words: "time is up", pause: minute };
    if (left < minute) return { words: "less than a minute left", pause: left };
    const { words, length } = inWords(left, "day", "hour", "minute");
    return { words: `${words} left`, pause: left % length };
  }
}

customElements.define("count-down", CountDown);
