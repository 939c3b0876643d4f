import { Enhancement } from "../web/enhancement.js";
import { flash } from "../web/flash-message.js";
import { uploadItem } from "./upload-item.js";
import { room, UploadQueue } from "./upload-queue.js";
import { kindOf, Upload } from "./upload.js";

/**
 * `<photo-upload data-purpose>` around `input[type=file]`s and a `[data-tray]`: files that are
 * chosen, dropped or pasted go to the server at once, each with its progress, Cancel and Retry.
 *
 * Fires `photo-uploaded` with `{ media, file }` as detail: the media attachment and the file that became it. Unless
 * somebody takes it (`preventDefault`), the page's `<endless-list>` shows it when all are done.
 */
class PhotoUpload extends Enhancement {
  #queue = new UploadQueue();
  /** Whether the page does not show yet what has been uploaded. */
  #hasNews = false;

  enhance(signal) {
    const choose = ({ target }) => {
      if (target.type !== "file") return;
      this.add(target.files, kindOf(target));
      target.value = "";
    };
    this.addEventListener("change", choose, { signal });
    // Files that were chosen before the scripts had come.
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

  /** Opens the sheet that it stands in when the address names that, once. */
  #openSheet() {
    const sheet = this.closest("[popover]");
    if (!sheet || location.hash !== `#${sheet.id}`) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    sheet.showPopover();
  }

  /** Whether files are on their way. */
  get isBusy() {
    return this.#queue.free < room;
  }

  /**
   * Sends files to the server, as many as there is room for.
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
      const upload = new Upload(file, this.dataset.purpose);
      upload.kind = kind;
      const item = uploadItem(file);
      this.querySelector("[data-tray]").append(item);
      this.#send(upload, item);
    }
  }

  /** Once nothing is on its way any more the page shows what came, unless that would hide a failure. */
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
    // The file itself is added like any other.
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
