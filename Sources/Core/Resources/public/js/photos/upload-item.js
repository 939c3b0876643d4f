import { element } from "../web/element.js";

/**
 * What shows one file on its way to the server: picture, progress, notice, and what can be done: Retry, Cancel, and
 * another file in place of one that the server refuses.
 *
 * @param {File} file
 */
export function uploadItem(file) {
  const another = element("input", { class: "unseen", type: "file", accept: "image/*" });
  const item = element(
    "li",
    { class: "upload" },
    element("img", { src: URL.createObjectURL(file), alt: file.name }),
    element("progress", { max: 1, value: 0, "aria-label": `Uploading ${file.name}` }),
    element("p", { role: "alert" }),
    element("button", { type: "button", name: "retry", hidden: true }, "Retry"),
    element("button", { type: "button", name: "cancel" }, "Cancel"),
    element("label", { hidden: true }, "Choose another", another),
  );
  // What the browser can't draw (HEIC) has no thumbnail until the server has made one.
  const picture = item.querySelector("img");
  picture.onerror = () => picture.removeAttribute("src");
  return item;
}
