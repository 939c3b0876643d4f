/** Lets text fields grow with their text in browsers without `field-sizing: content`, such as Safari and Firefox. */

/** Makes a field as high as its text, within the smallest and largest height of the style sheet. */
function grow(field) {
  field.style.blockSize = "auto";
  if (field.checkVisibility()) field.style.blockSize = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`;
}

/** Grows all fields, after the scripts that handle the same event have changed their text. */
function growAll() {
  requestAnimationFrame(() => document.querySelectorAll("textarea").forEach(grow));
}

for (const name of ["input", "focusin", "submit"]) document.addEventListener(name, growAll);
addEventListener("resize", growAll);
growAll();
