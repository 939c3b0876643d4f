import { newKey, request } from "../web/api.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import { returnTo } from "../web/trail.js";

/**
 * `<feed-picker>` around the form of a new snap: shows which feed is chosen, disables Post until there is one, posts
 * the snap, reports that, and goes back to the grid.
 *
 * Its `upload` is a picture that is being sent to the server.
 */
export class FeedPicker extends Enhancement {
  /** @type {import("./picture-upload.js").PictureUpload | null} */
  #upload = null;
  #key = newKey();

  enhance(signal) {
    const form = this.querySelector("form");
    form.addEventListener("change", () => this.#show(), { signal });
    form.addEventListener("submit", (event) => this.#submit(event), { signal });
    this.#show();
  }

  /** The picture that is being uploaded. Another picture makes another snap. */
  set upload(upload) {
    this.#upload?.drop();
    this.#upload = upload;
    this.#key = newKey();
  }

  get #form() {
    return this.querySelector("form");
  }

  /** The chosen feed: its id and name; null before one is chosen. */
  get #feed() {
    const radio = this.#form.querySelector("[name=feed_id]:checked");
    return radio && { id: radio.value, title: radio.nextElementSibling.textContent };
  }

  #show() {
    const feed = this.#feed;
    const choice = this.querySelector("[data-choice]");
    if (feed) choice.replaceChildren("Goes to ", element("output", {}, feed.title), ". Each friend sees it once.");
    this.#form.querySelector(".post > .button").disabled = !feed;
  }

  async #submit(event) {
    event.preventDefault();
    const button = this.#form.querySelector(".post > .button");
    const problem = this.#form.querySelector(".error");
    const { id, title } = this.#feed;
    button.disabled = true;
    problem.hidden = true;
    try {
      await request("POST", "/api/v1/snaps", { ...(await this.#picture()), feed_id: id }, { key: this.#key });
      await this.#confirm(title);
      returnTo("/snaps/new");
    } catch (error) {
      if (error.status > 0 && error.status < 500) this.#key = newKey();
      button.disabled = false;
      // The person has cancelled the upload, and needs no message.
      if (error.name === "AbortError") return button.focus();
      // It is never kept on the device, so it can't wait there.
      problem.textContent = error.status === 0 ? "Snaps need a network. Post it again when you are online." : error.message;
      problem.hidden = false;
    }
  }

  async #picture() {
    if (this.#upload) {
      return { media_id: await this.#upload.id(), description: this.#form.elements.description.value };
    }
    const chosen = this.#form.querySelector("[name=photo_id], [name=sample_id]");
    return { [chosen.name]: chosen.value };
  }

  /** Shows an alert, as on a phone. */
  async #confirm(title) {
    const dialog = element(
      "dialog",
      { class: "sheet", role: "alertdialog", "aria-label": `Snap posted to ${title}` },
      element("h2", {}, `Snap posted to ${title}`),
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

customElements.define("feed-picker", FeedPicker);
