import { Draft } from "../web/draft.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { clearErrors, showErrors } from "../web/form-errors.js";
import { problemsOf } from "./form-checks.js";

/** The fields that a draft keeps. */
const kept = [
  "promise", "rules[]", "ends", "end_date", "witness_id", "witness_name", "publish_to", "breach_text",
];

/**
 * `<contract-form data-draft>` around the form of a contract, whose steps are sections with links from each to the
 * next. It checks a step before it shows the next one, and all steps before it sends them. It uploads the stake at once
 * and shows it, sends the deadline in the browser's time zone, and keeps what is typed until the server has it. The
 * page of the contract then deletes the draft (contract-live.js).
 */
class ContractForm extends Enhancement {
  /** @type {Draft | null} */
  #draft = null;
  #form;

  enhance(signal) {
    this.#form = this.querySelector("form");
    if (this.dataset.draft) this.#draft = new Draft(this.dataset.draft);
    this.#restore();
    this.addEventListener("change", (event) => this.#choose(event.target), { signal });
    this.addEventListener("input", () => this.#keep(), { signal });
    this.addEventListener("photo-uploaded", (event) => this.#take(event), { signal });
    this.addEventListener("click", (event) => this.#goOn(event), { signal });
    this.#form.addEventListener("submit", (event) => this.#send(event), { signal });
    const zone = this.querySelector("[data-zone]");
    if (zone) zone.textContent = "In your time zone.";
    this.querySelector("[data-shown] [aria-invalid=true]")?.focus();
  }

  #restore() {
    const draft = this.#draft?.read();
    const { promise } = this.#form.elements;
    // After a mistake the server returns the form as it was sent, which is newer than the draft.
    if (!draft || promise.value) return;
    for (const name of kept) {
      const values = draft[name];
      if (!values) continue;
      this.#fields(name).forEach((field, index) => {
        const isChosen = values.includes(field.value);
        if (field.type === "checkbox") field.checked = isChosen;
        // What was chosen may no longer be offered. The form's own choice then stays.
        else if (field.type === "radio") field.checked ||= isChosen;
        else field.value = values[index] ?? field.value;
      });
    }
    promise.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }

  #fields(name) {
    return this.#form.querySelectorAll(`[name="${name}"]`);
  }

  #keep() {
    if (!this.#draft) return;
    const form = new FormData(this.#form);
    this.#draft.keep(Object.fromEntries(kept.map((name) => [name, form.getAll(name)])));
  }

  #send(event) {
    if (this.querySelector("photo-upload").isBusy) {
      event.preventDefault();
      return flash("Your photo is still being uploaded. Send this when the upload is done.", "error");
    }
    const wrong = this.#steps.find((step) => !this.#isFilledIn(step));
    if (wrong) {
      event.preventDefault();
      // A step has to be shown before its errors can get the focus.
      location.hash = wrong.id;
      this.#check(wrong);
      return;
    }
    const { ends_at: end, end_date: date } = this.#form.elements;
    if (end && date.value) end.value = new Date(date.value).toISOString();
    this.#keep();
  }

  /** Shows the chosen photo of the library as the stake, in place of an uploaded one. */
  #choose(field) {
    if (field.name === "end_date") {
      this.#form.querySelector("[name=ends][value=date]").checked = true;
      this.#keep();
    }
    if (field.name !== "stake_photo_id") return;
    this.#form.elements.stake_media_id.value = "";
    clearErrors(field.closest("section"));
    this.#showStake(null);
  }

  #take(event) {
    event.preventDefault();
    const { media, file } = event.detail;
    this.#form.elements.stake_media_id.value = media.id;
    for (const choice of this.#fields("stake_photo_id")) choice.checked = false;
    clearErrors(event.target.closest("section"));
    this.#showStake(file);
  }

  /**
   * Shows the uploaded file that is the stake.
   *
   * @param {File | null} file null for a photo of the library, which is marked there
   */
  #showStake(file) {
    const place = this.querySelector("[data-stake]");
    URL.revokeObjectURL(place.querySelector("img")?.src);
    place.hidden = !file;
    if (!file) return place.replaceChildren();
    const picture = element("img", { src: URL.createObjectURL(file), alt: "" });
    const note = element("p", {}, "Your photo is uploaded. Only the two of you can see it.");
    place.replaceChildren(picture, note);
  }

  /** Keeps a step on the screen until it is filled in. */
  #goOn(event) {
    const step = event.target.closest("[data-next]")?.closest("section");
    if (!step) return;
    if (step.contains(this.querySelector("photo-upload")) && this.querySelector("photo-upload").isBusy) {
      event.preventDefault();
      return flash("Your photo is still being uploaded.", "error");
    }
    if (!this.#check(step)) event.preventDefault();
  }

  get #steps() {
    return [...this.querySelectorAll(".contract-step")];
  }

  #isFilledIn(step) {
    return Object.keys(problemsOf(step, this.#form)).length === 0;
  }

  /**
   * Says beside the fields of a step what is missing.
   *
   * @returns {boolean} whether nothing is
   */
  #check(step) {
    clearErrors(step);
    if (this.#isFilledIn(step)) return true;
    showErrors(step, { details: problemsOf(step, this.#form) });
    step.querySelector(".error:not([hidden])")?.scrollIntoView({ block: "nearest" });
    return false;
  }
}

customElements.define("contract-form", ContractForm);
