import { Upload } from "../photos/upload.js";
import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import "./feed-picker.js";

/**
 * `<snap-composer>` around a `<snap-camera>` and a `<feed-picker>`: the picture that one takes goes
 * on its way to the server, for one use, while the feed is chosen in the other. The page keeps it in
 * memory only.
 */
class SnapComposer extends Enhancement {
  enhance(signal) {
    const camera = this.querySelector("snap-camera");
    camera.hidden = false;
    this.addEventListener("picture-taken", ({ detail: file }) => this.#choose(file), { signal });
  }

  #choose(file) {
    const picker = this.querySelector("feed-picker");
    const form = picker.querySelector("form");
    const url = URL.createObjectURL(file);
    const picture = element("img", { class: "picture", src: url, alt: "The picture you chose" });
    // What the browser can't draw (HEIC) goes out all the same.
    picture.onerror = () => picture.remove();
    form.querySelector("[type=file]").replaceWith(picture);
    picker.media = this.#send(new Upload(file, "snap"), form);
    this.querySelector("snap-camera").remove();
    document.body.className = "grouped pushed";
    this.querySelector("h1").focus();
  }

  /** Sends at once. Post waits for it, says what went wrong, and tries again when it is pressed again. */
  #send(upload, form) {
    let sending = this.#upload(upload, form);
    sending.catch(() => {}); // told by Post
    return async () => {
      try {
        return await sending;
      } catch (error) {
        sending = this.#upload(upload, form);
        sending.catch(() => {}); // told by the next Post
        throw error;
      }
    };
  }

  /** @returns {Promise<string>} the id of the upload */
  async #upload(upload, form) {
    const bar = element("progress", { max: 1, value: 0, "aria-label": "Uploading the picture" });
    upload.onprogress = (loaded) => (bar.value = loaded);
    form.querySelector(".post").prepend(bar);
    try {
      return (await upload.send()).id;
    } finally {
      bar.remove();
    }
  }
}

customElements.define("snap-composer", SnapComposer);
