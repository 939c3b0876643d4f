import { inWords, minute, TimeWords } from "./time-words.js";

const fourWeeks = 4 * 7 * 24 * 60 * minute;

/**
 * `<relative-time>` around a `<time datetime>`: shows how long ago that was. With `data-zero="minutes"`, for snaps, the
 * first minute is `0 minutes ago`, and after a day the hours are still counted.
 */
class RelativeTime extends TimeWords {
  say(date, now) {
    const age = Math.max(0, now - date);
    const isSnap = this.dataset.zero === "minutes";
    /** @type {("week" | "day")[]} */
    const longer = isSnap ? [] : ["week", "day"];
    const { words, length } = inWords(age, ...longer, "hour", "minute");
    const pause = length - (age % length);
    if (!isSnap && age < minute) return { words: "just now", pause };
    if (!isSnap && age >= fourWeeks) return { words: dayInWords(date, now), pause };
    return { words: `${words} ago`, pause };
  }
}

/** Returns a day in words: `4 September`, with the year unless it is this year. */
function dayInWords(date, now) {
  const year = date.getUTCFullYear() === now.getUTCFullYear() ? undefined : "numeric";
  return new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year, timeZone: "UTC" }).format(date);
}

customElements.define("relative-time", RelativeTime);
