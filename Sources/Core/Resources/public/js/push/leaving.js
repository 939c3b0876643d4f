/**
 * Returns whether nothing is lost when another page takes the place of this one: no field was changed, there is no picture
 * of a file, and nothing asks before the page is closed.
 *
 * @returns {boolean}
 */
export function mayBeLeft() {
  const fields = /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>} */ (
    document.querySelectorAll("input:not([type=search], [type=hidden]), textarea, select")
  );
  if ([...fields].some(isChanged) || document.querySelector("img[src^='blob:']")) return false;
  return dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

/** @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement) {
    return [...field.options].some(({ selected, defaultSelected }) => selected && !defaultSelected);
  }
  if (field.type === "checkbox" || field.type === "radio") {
    const { checked, defaultChecked } = /** @type {HTMLInputElement} */ (field);
    return checked !== defaultChecked;
  }
  return field.value !== field.defaultValue;
}
