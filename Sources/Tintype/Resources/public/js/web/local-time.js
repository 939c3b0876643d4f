import { Enhancement } from "./enhancement.js";

const words = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

/** `<local-time>` around a `<time datetime>`: `12 November 2026 at 09:41`, where the person is. */
class LocalTime extends Enhancement {
  enhance() {
    const time = this.querySelector("time");
    time.title = time.textContent;
    time.textContent = words.format(new Date(time.dateTime));
  }
}

customElements.define("local-time", LocalTime);
