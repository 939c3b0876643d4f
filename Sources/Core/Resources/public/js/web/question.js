import { element } from "./element.js";

/**
 * Asks before something that can't be undone, in a sheet like the server's own.
 *
 * @param {string} title the question: "Delete this comment?"
 * @param {string} yes the word on the button that does it
 * @param {string} no the word on the button that doesn't
 * @param {string} [explanation] what will happen
 * @returns {Promise<boolean>} whether the person wants it
 */
export async function ask(title, yes, no, explanation) {
  const dialog = element(
    "dialog",
    { class: "sheet", "aria-label": title },
    element("h2", {}, title),
    ...(explanation ? [element("p", {}, explanation)] : []),
    element(
      "form",
      { method: "dialog", class: "form" },
      element("button", { class: "button danger", value: "yes" }, yes),
      element("button", { class: "button plain", value: "no", autofocus: true }, no),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  return dialog.returnValue === "yes";
}
