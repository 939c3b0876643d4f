import { loadStyle } from "../web/style.js";
import { decode } from "./decoding.js";
import { PhotoEditor } from "./photo-editor.js";

/** The longest side of the copy that is worked on, in pixels: as sharp as a phone's screen, and quick to draw. */
const longest = 1600;

/**
 * What the pictures that were made here were made of, and how, so that they can be edited further.
 *
 * @type {WeakMap<Blob, {source: Blob, edit: import("./edit.js").Edit}>}
 */
const origins = new WeakMap();

/**
 * Lets the person edit a photo, in a window over the page. Nothing leaves the device. A picture that was
 * made here opens as it was left: the photo it was made of, with all that was done to it.
 *
 * @param {Blob} photo
 * @param {{name?: string}} [options] the name of the file that is made; its ending is replaced
 * @returns {Promise<File | null>} the edited picture, a JPEG; null when the person changed nothing or cancelled
 * @throws {Error} with a message to show, when this browser can't draw the photo
 */
export async function editPhoto(photo, options = {}) {
  const { name = "photo" } = options;
  const { source, edit } = origins.get(photo) ?? { source: photo, edit: null };
  const preview = await decode(source, longest);
  try {
    await Promise.all([loadStyle("controls"), loadStyle("editing")]);
    const editor = new PhotoEditor(source, preview, edit);
    const picture = await editor.run();
    if (!picture) return null;
    const file = new File([picture], `${name.replace(/\.\w{2,5}$/, "")}.jpg`, { type: picture.type });
    origins.set(file, { source, edit: editor.edit });
    return file;
  } finally {
    preview.close();
  }
}
