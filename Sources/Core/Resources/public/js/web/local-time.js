import { Enhancement } from "./enhancement.js";

const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

/**
 * Returns a time in the person's time zone: `12 November 2026 at 09:41`.
 *
 * @param {Date} date
 */
export function inLocalTime(date) {
  return words.format(date);
}

/** `<local-time>` around a `<time datetime>`: shows `12 November 2026 at 09:41` in the person's time zone. */
class LocalTime extends Enhancement {
  enhance() {
    const time = this.querySelector("time");
    time.title = time.textContent;
    time.textContent = inLocalTime(new Date(time.dateTime));
  }
}

customElements.define("local-time", LocalTime);
