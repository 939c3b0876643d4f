import { edit } from "../editing/library-photo.js";
import { element } from "../web/element.js";
import { filePicture } from "../web/file-picture.js";

/**
 * Shows a file before others see it in a collage, and lets the person edit it. Nothing is uploaded meanwhile.
 *
 * @param {File} file
 * @returns {Promise<File | null>} the photo as it is to be added; null when the person doesn't want that
 */
export async function lookFirst(file) {
  let photo = file;
  while (true) {
    const answer = await show(photo);
    if (answer !== "edit") return answer === "add" ? photo : null;
    photo = (await edit(photo, file.name)) ?? photo;
  }
}

/** Shows a photo with the choices. Returns the one that was made; an empty text when the dialog was closed. */
async function show(photo) {
  const title = "Add this photo?";
  const picture = filePicture(photo, "Your photo");
  const change = element("button", { class: "button", value: "edit" }, "Edit");
  // What the browser can't draw, it can't edit either.
  picture.addEventListener("error", () => change.remove());
  const dialog = element(
    "dialog",
    { class: "sheet first-look", "aria-label": title },
    element("h2", {}, title),
    element("p", {}, "The others see it at once."),
    picture,
    element(
      "form",
      { method: "dialog", class: "form" },
      element("button", { class: "button primary", value: "add", autofocus: true }, "Add photo"),
      change,
      element("button", { class: "button plain", value: "" }, "Cancel"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  return dialog.returnValue;
}
