/**
 * Copies text, also on plain HTTP, where browsers have no clipboard interface.
 *
 * @param {string} text
 * @throws when the browser does not allow it
 */
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (!isDone) throw new Error("The browser did not let us copy.");
}
