import { outbox } from "../outbox/outbox.js";
import { element } from "../web/element.js";
import { ask } from "../web/question.js";
import { sendAgain } from "./waiting-pairs.js";

/**
 * Shows a pair that waits, or that the server has refused, in a sheet with what can be done about it.
 *
 * @param {import("./sending.js").Entry} entry
 * @param {string} title what has become of it, in words
 */
export async function showWaiting(entry, title) {
  const words =
    entry.error ?? "The pair is stored on this device and is sent automatically when you are online.";
  const url = URL.createObjectURL(entry.file);
  const name = entry.file.name ?? "now.jpg";
  const again = element("button", { class: "button primary", value: "retry" }, "Send again");
  const dialog = element(
    "dialog",
    { class: "sheet", "aria-label": title },
    element("h2", {}, title),
    element("p", {}, words),
    element(
      "form",
      { method: "dialog", class: "form" },
      ...(entry.remedy === "retry" ? [again] : []),
      element("a", { class: "button", href: url, download: name }, "Save picture to device"),
      element("button", { class: "button danger", value: "delete" }, "Delete"),
      element("button", { class: "button plain", value: "done", autofocus: true }, "Done"),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  URL.revokeObjectURL(url);
  if (dialog.returnValue === "retry") await sendAgain(entry);
  const question = "Delete this pair? It was not saved anywhere else.";
  if (dialog.returnValue === "delete" && (await ask(question, "Delete pair", "Keep it"))) await outbox.cancel(entry);
}
