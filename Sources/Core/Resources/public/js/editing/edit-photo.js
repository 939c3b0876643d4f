import { loadStyle } from "../web/style.js";
import { decode } from "./decoding.js";
import { PhotoEditor } from "./photo-editor.js";

/** The longest side of the copy that is worked on, in pixels: as sharp as a phone's screen, and quick to draw. */
const longest = 1600;

/**
 * Lets the person edit a photo, in a window over the page. Nothing leaves the device.
 *
 * @param {Blob} photo
 * @param {{name?: string}} [options] the name of the file that is made; its ending is replaced
 * @returns {Promise<File | null>} the edited picture, a JPEG; null when the person changed nothing or cancelled
 * @throws {Error} with a message to show, when this browser can't draw the photo
 */
export async function editPhoto(photo, options = {}) {
  const { name = "photo" } = options;
  const preview = await decode(photo, longest);
  try {
    await Promise.all([loadStyle("controls"), loadStyle("editing")]);
    const picture = await new PhotoEditor(photo, preview).run();
    return picture && new File([picture], `${name.replace(/\.\w{2,5}$/, "")}.jpg`, { type: picture.type });
  } finally {
    preview.close();
  }
}
