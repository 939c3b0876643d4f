import { element } from "./element.js";
import { flash } from "./flash-message.js";

/**
 * Shows the server's refusal beside the fields that it concerns, as the server does in its own pages: a `p.error` with
 * the id `NAME-error`. What belongs to no field is shown above the page.
 *
 * @param {HTMLFormElement} form
 * @param {{details?: Record<string, {description: string}[]>, message?: string}} error
 * @param {Record<string, string>} [names] of the form's fields, where their names in the API differ
 */
export function showErrors(form, error, names = {}) {
  clearErrors(form);
  const found = Object.entries(error.details ?? {})
    .map(([field, [{ description }]]) => ({ name: names[field] ?? field, description }))
    .map((one) => ({ ...one, place: findPlace(form, one.name) }))
    .filter(({ place }) => place);
  for (const { name, description, place } of found) {
    place.textContent = description;
    place.hidden = false;
    form.querySelector(`#${name}`)?.setAttribute("aria-invalid", "true");
  }
  if (found.length === 0) flash(error.message, "error");
  else form.querySelector(`#${found[0].name}`)?.focus();
}

/** Removes the errors of an earlier try beside the fields. */
export function clearErrors(form) {
  for (const place of form.querySelectorAll("p.error")) {
    place.textContent = "";
    place.hidden = true;
  }
  form.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
}

/** Returns the place for a field's error: an existing one, or a new one after the field. */
function findPlace(form, name) {
  const id = `${CSS.escape(name)}-error`;
  const place = form.querySelector(`#${id}`);
  const field = form.querySelector(`#${CSS.escape(name)}`);
  if (place || !field) return place;
  const made = element("p", { class: "error", id: `${name}-error`, role: "alert" });
  (field.closest(".counted") ?? field).after(made);
  const others = field.getAttribute("aria-describedby") ?? "";
  field.setAttribute("aria-describedby", `${made.id} ${others}`);
  return made;
}
