import { notificationsPage } from "../notifications/paths.js";
import { owner } from "../offline/owner.js";
import { pathOn, read, testTag } from "./message.js";
import { notificationsInTurn } from "./notifications-in-turn.js";
import { endHere, known, renew } from "./subscription.js";

/**
 * What the service worker does with pushes: it shows them as the device's notifications, and leads to the screen of the
 * one that is tapped.
 *
 * @type {import("../offline/places.js").Keeping}
 */
export const keeping = { start, keepOnly };

/**
 * Milliseconds in which a page has to answer whether it may be left. One that is asleep doesn't, and Firefox opens no
 * window later than a second after the tap.
 */
const patience = 500;

/** The notification of WebKit's that is closed at once. */
const passing = "tintype-passing";

function start() {
  addEventListener("push", (event) => event.waitUntil(receive(event.data)));
  addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification)));
  addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event.newSubscription ?? null)));
}

/** Ends what belongs to someone who isn't logged in here any more: the subscription, and what is shown. */
async function keepOnly(account) {
  // Where nothing may be shown, nothing is.
  if (Notification.permission !== "granted") return;
  const own = await known();
  if (own?.account === account) return;
  if (own) await endHere(registration);
  await notificationsInTurn(() => closeAll(() => true));
  await showBadge(0);
}

/** @param {PushMessageData | null} data */
async function receive(data) {
  const { announcement, close, badge } = read(data && textOf(data), location.origin);
  const [account, own] = await Promise.all([owner(), known()]);
  // A push may have been under way while the person logged out, or somebody else logged in.
  const isForOwner = account && (!own || own.account === account);
  if (!isForOwner) return notificationsInTurn(beQuiet);
  if (badge !== null) await showBadge(badge);
  await notificationsInTurn(async () => {
    await closeAll(({ tag }) => close.includes(tag));
    const isQuiet = !announcement || (announcement.options.tag !== testTag && (await isInSight()));
    await (isQuiet ? beQuiet() : show(announcement));
  });
}

/** @param {PushMessageData} data */
function textOf(data) {
  try {
    return data.text();
  } catch {
    return null; // Not text.
  }
}

/** @param {import("./message.js").Announcement} announcement */
async function show({ title, options }) {
  const { tag, data } = options;
  const shown = await registration.getNotifications({ tag });
  // What the server sent twice makes no second sound.
  const isAgain = data.id !== null && shown.some((one) => one.data?.id === data.id);
  await registration.showNotification(title, { ...options, renotify: !isAgain });
}

/** Returns whether a page of Tintype is in sight on this device: its event stream brings the news there. */
async function isInSight() {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  return windows.some(({ visibilityState }) => visibilityState === "visible");
}

/**
 * Shows nothing. Chromium and Firefox allow that while a page is in sight, and otherwise a few times. WebKit ends a
 * subscription after three pushes without a notification, whether a page is in sight or not, so there one is shown
 * without a sound and closed at once.
 */
async function beQuiet() {
  const isWebKit = /AppleWebKit/.test(navigator.userAgent) && !/Chrom(e|ium)\//.test(navigator.userAgent);
  if (!isWebKit) return;
  await registration.showNotification("Tintype", { tag: passing, silent: true });
  await closeAll(({ tag }) => tag === passing);
}

/** @param {(notification: Notification) => boolean} condition */
async function closeAll(condition) {
  for (const notification of await registration.getNotifications()) {
    if (condition(notification)) notification.close();
  }
}

/** @param {number} count */
async function showBadge(count) {
  // Not every browser has badges, and one that has them shows them only for an installed app.
  if (count > 0) await navigator.setAppBadge?.(count);
  else await navigator.clearAppBadge?.();
}

/** Leads to the screen of a notification: in a window that is open and may be left, or else in a new one. */
async function open({ tag, data }) {
  await notificationsInTurn(() => closeAll((one) => one.tag === tag));
  const url = new URL(pathOn(location.origin, data?.path) ?? notificationsPage, location.origin).href;
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const isThere = (client) => client.url === url;
  const window = windows.find(isThere) ?? (await findFree(windows));
  if (!window) return clients.openWindow(url);
  try {
    const shown = isThere(window) ? window : ((await window.navigate(url)) ?? window);
    await shown.focus();
  } catch {
    // The window is closing, or this service worker doesn't control it.
    await clients.openWindow(url);
  }
}

/**
 * Finds a window whose page may be left, in sight if there is one.
 *
 * @param {readonly WindowClient[]} windows
 * @returns {Promise<WindowClient | undefined>}
 */
async function findFree(windows) {
  const answers = await Promise.all(windows.map(mayBeLeft));
  const free = windows.filter((_, index) => answers[index]);
  return free.find(({ visibilityState }) => visibilityState === "visible") ?? free[0];
}

/** @param {WindowClient} window @returns {Promise<boolean>} whether nothing would be lost with its page */
function mayBeLeft(window) {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data === true);
    setTimeout(() => resolve(false), patience);
    window.postMessage("mayBeLeft", [port2]);
  });
}
