import { element } from "../web/element.js";
import { Enhancement } from "../web/enhancement.js";
import "./feed-picker.js";
import { PictureUpload } from "./picture-upload.js";

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
    const url = URL.createObjectURL(file);
    const picture = element("img", { class: "picture", src: url, alt: "The picture you chose" });
    // What the browser can't draw (HEIC) goes out all the same.
    picture.onerror = () => picture.remove();
    picker.querySelector("[type=file]").replaceWith(picture);
    picker.upload = new PictureUpload(file, picker.querySelector(".post"));
    this.querySelector("snap-camera").remove();
    document.body.className = "grouped pushed";
    this.querySelector("h1").focus();
  }
}

customElements.define("snap-composer", SnapComposer);
