import { editsPhotos } from "../editing/availability.js";
import { edit, editLibraryPhoto, editPicture } from "../editing/library-photo.js";
import { newKey, request } from "../web/api.js";
import { recall, remember } from "../web/browser-memory.js";
import { element, icon } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { returnTo } from "../web/trail.js";
import { PictureUpload } from "./picture-upload.js";

/**
 * `<feed-picker>` around the form of a new snap: shows which feed, friends and groups are chosen, disables Post until
 * there is one, posts and sends the snap, reports that, and goes back to the grid. A picture of the server can be edited
 * first. The page keeps the edited one in memory only: it warns when that would be lost, and says when it is gone.
 */
export class FeedPicker extends Enhancement {
  /** @type {PictureUpload | null} the picture of this device that is being sent to the server */
  #upload = null;
  /** @type {{file: File, description: string} | null} */
  #edited = null;
  /** Whether an edited picture would be lost with the page. */
  #isUnsent = false;
  /** The name under which this browser tab notes that the picture of the server was edited. */
  #note = "";
  #key = newKey();
  /** @type {string | null} the feed that was chosen last */
  #pressed = null;
  #isSending = false;

  enhance(signal) {
    const form = this.querySelector("form");
    form.addEventListener("change", () => this.#show(), { signal });
    form.addEventListener("click", (event) => this.#takeBack(event), { signal });
    form.addEventListener("submit", (event) => this.#submit(event), { signal });
    addEventListener("beforeunload", (event) => this.#isUnsent && event.preventDefault(), { signal });
    this.#pressed = this.#feed?.id ?? null;
    if (editsPhotos && this.#chosen) this.#offerEditing(signal);
    this.#show();
  }

  /**
   * Takes a picture of this device in place of the one before. Another picture makes another snap.
   *
   * @param {File} file
   * @param {[key?: string, onsent?: () => Promise<void>]} upload of its upload, when an earlier page has begun it
   */
  take(file, ...upload) {
    const picture = element("img", { class: "picture", src: URL.createObjectURL(file), alt: "The picture you chose" });
    // A picture that the browser can't draw (HEIC) can still be posted.
    picture.onerror = () => picture.remove();
    this.#form.querySelector("[type=file], .picture")?.remove();
    this.#chosen?.remove();
    this.#form.prepend(picture);
    this.#upload?.drop();
    this.#upload = new PictureUpload(file, this.querySelector(".post"), ...upload);
    this.#key = newKey();
  }

  #offerEditing(signal) {
    const button = element("button", { class: "button", type: "button" }, icon("sliders"), "Edit");
    button.addEventListener("click", () => this.#edit(), { signal });
    this.#form.querySelector(".picture").after(button);
    this.#note = `edited:${this.#chosen.value}`;
    if (!recall(this.#note)) return;
    button.after(element("p", { class: "lost", role: "alert" }, "Your edited picture is gone. Edit it again."));
  }

  /** Lets the person edit the picture, which then is one of this device: it is uploaded for this snap alone. */
  async #edit() {
    const edited = await this.#editChosen();
    if (!edited?.file) return;
    this.#edited = edited;
    this.#isUnsent = true;
    this.#form.querySelector(".lost")?.remove();
    remember(this.#note, true);
    this.take(edited.file);
  }

  async #editChosen() {
    const chosen = this.#chosen;
    if (!chosen) return { ...this.#edited, file: await edit(this.#edited.file) };
    if (chosen.name === "photo_id") return editLibraryPhoto(chosen.value);
    const { alt, src } = /** @type {HTMLImageElement} */ (this.#form.querySelector(".picture"));
    return { file: await editPicture(src), description: alt };
  }

  /** The field with the id of a picture of the server. */
  get #chosen() {
    return this.#form.querySelector("[name=photo_id], [name=sample_id]");
  }

  get #form() {
    return this.querySelector("form");
  }

  /** The chosen feed: its id and name; null before one is chosen. */
  get #feed() {
    const radio = this.#form.querySelector("[name=feed_id]:checked");
    return radio && { id: radio.value, title: radio.nextElementSibling.textContent };
  }

  /** The chosen friends and groups. */
  get #receivers() {
    const chosen = this.#form.querySelectorAll(".friends :checked");
    return [...chosen].map((box) => ({ field: box.name, id: box.value, title: box.parentElement.lastElementChild.textContent }));
  }

  #show() {
    const titles = [this.#feed, ...this.#receivers].flatMap((chosen) => chosen?.title ?? []);
    const choice = this.querySelector("[data-choice]");
    const words = titles.length > 1 ? "Each friend sees it once in each." : "Each friend sees it once.";
    const goal = element("output", {}, inWords(titles));
    choice.replaceChildren(...(titles.length > 0 ? ["Goes to ", goal, `. ${words}`] : [words]));
    const button = this.#button;
    button.disabled = titles.length === 0 || this.#isSending;
    button.textContent = this.#feed || titles.length === 0 ? "Post" : "Send";
  }

  get #button() {
    return this.#form.querySelector(".post > .button");
  }

  /** Takes the choice of a feed back when it is pressed once more: a snap may go to friends and groups only. */
  #takeBack({ target }) {
    if (target.name !== "feed_id") return;
    const isAgain = this.#pressed === target.value;
    if (isAgain && this.#form.querySelector(".friends")) target.checked = false;
    this.#pressed = target.checked ? target.value : null;
    this.#show();
  }

  async #submit(event) {
    event.preventDefault();
    const button = this.#button;
    const problem = this.#form.querySelector(".error");
    this.#isSending = true;
    this.#show();
    problem.hidden = true;
    try {
      const words = await this.#send();
      this.#key = newKey();
      this.#isUnsent = false;
      if (this.#note) remember(this.#note, null);
      await this.#confirm(words);
      this.#isSending = false;
      returnTo("/snaps/new");
    } catch (error) {
      // Some may have received it before the error: with the same key only the others will.
      if (error.status === 410) this.#key = newKey();
      this.#isSending = false;
      this.#show();
      // The person has cancelled the upload, and needs no message.
      if (error.name === "AbortError") return button.focus();
      // It is never kept on the device, so it can't wait there.
      problem.textContent = error.status === 0 ? "Snaps need a network. Post it again when you are online." : error.message;
      problem.hidden = false;
    }
  }

  /** Sends the snap. Returns what has happened, in words. */
  async #send() {
    const [feed, receivers] = [this.#feed, this.#receivers];
    const snap = { ...(await this.#picture()), ...(feed && { feed_id: feed.id }) };
    const posted = feed ? `posted to ${feed.title}` : "";
    if (receivers.length === 0) {
      await request("POST", "/api/v1/snaps", snap, { key: this.#key });
      return `Snap ${posted}`;
    }
    const ids = (name) => receivers.filter(({ field }) => field === name).map(({ id }) => id);
    const to = { account_ids: ids("to"), chat_ids: ids("chat") };
    await request("POST", "/api/v1/snaps/send", { ...snap, ...to }, { key: this.#key });
    const sent = `sent to ${inWords(receivers.map(({ title }) => title))}`;
    return `Snap ${[posted, sent].filter(Boolean).join(" and ")}`;
  }

  async #picture() {
    if (!this.#upload) return { [this.#chosen.name]: this.#chosen.value };
    const description = this.#edited?.description ?? this.#form.elements.description.value;
    return { media_id: await this.#upload.id(), description };
  }

  /** Shows an alert, as on a phone. */
  async #confirm(words) {
    const dialog = element(
      "dialog",
      { class: "sheet", role: "alertdialog", "aria-label": words },
      element("h2", {}, words),
      element("p", {}, "Each friend sees it once. Nothing on the web can prevent a screenshot."),
      element(
        "form",
        { method: "dialog", class: "form" },
        element("button", { class: "button primary", autofocus: true }, "OK"),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  }
}

/**
 * Returns names in words: two of them, or the first and how many others.
 *
 * @param {string[]} names
 */
function inWords([first, second, ...others]) {
  if (!second) return first ?? "";
  return `${first} and ${others.length > 0 ? `${others.length + 1} others` : second}`;
}

customElements.define("feed-picker", FeedPicker);
