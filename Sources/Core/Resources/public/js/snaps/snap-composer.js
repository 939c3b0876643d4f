import { arrivalFor, erase, takesArrival } from "../photos/arrivals.js";
import { Enhancement } from "../web/enhancement.js";
import { step } from "../web/trail.js";
import "./feed-picker.js";
import "./snap-camera.js";

/**
 * `<snap-composer>` around a `<snap-camera>` and a `<feed-picker>`: the picture that one takes goes
 * on its way to the server, for one use, while the feed is chosen in the other. The page keeps it in
 * memory only. Back leads from the feeds to the picture in the camera, where a photo is shown first that another app of
 * the device has handed over.
 */
class SnapComposer extends Enhancement {
  /** @type {File | null} the picture that was chosen last */
  #file = null;
  /** @type {import("../photos/arrivals.js").Arrival | null} what another app has handed over */
  #arrival = null;
  /** The classes of the page while the camera is shown. */
  #look = document.body.className;

  enhance(signal) {
    this.#camera.hidden = false;
    this.addEventListener("picture-taken", ({ detail }) => this.#choose(detail), { signal });
    addEventListener("popstate", ({ state }) => this.#show(state?.isChosen && this.#file), { signal });
    if (takesArrival()) this.#takeArrival();
  }

  async #takeArrival() {
    this.#arrival = await arrivalFor(document.documentElement.dataset.account);
    const file = this.#arrival?.photos[0]?.file;
    if (file) this.#camera.offer(file);
    else this.#camera.resume();
  }

  get #camera() {
    return this.querySelector("snap-camera");
  }

  /** @param {import("./snap-camera.js").Taken} taken */
  #choose({ file, source }) {
    if (file !== this.#file) this.#take(file, source);
    step("Camera", { isChosen: true });
    this.#show(true);
  }

  #take(file, source) {
    this.#file = file;
    const picker = this.querySelector("feed-picker");
    const [arrived] = this.#arrival?.photos ?? [];
    if (arrived?.file !== source) return picker.take(file);
    // An earlier page may have begun the upload of the photo as it came.
    picker.take(file, file === source ? arrived.key : undefined, () => erase(this.#arrival));
  }

  /** Shows the feeds to choose from, or the camera. */
  #show(isChosen) {
    if (Boolean(isChosen) === this.#camera.hidden) return;
    this.#camera.hidden = Boolean(isChosen);
    document.body.className = isChosen ? "grouped pushed" : this.#look;
    if (isChosen) this.querySelector("h1").focus();
    else this.#camera.resume();
  }
}

customElements.define("snap-composer", SnapComposer);
