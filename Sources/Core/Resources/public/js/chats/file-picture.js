import { element } from "../web/element.js";

/**
 * A file of this device as a picture. What the browser can't draw (HEIC) shows its words alone.
 *
 * @param {File} file
 * @param {string} alt
 * @returns {HTMLImageElement}
 */
export function filePicture(file, alt) {
  const picture = element("img", { src: URL.createObjectURL(file), alt });
  const forget = () => URL.revokeObjectURL(picture.src);
  picture.onload = forget;
  picture.onerror = () => {
    forget();
    picture.removeAttribute("src");
  };
  return picture;
}
