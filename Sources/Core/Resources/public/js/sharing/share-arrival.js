import { arrivalFor, erase, update } from "../photos/arrivals.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { filePicture } from "../web/file-picture.js";
import { replaceScreen } from "../web/trail.js";
import { count } from "../web/words.js";
import { HandingOver } from "./handing-over.js";

/**
 * `<share-arrival>` around `[data-none]`, what is shown where nothing waits, and `[data-arrived]`: the photos that
 * another app has handed over, and a form for each destination that is offered (`PhotoArrival.swift`).
 */
class ShareArrival extends Enhancement {
  /** @type {import("../photos/arrivals.js").Arrival} */
  #arrival;
  /** @type {HandingOver | null} the uploads under way */
  #handing = null;

  async enhance(signal) {
    this.addEventListener("submit", (event) => this.#choose(event), { signal });
    this.addEventListener("click", ({ target }) => target.closest("[data-cancel]") && this.#cancel(), { signal });
    signal.addEventListener("abort", () => this.#handing?.cancel());
    const arrival = await arrivalFor(document.documentElement.dataset.account);
    if (!arrival || signal.aborted) return;
    this.#arrival = arrival;
    this.querySelector("[data-none]").remove();
    this.querySelector("[data-arrived]").hidden = false;
    this.#show();
    // The page was reloaded midway.
    const chosen = this.#forms.find((form) => arrival.destination === nameOf(form));
    if (chosen) this.#upload(chosen);
  }

  /** @returns {HTMLFormElement[]} */
  get #forms() {
    return [...this.querySelectorAll("[data-arrived] form")];
  }

  #show() {
    const { photos, text, notes } = this.#arrival;
    const pictures = photos.map(({ file }, index) => {
      const picture = file ? filePicture(file, `Photo ${index + 1}`) : element("span", { class: "done" }, "Uploaded");
      return element("li", {}, picture);
    });
    this.querySelector("[data-photos]").replaceChildren(...pictures);
    const quote = this.querySelector("[data-text]");
    quote.hidden = !text;
    quote.textContent = text;
    this.querySelector("[data-notes]").replaceChildren(...notes.map((note) => element("p", { class: "note" }, note)));
    for (const form of this.#forms) this.#offer(form);
  }

  /** Offers a destination, or says why it can't take these photos. */
  #offer(form) {
    const { length } = this.#arrival.photos;
    const { least, most, texts } = form.dataset;
    const takesText = texts === "alone" && length === 0 && Boolean(this.#arrival.text);
    let reason = "";
    if (length > Number(most)) reason = `For ${count(Number(most), "photo")} at a time`;
    else if (length < Number(least) && !takesText) reason = `Needs ${count(Number(least), "photo")}`;
    const button = form.querySelector("button");
    button.disabled = reason !== "";
    if (reason) form.querySelector("[data-about]").textContent = reason;
  }

  async #choose(event) {
    event.preventDefault();
    const form = event.target;
    // What is carried on is taken by the scripts of the next screen.
    if (form.dataset.way === "carried") location.assign(form.action);
    else await this.#upload(form);
  }

  /** Sends what isn't uploaded yet, each photo once however often the page is reloaded, and goes on with the ids. */
  async #upload(form) {
    this.#arrival.destination = nameOf(form);
    this.#setBusy(true);
    this.#handing = new HandingOver(this.#arrival);
    const bar = this.querySelector("progress");
    this.#handing.onprogress = (loaded) => (bar.value = loaded);
    try {
      const ids = await this.#handing.finish();
      form.append(...ids.map((value) => hidden(form.dataset.field, value)));
      await this.#leaveText(form);
      form.submit();
    } catch (error) {
      if (error.name === "AbortError") return;
      this.#arrival.destination = undefined;
      await update(this.#arrival);
      this.#setBusy(false);
      this.#show();
      this.#complain(error.message);
    }
  }

  /** Leaves the text to the next screen if that takes it along with the photos, and nothing otherwise. */
  async #leaveText(form) {
    if (!this.#arrival.text || !form.dataset.texts) return erase(this.#arrival);
    await update({ ...this.#arrival, photos: [], destination: undefined });
    form.append(hidden("shared", ""));
  }

  #setBusy(isBusy) {
    this.querySelector("[data-progress]").hidden = !isBusy;
    this.querySelector("[data-choices]").inert = isBusy;
    if (isBusy) this.#complain("");
  }

  #complain(sentence) {
    const note = this.querySelector("[role=alert]");
    note.textContent = sentence;
    note.hidden = !sentence;
  }

  /** Erases everything that came, and what has gone up only for this. */
  async #cancel() {
    this.#handing?.cancel();
    if (this.#arrival) await erase(this.#arrival);
    replaceScreen(this.querySelector("[data-cancel]").dataset.cancel);
  }
}

/** Returns an input that nobody sees, for a form. */
const hidden = (name, value) => element("input", { type: "hidden", name, value });

/** @param {HTMLFormElement} form */
const nameOf = (form) => new URL(form.action).pathname;

customElements.define("share-arrival", ShareArrival);
