import { minute, TimeWords } from "../web/time-words.js";
import { count } from "../web/words.js";

const hour = 60 * minute;
const day = 24 * hour;

/** The units in which the time left is counted, the longest first. A unit is used while at least two of it are left. */
const units = [
  { noun: "day", length: day, from: 2 * day - hour / 2 },
  { noun: "hour", length: hour, from: 2 * hour - minute / 2 },
  { noun: "minute", length: minute, from: minute },
];

/**
 * `<count-down>` around a `<time datetime>`: how much time is left until then, rounded to the nearest, as the server
 * writes it too (`ContractWords.timeLeft`).
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
    const unit = units.find(({ from }) => left >= from);
    if (!unit) return { words: "less than a minute left", pause: left };
    const { noun, length, from } = unit;
    const number = Math.round(left / length);
    return { words: `${count(number, noun)} left`, pause: left - Math.max(from, (number - 0.5) * length) };
  }
}

customElements.define("count-down", CountDown);
