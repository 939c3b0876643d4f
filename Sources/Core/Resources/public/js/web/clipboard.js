/**
 * Copies text, also on plain HTTP, where browsers have no clipboard interface.
 *
 * @param {string | Promise<string>} text a promise is copied once it resolves; Safari allows that after a tap
 * @throws when the browser does not allow it
 */
export async function copyText(text) {
  if (navigator.clipboard && typeof text !== "string" && "ClipboardItem" in globalThis) {
    const data = text.then((words) => new Blob([words], { type: "text/plain" }));
    return navigator.clipboard.write([new ClipboardItem({ "text/plain": data })]);
  }
  if (navigator.clipboard) return navigator.clipboard.writeText(await text);
  const field = document.createElement("textarea");
  field.value = await text;
  document.body.append(field);
  field.select();
  const isDone = document.execCommand("copy");
  field.remove();
  if (!isDone) throw new Error("The browser did not let us copy.");
}
