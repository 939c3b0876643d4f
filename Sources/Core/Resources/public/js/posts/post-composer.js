import { addToLibrary, edit, editLibraryPhoto } from "../editing/library-photo.js";
import { picture } from "../photos/paths.js";
import { newKey, request } from "../web/api.js";
import { Draft } from "../web/draft.js";
import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { clearErrors, showErrors } from "../web/form-errors.js";
import { Template } from "../web/template.js";
import { replaceScreen } from "../web/trail.js";
import { PhotoChoice } from "./photo-choice.js";
import { PhotoOrder } from "./photo-order.js";
import { letPostWait } from "./waiting-posts.js";

/** Photos of one post at most. */
const most = 10;

/** The fields of the form by their names in the API. */
const fields = { status: "caption", media_ids: "photos", spoiler_text: "warning" };

/**
 * `<post-composer>` around the form of a new post: photos chosen in the `.picker` or uploaded,
 * ordered and described in `[data-chosen]`; caption, language, cover, audience, and whether they are found by their
 * place. Until the server has the post, all of it is kept as a draft. Without a network the post waits in the outbox, with
 * the files that were chosen meanwhile.
 */
class PostComposer extends Enhancement {
  #draft = new Draft("post");
  #key = newKey();
  /** Whether a try got no answer: then the post may exist already. */
  #mayExist = false;
  /**
   * Descriptions as the server has them.
   *
   * @type {Map<string, string>}
   */
  #known = new Map();
  /**
   * Files that were chosen without a network, by the ids that they have here.
   *
   * @type {Map<string, File>}
   */
  #files = new Map();
  #form;
  /** @type {PhotoChoice} */
  #choice;
  /** @type {PhotoOrder} */
  #order;
  /** Erases what another app has handed over, once it is posted. */
  #onposted = async () => {};

