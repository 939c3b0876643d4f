import { arrivalFor, erase } from "../photos/arrivals.js";

/**
 * Puts what another app of the device has handed over where the next message is written. It stays on the device until
 * that is sent, so that a reload loses nothing.
 *
 * @param {import("./composer-tray.js").ComposerTray} tray
 * @param {HTMLTextAreaElement} field
 * @returns {Promise<() => Promise<void>>} erases it, once it is sent
 */
export async function takeArrival(tray, field) {
  const arrival = await arrivalFor(document.documentElement.dataset.account);
  if (!arrival) return async () => {};
  tray.addFiles(arrival.photos.flatMap(({ file }) => file ?? []));
  if (arrival.text && !field.value) {
    field.value = arrival.text;
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }
  field.focus();
  return () => erase(arrival);
}
