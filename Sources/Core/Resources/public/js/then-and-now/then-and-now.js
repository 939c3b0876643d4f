import { Camera } from "../photos/camera.js";
import { hear } from "../outbox/hearing.js";
import { photoPage } from "../photos/paths.js";
import { Enhancement } from "../web/enhancement.js";
import { openCold, returnTo } from "../web/trail.js";
import { within } from "./frame-options.js";
import { preparePast } from "./past-photo.js";
import { kind } from "./sending.js";
import { pairsWaiting } from "./waiting-pairs.js";

/** The resolution of the camera, so that a pair is rendered in full size. */
const resolution = { width: 4096, height: 3072, longestSide: 4096 };

/**
 * `<then-and-now data-member data-id>`: the past photo above, the live camera below; shoot, then reject or accept.
 *
 * `data-state` is `starting`, `live`, `none` (no camera), `verdict` (a picture is reviewed), `saving`, `saved` or
 * `kept` (on this device, until there is a network). An element with `data-in` is shown in the states that it names.
 * `data-past` is `ready` once the past photo has loaded.
 */
class ThenAndNow extends Enhancement {
  #camera;
  /** @type {import("./framed-picture.js").FramedPicture} */
  #past;
  /** @type {import("./verdict.js").Verdict | undefined} */
  #verdict;

  enhance(signal) {
    this.#camera = new Camera(this.#part("video"), resolution);
    this.addEventListener("click", (event) => this.#click(event), { signal });
    this.addEventListener("change", (event) => this.#choose(event), { signal });
    addEventListener("pagehide", () => this.#camera.stop(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && this.#resume(), { signal });
    const look = () => (document.visibilityState === "hidden" ? this.#camera.stop() : this.#resume());
    document.addEventListener("visibilitychange", look, { signal });
    addEventListener("beforeunload", (event) => this.#hasUnsaved && event.preventDefault(), { signal });
    signal.addEventListener("abort", () => this.#camera.stop());
    hear(kind, ["changed", "sent"], ({ entry }) => this.#follow(entry), signal);
    if (this.dataset.id) this.#showPast(signal);
    this.#run(() => this.#camera.start());
  }

  #part(name) {
    return this.querySelector(`[data-${name}]`);
  }

  get #keptWords() {
    return this.#part("kept-words");
  }

  /**
   * Says what has become of the pair that waited. Those accepted before it go out first.
   *
   * @param {{state: string, error?: string}} entry
   */
  async #follow({ state, error }) {
    if (state === "failed") this.#keptWords.textContent = `Not saved: ${error}`;
    else if ((await pairsWaiting()).length === 0) this.#keptWords.textContent = "Sent. It is in your library.";
  }

  get #state() {
    return this.dataset.state;
  }

  set #state(state) {
    this.dataset.state = state;
    for (const part of this.querySelectorAll("[data-in]")) part.hidden = !part.dataset.in.split(" ").includes(state);
  }

  get #hasUnsaved() {
    return this.#state === "verdict" || this.#state === "saving";
  }

  async #showPast(signal) {
    try {
      ({ past: this.#past, verdict: this.#verdict } = await preparePast(this, signal));
      this.dataset.past = "ready";
    } catch (error) {
      this.#part("lost").hidden = false;
      if (!(error instanceof DOMException)) throw error;
    }
  }

  /**
   * Turns the camera on, or says why there is none.
   *
   * @param {() => Promise<void>} way
   */
  async #run(way) {
    this.#state = "starting";
    try {
      await way();
      if (this.#state === "starting") this.#state = "live";
    } catch (error) {
      if (this.#state !== "starting") return;
      this.#part("reason").textContent = error.message;
      this.#state = "none";
    }
  }

  /** Turns the camera on when the page is visible again, unless a picture is being reviewed. */
  #resume() {
    if (!this.#hasUnsaved && this.#state !== "kept") this.#again();
  }

  async #again() {
    this.#say("");
    this.#verdict?.clear();
    await this.#run(() => this.#camera.start());
  }

  async #click(event) {
    const button = event.target.closest("[data-do]");
    const action = button?.dataset.do;
    if (action) event.preventDefault();
    if (action === "close") returnTo(button.getAttribute("href"));
    if (action === "shoot") this.#shoot(button);
    if (action === "turn") await this.#run(() => this.#camera.turn());
    if (action === "again") await this.#again();
    if (action === "accept") this.#accept();
    if (action === "cancel") this.#verdict.cancel();
    // The button that had the focus was hidden meanwhile.
    if (action === "turn") button.focus();
    if (action === "again") this.#part("shutter")?.focus();
  }

  async #shoot(shutter) {
    const { width, height } = this.#past.frame;
    shutter.disabled = true;
    await this.#judge(await this.#camera.shoot(), "camera", within(width / height));
    shutter.disabled = false;
  }

  #choose({ target }) {
    const file = target.type === "file" && target.files[0];
    if (file && this.#verdict) this.#judge(file, "upload");
    if (file) target.value = "";
  }

  /** Shows a picture to accept or reject. */
  async #judge(file, kind, aspect) {
    try {
      await this.#verdict.show(file, kind, aspect);
      this.#camera.stop();
      this.#say("");
      this.#state = "verdict";
      this.#part("accept").focus();
    } catch (error) {
      this.#say(error.message);
    }
  }

  async #accept() {
    this.#say("");
    this.#state = "saving";
    try {
      const id = await this.#verdict.accept();
      this.#state = id ? "saved" : "kept";
      // Done then leads to the library, and not back to the camera.
      if (id) openCold(photoPage(id));
      else this.#keptWords.textContent = "Saved on this phone. It is sent when you are online.";
      if (!id) this.#part("onward").focus();
    } catch (error) {
      this.#state = "verdict";
      if (error.name !== "AbortError") this.#say(error.message);
      this.#part("accept").focus();
    }
  }

  #say(problem) {
    this.#part("problem").textContent = problem;
  }
}

customElements.define("then-and-now", ThenAndNow);
