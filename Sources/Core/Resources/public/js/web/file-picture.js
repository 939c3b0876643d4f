import { element } from "./element.js";

/**
 * Makes a picture of a file on this device. A file that the browser can't draw (HEIC) shows its alternative text.
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
