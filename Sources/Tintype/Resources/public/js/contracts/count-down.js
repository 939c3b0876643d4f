import { inWords, minute, TimeWords } from "../web/time-words.js";

/** `<count-down>` around a `<time datetime>`: how much time is left until then. */
class CountDown extends TimeWords {
  say(date, now) {
    const left = date - now;
    if (left <= 0) return { words: "time is up", pause: Infinity };
    if (left < minute) return { words: "less than a minute left", pause: left };
    const { words, length } = inWords(left, "day", "hour", "minute");
    return { words: `${words} left`, pause: left % length };
  }
}

customElements.define("count-down", CountDown);
