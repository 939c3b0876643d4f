import { notificationsInTurn } from "./notifications-in-turn.js";
import { endHere, repair } from "./subscription.js";

/**
 * Closes this device's notifications of what is read here or elsewhere, repairs the subscription, and answers whether a
 * notification may lead away from this page.
 *
 * A page names in `data-reads` the tags of the notifications that it reads, `*` for all.
 *
 * @param {string} account
 */
export async function start(account) {
  navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
    if (data === "mayBeLeft") import("./leaving.js").then(({ mayBeLeft }) => port.postMessage(mayBeLeft()));
  });
  const registration = await navigator.serviceWorker.ready;
  const readHere = () => document.visibilityState === "visible" && close(registration, shownTags());
  document.addEventListener("visibilitychange", readHere);
  addEventListener("tintype:counts", ({ detail: { notifications } }) => {
    // Read on another device: nothing is left.
    if (notifications === 0) close(registration, ["*"]);
    else readHere();
  });
  readHere();
  await repair(registration, account);
}

/** Ends what this device has of a person who has logged out. */
export async function leave() {
  const registration = await navigator.serviceWorker.getRegistration();
  if (!registration) return;
  await close(registration, ["*"]);
  await endHere(registration);
}

/** @returns {string[]} */
function shownTags() {
  const marked = [...document.querySelectorAll("[data-reads]")];
  return marked.flatMap(({ dataset }) => dataset.reads.split(" "));
}

/** @param {ServiceWorkerRegistration} registration @param {string[]} tags */
async function close(registration, tags) {
  if (tags.length === 0) return;
  await notificationsInTurn(async () => {
    for (const notification of await registration.getNotifications()) {
      if (tags.includes("*") || tags.includes(notification.tag)) notification.close();
    }
  });
}
