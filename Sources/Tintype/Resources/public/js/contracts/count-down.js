import { Enhancement } from "../web/enhancement.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * How much time is left until a date, in words, as the server writes it too.
 *
 * @param {Date} date
 * @param {Date} now
 */
export function timeLeft(date, now) {
  const left = date - now;
  if (left <= 0) return "time is up";
  if (left < minute) return "less than a minute left";
  if (left < hour) return words(left, minute, "minute");
  if (left < day) return words(left, hour, "hour");
  return words(left, day, "day");
}

function words(left, unit, noun) {
  const value = Math.floor(left / unit);
  return `${value} ${noun}${value === 1 ? "" : "s"} left`;
}

/** Milliseconds until `timeLeft` may say something else. */
function untilChange(date, now) {
  const left = date - now;
  return left < hour ? left % minute : left < day ? left % hour : left % day;
}

/** The longest pause that a timer takes; a longer one would end at once. */
const longest = 12 * hour;

/** `<count-down>` around a `<time datetime>`: keeps its words true while the page stays open. */
class CountDown extends Enhancement {
  #timer;

  enhance(signal) {
    this.#show();
    // Timers sleep in hidden pages.
    document.addEventListener("visibilitychange", () => this.#show(), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  #show() {
    clearTimeout(this.#timer);
    const time = this.querySelector("time");
    const date = new Date(time.dateTime);
    const now = new Date();
    const left = timeLeft(date, now);
    if (time.textContent !== left) time.textContent = left;
    if (date <= now) return;
    this.#timer = setTimeout(() => this.#show(), Math.min(untilChange(date, now) + 50, longest));
  }
}

customElements.define("count-down", CountDown);
