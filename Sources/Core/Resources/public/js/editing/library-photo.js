import { sendFile } from "../photos/upload.js";
import { download, newKey, request } from "../web/api.js";
import { flash } from "../web/flash-message.js";
import { ask } from "../web/question.js";
import { showProgress } from "./progress-sheet.js";

/**
 * Lets the person edit a picture. Shows a message when that isn't possible.
 *
 * @param {Blob} photo
 * @param {string} [name] of the file
 * @returns {Promise<File | null>} the edited picture; null when nothing was changed
 */
export async function edit(photo, name) {
  let editor;
  try {
    editor = await import("./edit-photo.js");
  } catch {
    // The browser's own message names an address.
    flash("The editor couldn’t be loaded. Check the network and try again.", "error");
    return null;
  }
  try {
    return await editor.editPhoto(photo, { name });
  } catch (error) {
    flash(error.message, "error");
    return null;
  }
}

/**
 * Lets the person edit a picture of the server.
 *
 * @param {string} path
 * @returns {Promise<File | null>} the edited picture; null when nothing was changed
 */
export async function editPicture(path) {
  const photo = await showProgress("Loading the picture", (signal) => download(path, signal));
  return photo && edit(photo);
}

/**
 * Lets the person edit a photo of their library, from its original if the browser can draw that.
 *
 * @param {string} id
 * @returns {Promise<{file: File, description: string} | null>} the edited photo, and what it is a photo of; null when
 *   nothing was changed
 */
export async function editLibraryPhoto(id) {
  const loaded = await showProgress("Loading the photo", (signal) => load(id, signal));
  const file = loaded && (await edit(loaded.photo));
  return file && { file, description: loaded.description };
}

/**
 * Adds an edited photo to the person's library, and shows how far its upload is.
 *
 * @param {File} file
 * @param {string} description
 * @returns {Promise<object | null>} the media attachment; null when the person cancelled it and discarded the photo
 */
export async function addToLibrary(file, description) {
  const how = { purpose: "post", key: newKey(), description };
  while (true) {
    const media = await showProgress("Saving the edited photo", (signal, onprogress) => sendFile(file, how, { signal, onprogress }));
    if (media || (await ask("Discard the edited photo?", "Discard", "Keep saving"))) return media;
  }
}

/**
 * Lets the person edit a photo of their library, and adds the edited photo beside it.
 *
 * @param {string} id
 * @returns {Promise<object | null>} the media attachment; null when nothing was changed or kept
 */
export async function editBeside(id) {
  const edited = await editLibraryPhoto(id);
  return edited && addToLibrary(edited.file, edited.description);
}

/**
 * @param {string} id
 * @param {AbortSignal} signal
 * @returns {Promise<{photo: Blob, description: string}>}
 */
async function load(id, signal) {
  const path = `/api/v1/photos/${id}`;
  const [{ description }, original] = await Promise.all([
    request("GET", path, undefined, { signal }),
    download(`${path}/original`, signal),
  ]);
  // Most browsers can't draw the HEIC files of iPhones.
  const photo = (await isDrawable(original)) ? original : await download(`${path}/full`, signal);
  return { photo, description: description ?? "" };
}

/**
 * @param {Blob} photo
 * @returns {Promise<boolean>}
 */
async function isDrawable(photo) {
  const image = new Image();
  const loaded = new Promise((resolve) => {
    image.onload = () => resolve(true);
    image.onerror = () => resolve(false);
  });
  image.src = URL.createObjectURL(photo);
  try {
    return await loaded;
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
