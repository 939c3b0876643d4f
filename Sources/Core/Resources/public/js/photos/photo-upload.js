import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { uploadItem } from "./upload-item.js";
import { room, UploadQueue } from "./upload-queue.js";
import { kindOf, Upload } from "./upload.js";

/**
 * `<photo-upload data-purpose>` around `input[type=file]`s and a `[data-tray]`: uploads files that are chosen, dropped
 * or pasted at once, and shows for each one its progress, Cancel and Retry.
 *
 * Fires `photo-chosen` with `{ file, kind }` before that, which goes nowhere when somebody takes it (`preventDefault`), and
 * then `photo-uploaded` with `{ media, file }` as detail: the media attachment and the file that became it. Unless
 * somebody takes it (`preventDefault`), the page's `<endless-list>` shows it when all are done.
 */
class PhotoUpload extends Enhancement {
  #queue = new UploadQueue();
  /** Whether photos have been uploaded that the page doesn't show yet. */
  #hasNews = false;

  enhance(signal) {
    const choose = ({ target }) => {
      if (target.type !== "file") return;
      this.add(target.files, kindOf(target));
      target.value = "";
    };
    this.addEventListener("change", choose, { signal });
    // Files may have been chosen before the scripts were loaded.
    for (const target of this.querySelectorAll("input[type=file]")) choose({ target });
    this.addEventListener("submit", (event) => event.preventDefault(), { signal });
    const area = this.closest("main") ?? this;
    const hover = (event) => {
      const brings = event.dataTransfer?.types.includes("Files");
      if (brings) event.preventDefault();
      this.toggleAttribute("data-dropping", brings && event.type !== "dragleave");
    };
    const drop = (event) => {
      this.removeAttribute("data-dropping");
      if (event.dataTransfer.files.length === 0) return;
      event.preventDefault();
      this.add(event.dataTransfer.files);
    };
    area.addEventListener("dragover", hover, { signal });
    area.addEventListener("dragleave", hover, { signal });
    area.addEventListener("drop", drop, { signal });
    document.addEventListener("paste", (event) => this.#paste(event), { signal });
    addEventListener("beforeunload", (event) => this.isBusy && event.preventDefault(), { signal });
    signal.addEventListener("abort", () => this.#queue.cancelAll());
    this.#openSheet();
  }

  /** Opens the sheet around this element, once, if the address of the page names it. */
  #openSheet() {
    const sheet = this.closest("[popover]");
    if (!sheet || location.hash !== `#${sheet.id}`) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    sheet.showPopover();
  }

  /** Whether files are being uploaded. */
  get isBusy() {
    return this.#queue.free < room;
  }

  /**
   * Begins to upload files, as many as there is room for.
   *
   * @param {Iterable<File>} files
   * @param {Upload["kind"]} [kind]
   */
  add(files, kind = "upload") {
    const all = [...files];
    const taken = all.slice(0, this.#queue.free);
    if (taken.length < all.length) {
      const rest = all.length - taken.length;
      flash(`At most ${room} photos at a time. Choose the other ${rest} when these are done.`, "error");
    }
    for (const file of taken) {
      const choice = new CustomEvent("photo-chosen", { bubbles: true, cancelable: true, detail: { file, kind } });
      if (!this.dispatchEvent(choice)) continue;
      const upload = new Upload(file, this.dataset.purpose);
      upload.kind = kind;
      const item = uploadItem(file);
      this.querySelector("[data-tray]").append(item);
      this.#send(upload, item);
    }
  }

  /** Shows the uploaded photos once no upload is running, unless that would hide a failed one. */
  #showNews() {
    if (!this.#hasNews || this.isBusy || this.querySelector("[data-tray] > .failed")) return;
    this.#hasNews = false;
    const list = document.querySelector("endless-list");
    if (list) list.refresh().catch((error) => flash(error.message, "error"));
    else location.reload();
  }

  #paste(event) {
    const images = [...event.clipboardData.files].filter((file) => file.type.startsWith("image/"));
    if (images.length === 0) return;
    event.preventDefault();
    this.add(images);
  }

  async #send(upload, item) {
    const [picture, bar, notice, retry, cancel, another] = item.children;
    const remove = () => {
      upload.cancel();
      URL.revokeObjectURL(picture.src);
      item.remove();
    };
    // The new file is added like any other, so only the refused one has to be removed.
    another.onchange = ({ target }) => target.files[0] && remove();
    item.classList.remove("failed");
    notice.textContent = "";
    retry.hidden = true;
    another.hidden = true;
    bar.hidden = false;
    upload.onprogress = (loaded) => (bar.value = loaded);
    cancel.onclick = () => {
      remove();
      this.#showNews();
    };
    try {
      const media = await this.#queue.add(upload);
      remove();
      const news = { bubbles: true, cancelable: true, detail: { media, file: upload.file } };
      const isTaken = !this.dispatchEvent(new CustomEvent("photo-uploaded", news));
      this.#hasNews ||= !isTaken;
    } catch (error) {
      if (error.name === "AbortError") return;
      item.classList.add("failed");
      notice.textContent = error.message;
      bar.hidden = true;
      retry.hidden = error.isFinal;
      another.hidden = !error.isFinal;
      retry.onclick = () => this.#send(upload, item);
    } finally {
      this.#showNews();
    }
  }
}

customElements.define("photo-upload", PhotoUpload);