  enhance(signal) {
    this.#form = this.querySelector("form");
    this.#choice = new PhotoChoice(this.querySelector(".picker"), Template.in(this, "choice"));
    const list = this.querySelector("[data-chosen]");
    this.#order = new PhotoOrder(list, Template.in(this, "chosen"), signal, {
      changed: () => this.#changed(),
      edit: (photo) => this.#edit(photo),
    });
    this.#order.photos.forEach(({ id, description }) => this.#known.set(id, description));
    this.#restore();
    if (new URLSearchParams(location.search).has("shared")) this.#takeWords();
    this.addEventListener("change", (event) => this.#choose(event.target), { signal });
    this.addEventListener("input", () => this.#keep(), { signal });
    this.addEventListener("photo-uploaded", (event) => this.#take(event), { signal });
    this.addEventListener("photo-chosen", (event) => !navigator.onLine && this.#takeFile(event), { signal });
    this.addEventListener("submit", (event) => this.#submit(event), { signal });
  }

  #restore() {
    const draft = this.#draft.read();
    const { caption, language, covered, warning, audience, findable } = this.#form.elements;
    // What the server gave back after a mistake is newer than the draft.
    if (!draft || caption.value || this.#order.photos.length > 0) return;
    this.#key = draft.key;
    this.#mayExist = draft.mayExist;
    caption.value = draft.caption;
    if ([...language.options].some(({ value }) => value === draft.language)) language.value = draft.language;
    covered.checked = draft.covered;
    warning.value = draft.warning;
    audience.value = draft.audience;
    findable.checked = draft.findable;
    draft.photos.forEach(({ id, description }) => this.#add({ id, src: picture(id, "square"), description }, null));
    caption.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }

  /** Begins the caption with what came with the photos of another app. */
  async #takeWords() {
    const { arrivalFor, erase } = await import("../photos/arrivals.js");
    const arrival = await arrivalFor(document.documentElement.dataset.account);
    if (!arrival) return;
    this.#onposted = () => erase(arrival);
    const { caption } = this.#form.elements;
    if (caption.value) return;
    caption.value = arrival.text;
    caption.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }

  #choose(box) {
    if (box.name !== "photo") return;
    if (box.checked) this.#add(this.#choice.photo(box));
    else this.#order.remove(box.value);
  }

  #take(event) {
    event.preventDefault();
    this.#add(uploaded(event.detail.media));
  }

  #takeFile(event) {
    event.preventDefault();
    this.#add(this.#hold(event.detail.file));
  }

  /**
   * Holds a file until the post goes out.
   *
   * @param {File} file
   * @returns {import("./photo-order.js").ChosenPhoto}
   */
  #hold(file) {
    const id = `file-${newKey()}`;
    this.#files.set(id, file);
    return { id, src: URL.createObjectURL(file), description: "" };
  }

  /**
   * Puts an edited photo in the place of the one that it was made of, which stays among the photos to choose from.
   *
   * @param {import("./photo-order.js").ChosenPhoto} photo
   */
  async #edit({ id, description }) {
    const file = this.#files.get(id);
    const edited = file ? await edit(file, file.name) : (await editLibraryPhoto(id))?.file;
    if (!edited) return;
    const isHeld = file || !navigator.onLine;
    const media = isHeld ? null : await addToLibrary(edited, description);
    if (!isHeld && !media) return;
    const photo = media ? uploaded(media) : this.#hold(edited);
    this.#choice.offer(photo);
    this.#known.set(photo.id, photo.description);
    this.#order.replace(id, photo);
  }

  /** @param {string | null} known the description as the server has it, null when unsure */
  #add(photo, known = photo.description) {
    this.#choice.offer(photo);
    const isFull = this.#order.photos.length === most;
    if (isFull) flash(`A post can have at most ${most} photos. Remove one to add another.`, "error");
    else this.#order.add(photo);
    this.#known.set(photo.id, known);
    this.#changed();
  }

  #changed() {
    const ids = this.#order.photos.map((photo) => photo.id);
    this.#choice.show(ids);
    this.querySelector("[data-chosen-count]").textContent = `${ids.length} of ${most}`;
    this.#keep();
  }

  #keep() {
    const { caption, language, covered, warning, audience, findable } = this.#form.elements;
    this.#draft.keep({
      key: this.#key,
      mayExist: this.#mayExist,
      // Files last as long as the page, until they are in the outbox.
      photos: this.#order.photos.filter(({ id }) => !this.#files.has(id)),
      caption: caption.value,
      language: language.value,
      covered: covered.checked,
      warning: warning.value,
      audience: audience.value,
      findable: findable.checked,
    });
  }

  async #submit(event) {
    event.preventDefault();
    clearErrors(this.#form);
    const button = this.#form.querySelector("header .button");
    button.disabled = true;
    try {
      await (this.#order.photos.some(({ id }) => this.#files.has(id)) ? this.#letWait() : this.#sendOrWait());
      this.#draft.clear();
      await this.#onposted();
      replaceScreen("/home");
    } catch (error) {
      this.#mayExist = error.status === 0 || error.status >= 500;
      if (!this.#mayExist) this.#key = newKey();
      this.#keep();
      showErrors(this.#form, error, fields);
      button.disabled = false;
    }
  }

  async #sendOrWait() {
    try {
      await this.#send();
    } catch (error) {
      if (error.status !== 0) throw error;
      await this.#letWait();
    }
  }

  /** Lets the post wait for a network, in the outbox. */
  async #letWait() {
    const photos = this.#order.photos.map(({ id, description }) => {
      return { id, description, file: this.#files.get(id), isKnown: this.#known.get(id) === description };
    });
    await letPostWait(photos, { key: this.#key, content: this.#content, mayExist: this.#mayExist });
  }

  get #content() {
    const { caption, language, covered, warning, audience, findable } = this.#form.elements;
    return {
      status: caption.value,
      language: language.value,
      sensitive: covered.checked,
      spoiler_text: covered.checked ? warning.value : "",
      media_ids: this.#order.photos.map((photo) => photo.id),
      visibility: audience.value,
      findable: findable.checked,
    };
  }

  async #send() {
    const { photos } = this.#order;
    for (const { id, description } of photos) {
      if (this.#known.get(id) === description) continue;
      await request("PUT", `/api/v1/media/${id}`, { description });
      this.#known.set(id, description);
    }
    const content = this.#content;
    const post = await request("POST", "/api/v1/statuses", content, { key: this.#key });
    // The server answers the same key with the first post, which then gets the changes made since.
    if (this.#mayExist) await request("PUT", `/api/v1/statuses/${post.id}`, content);
  }
}

/** @returns {import("./photo-order.js").ChosenPhoto} a photo that the server has just got */
const uploaded = ({ id, description }) => ({ id, src: picture(id, "square"), description: description ?? "" });

customElements.define("post-composer", PostComposer);
