import { Enhancement } from "./enhancement.js";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

/**
 * How long ago something was, in words, as the server writes it too.
 *
 * @param {Date} date
 * @param {Date} now
 * @param {"now" | "minutes"} zero the first minute: `just now`, or `0 minutes ago` for snaps, whose hours go on, too
 */
export function relativeTime(date, now, zero = "now") {
  const age = Math.max(0, now - date);
  if (age < minute && zero === "now") return "just now";
  if (age < hour) return ago(age, minute, "minute");
  if (age < day || zero === "minutes") return ago(age, hour, "hour");
  if (age < week) return ago(age, day, "day");
  if (age < 4 * week) return ago(age, week, "week");
  const year = date.getUTCFullYear() === now.getUTCFullYear() ? undefined : "numeric";
  const form = { day: "numeric", month: "long", year, timeZone: "UTC" };
  return new Intl.DateTimeFormat("en-GB", form).format(date);
}

/** Milliseconds until `relativeTime` may say something else. */
export function untilChange(date, now, zero = "now") {
  const age = Math.max(0, now - date);
  const step = age < hour ? minute : age < day || zero === "minutes" ? hour : day;
  return step - (age % step);
}

function ago(age, unit, noun) {
  const value = Math.floor(age / unit);
  return `${value} ${noun}${value === 1 ? "" : "s"} ago`;
}

/**
 * `<relative-time>` around a `<time datetime>` keeps its words true while the page stays open.
 * `data-zero="minutes"` is the form for snaps.
 */
class RelativeTime extends Enhancement {
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
    const words = relativeTime(date, now, this.dataset.zero);
    if (time.textContent !== words) time.textContent = words;
    this.#timer = setTimeout(() => this.#show(), untilChange(date, now, this.dataset.zero) + 50);
  }
}

customElements.define("relative-time", RelativeTime);
