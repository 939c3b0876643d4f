/**
 * Reads, shows or closes the device's notifications, after all other such work of pages and of the service worker.
 *
 * Chromium loses a notification that begins to be shown while the list of those that are shown is being read.
 *
 * @template T
 * @param {() => Promise<T>} work must not call this function itself
 * @returns {Promise<T>}
 */
export const notificationsInTurn = (work) => navigator.locks.request("tintype-notifications", work);
