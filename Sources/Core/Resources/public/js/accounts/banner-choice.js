import { filePicture } from "../web/file-picture.js";

/**
 * Shows the file that is chosen as the profile's banner in the banner's place, until the form is sent. Of a choice and
 * the switch that removes the banner, the later one counts.
 *
 * @param {Element} part the label of the `input[type=file]`, perhaps with the present banner, and the switch, if any
 * @param {AbortSignal} signal
 */
export function showChosenBanner(part, signal) {
  const file = part.querySelector("[type=file]");
  const removal = part.querySelector("[type=checkbox]");
  const change = (event) => {
    if (event.target === removal) file.value = "";
    else if (removal) removal.checked = false;
    part.querySelector(".new-banner")?.remove();
    if (file.files.length === 0) return;
    const picture = filePicture(file.files[0], file.files[0].name);
    picture.className = "new-banner";
    file.after(picture);
  };
  part.addEventListener("change", change, { signal });
}
