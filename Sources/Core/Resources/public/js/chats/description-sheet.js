import { descriptionField } from "../photos/description-field.js";
import { element } from "../web/element.js";
import { filePicture } from "../web/file-picture.js";
import { isSendKey, stayAboveKeyboard } from "../web/keyboard.js";

/**
 * Asks for a description of a photo, in a sheet that shows it.
 *
 * @param {File} file the photo
 * @param {string} known the description that it has already
 * @returns {Promise<string | null>} the description, `null` when the person changes nothing
 */
export async function askDescription(file, known) {
  const field = descriptionField({
    class: "input",
    name: "description",
    rows: 3,
    value: known,
    "aria-label": "Description",
    autofocus: true,
  });
  const cancel = element("button", { class: "button plain", type: "button" }, "Cancel");
  const save = element("button", { class: "button primary", value: "save" }, "Save");
  const form = element(
    "form",
    { method: "dialog" },
    element("header", {}, cancel, element("h2", {}, "Description"), save),
    element("div", { class: "described" }, filePicture(file, ""), field),
  );
  const dialog = element("dialog", { class: "sheet description-sheet", "aria-label": "Description" }, form);
  cancel.onclick = () => dialog.close();
  field.onkeydown = (event) => {
    if (!isSendKey(event)) return;
    event.preventDefault();
    form.requestSubmit(save);
  };
  const over = new AbortController();
  document.body.append(dialog);
  dialog.showModal();
  stayAboveKeyboard(dialog, over.signal);
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  over.abort();
  dialog.remove();
  return dialog.returnValue === "save" ? field.value.trim() : null;
}
