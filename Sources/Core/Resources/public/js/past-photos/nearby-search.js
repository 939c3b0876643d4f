import { ApiError } from "../web/api.js";
import { Enhancement } from "../web/enhancement.js";
import { NearbyForm } from "./nearby-form.js";
import { NearbyMap } from "./nearby-map.js";
import { PastSearch } from "./past-search.js";
import { PositionButtons } from "./position.js";
import { ResultStrip } from "./result-strip.js";
import { SearchAlerts } from "./search-alerts.js";
import { SearchProgress } from "./search-progress.js";

/**
 * `<nearby-search>`: the page "Find Nearby", with its form, map, row of photos and alerts. `data-last` is the last
 * search as the API describes it, whose photos are in the row already.
 */
class NearbySearch extends Enhancement {
  #form;
  #map;
  #strip;
  #alerts;
  #progress;
  #search = new PastSearch();
  /** The last search with its photos. */
  #answer;
  #isByDevice = false;

  enhance(signal) {
    const form = this.querySelector("#nearby-form");
    this.#form = new NearbyForm(form, signal);
    this.#strip = new ResultStrip(this.querySelector("[data-results]"), signal);
    this.#alerts = new SearchAlerts(this.querySelector("[data-notices]"), signal);
    this.#remember();
    const titles = this.#answer.sources.map(({ title }) => title);
    this.#progress = new SearchProgress(this, titles);
    form.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.querySelector("[data-cancel]").addEventListener("click", () => this.#cancel(), { signal });
    this.#form.addEventListener("moved", () => this.#moved(), { signal });
    this.#form.addEventListener("change", () => this.#changed(), { signal });
    this.#strip.addEventListener("current", () => this.#follow(), { signal });
    this.#strip.addEventListener("failed", () => this.#sayFailures(), { signal });
    signal.addEventListener("abort", () => this.#search.cancel());
    this.#openMap(signal);
    this.#offerPosition(signal);
  }

  /** Fills in the last search, and what was changed in the form since. */
  #remember() {
    const page = JSON.parse(this.dataset.last);
    this.#answer = this.#search.last(page);
    if (this.#answer !== page) {
      this.#form.typed = this.#answer.search;
      this.#strip.show(this.#answer);
    }
    const { by_device: isByDevice, ...typed } = this.#search.changes(this.#searchID) ?? {};
    this.#isByDevice = Boolean(isByDevice);
    this.#form.typed = typed;
    if (this.#strip.failures) this.#sayFailures();
  }

  get #searchID() {
    return this.#answer.search?.id ?? null;
  }

  // MARK: Position

  #offerPosition(signal) {
    const position = new PositionButtons(this.querySelectorAll("[data-locate]"), signal);
    position.addEventListener("found", ({ detail }) => this.#found(detail), { signal });
    position.addEventListener("failed", ({ detail }) => this.#alerts.sayPosition(detail), { signal });
    if (!this.#form.position || this.#isByDevice) position.findIfAllowed();
  }

  #found(position) {
    this.#form.position = position;
    this.#isByDevice = true;
    this.#changed();
    this.#map?.fit();
  }

  #moved() {
    this.#isByDevice = false;
    this.#alerts.clear("position");
  }

  #changed() {
    this.#search.keep({ ...this.#form.typed, by_device: this.#isByDevice }, this.#searchID);
    this.#map?.showPosition(this.#form.position, this.#form.radius);
  }

  async #openMap(signal) {
    const frame = this.querySelector("[data-map]");
    const map = await NearbyMap.open(frame, signal).catch(() => null);
    frame.dataset.map = map ? "ready" : "missing";
    if (!map || signal.aborted) return;
    this.#map = map;
    map.addEventListener("place", ({ detail }) => (this.#form.position = detail), { signal });
    map.addEventListener("pin", ({ detail }) => this.#strip.choose(detail), { signal });
    map.showPosition(this.#form.position, this.#form.radius);
    map.showPhotos(this.#answer.photos);
    map.mark(this.#strip.current);
  }

  /** Shows on the map which photo is chosen. */
  #follow() {
    this.#map?.mark(this.#strip.current);
    this.#map?.reveal(this.#strip.current);
  }

  // MARK: Searching

  async #submit(event) {
    event.preventDefault();
    if (event.submitter?.name === "wider") this.#form.widen();
    this.#alerts.clear();
    if (!this.#form.position) {
      this.#alerts.sayPosition();
      this.#form.askForPosition();
      return;
    }
    this.#progress.show(true);
    try {
      const answer = await this.#search.ask(this.#form.typed);
      if (answer) this.#take(answer);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      this.#alerts.sayError(error);
    } finally {
      this.#progress.show(this.#search.isRunning);
    }
  }

  #cancel() {
    this.#search.cancel();
    this.#progress.show(false);
  }

  #take(answer) {
    // If a source failed and nothing was found, the last results stay.
    if (answer.search) {
      // A picture of the search before may have failed while this one was asked for.
      this.#alerts.clear("pictures");
      this.#answer = answer;
      this.#changed();
      this.#map?.showPhotos(answer.photos);
      this.#strip.show(answer);
    }
    // This is the last step, so that the map ends at the position whatever was shown before.
    this.#map?.fit();
    this.#alerts.sayAnswer(answer, this.#form, this.#answer.photos.length);
  }

  #sayFailures() {
    this.#alerts.sayFailures(this.#strip.failures, this.#answer.photos.length);
  }
}

customElements.define("nearby-search", NearbySearch);
