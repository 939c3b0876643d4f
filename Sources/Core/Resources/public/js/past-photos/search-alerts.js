import { element } from "../web/element.js";
import { count } from "../web/words.js";
import { Notices } from "./notices.js";

/** The alerts of "Find Nearby" when something went wrong or nothing was found. Each says what to do. */
export class SearchAlerts {
  #notices;

  /** @param {HTMLElement} place @param {AbortSignal} signal */
  constructor(place, signal) {
    this.#notices = new Notices(place, signal);
  }

  /** @param {string} [kind] all, unless given */
  clear(kind) {
    this.#notices.clear(kind);
  }

  sayPosition(sentence = "Where? Tap the map, use your position, or type coordinates.") {
    this.#notices.say("position", sentence);
  }

  /**
   * @param {object} answer of a search
   * @param {import("./nearby-form.js").NearbyForm} form
   * @param {number} shown how many photos the page shows
   */
  sayAnswer({ search, sources, photos }, { radiusInWords: radius, widenable }, shown) {
    for (const { name, state, message } of sources.filter((source) => source.message)) {
      this.#notices.say(`source-${name}`, message, { tone: state === "failed" ? "error" : "note" });
    }
    if (!search && shown > 0) this.#notices.say("kept", "These are the photos of your last search.", { tone: "note" });
    if (!search || photos.length > 0) return;
    const found = `No photos from ${search.from_year} to ${search.to_year} within ${radius}.`;
    if (widenable) this.#notices.say("none", `${found} Widen ${widenable}.`, { button: wider() });
    else this.#notices.say("none", `${found} Choose another place.`);
  }

  /** @param {number} failures @param {number} total */
  sayFailures(failures, total) {
    const pictures = `${failures} of ${count(total, "picture")}`;
    this.#notices.say("pictures", `${pictures} could not be loaded. Search again to try once more.`);
  }

  /** @param {import("../web/api.js").ApiError} error */
  sayError({ status, message, details = {} }) {
    const [problem] = Object.values(details).flat();
    this.#notices.say(status ? "server" : "network", problem?.description ?? message);
  }
}

function wider() {
  const button = element("button", { class: "button small", name: "wider", value: "1" }, "Search wider");
  button.setAttribute("form", "nearby-form");
  return button;
}
