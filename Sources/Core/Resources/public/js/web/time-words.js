import { Enhancement } from "./enhancement.js";
import { count } from "./words.js";

export const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const units = { minute, hour, day, week: 7 * day };

/** The longest pause of a timer. Browsers end a much longer one at once. */
const longest = 12 * hour;

/**
 * Returns a span of time in the first unit that fits into it, or else in the last: `3 days`.
 *
 * @param {number} span in milliseconds
 * @param {...keyof units} nouns the units to choose from, the longest first
 * @returns {{words: string, length: number}} `length` is the unit's, in milliseconds
 */
export function inWords(span, ...nouns) {
  const noun = nouns.find((one) => span >= units[one]) ?? nouns.at(-1);
  return { words: count(Math.floor(span / units[noun]), noun), length: units[noun] };
}

/**
 * An element around a `<time datetime>` whose words are kept up to date while the page is open. A subclass implements
 * `say(date, now)`, which returns the words, as the server writes them too, and as `pause` the milliseconds until they
 * may change: `Infinity` for never.
 */
export class TimeWords extends Enhancement {
  #timer;

  enhance(signal) {
    this.#show();
    // Timers don't run in hidden pages.
    document.addEventListener("visibilitychange", () => this.#show(), { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
  }

  /**
   * Returns the words for a date, and the pause until they may change.
   *
   * @param {Date} date
   * @param {Date} now
   * @returns {{words: string, pause: number}}
   */
  say(date, now) {
    throw new Error(`<${this.localName}> does not say its time in words.`);
  }

  #show() {
    clearTimeout(this.#timer);
    const time = this.querySelector("time");
    const { words, pause } = this.say(new Date(time.dateTime), new Date());
    if (time.textContent !== words) time.textContent = words;
    if (pause < Infinity) this.#timer = setTimeout(() => this.#show(), Math.min(pause + 50, longest));
  }
}
