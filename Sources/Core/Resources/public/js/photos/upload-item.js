import { element } from "../web/element.js";

/**
 * Makes the item that shows an upload: picture, progress, notice, and the buttons Retry, Cancel and, for a file that
 * the server refuses, Choose another.
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
  // A file that the browser can't draw (HEIC) has no thumbnail until the server has made one.
  const picture = item.querySelector("img");
  picture.onerror = () => picture.removeAttribute("src");
  return item;
}
