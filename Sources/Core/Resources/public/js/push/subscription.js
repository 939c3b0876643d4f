import { Store } from "../web/store.js";

/**
 * The browser's subscription to pushes, and what the server knows of it. Pages and the service worker use the same.
 *
 * @typedef {object} Known what this browser remembers of its subscription
 * @property {string} account the person for whom it is
 * @property {string} key the server's public key, in base64url
 * @property {string} endpoint the push service's address
 * @property {number} checked when the server was last asked for it
 */

const address = "/api/v1/push/subscription";

/** Milliseconds between two questions whether the server still has the subscription. */
const interval = 6 * 3_600_000;

/** Milliseconds that the server has for an answer. */
const patience = 20_000;

const store = new Store("tintype-push", { state: { keyPath: "name" } });

/** What the server answered that it won't do, in a sentence. */
export class PushRefusal extends Error {}

/** @returns {Promise<Known | undefined>} */
export async function known() {
  const entry = await store.run("state", "readonly", (table) => table.get("subscription"), () => undefined);
  return entry?.value;
}

/** @param {Known} value */
async function remember(value) {
  await store.run("state", "readwrite", (table) => table.put({ name: "subscription", value }), () => {});
}

async function forget() {
  await store.run("state", "readwrite", (table) => table.delete("subscription"), () => {});
}

/**
 * Subscribes this browser, and tells the server.
 *
 * @param {ServiceWorkerRegistration} registration
 * @param {string} key the server's public key, in base64url
 * @param {string} account
 * @throws {DOMException} when the browser doesn't let it
 * @throws {PushRefusal} when the server doesn't take it: then the browser is not subscribed either
 */
export function turnOn(registration, key, account) {
  return inTurn(() => begin(registration, key, account));
}

/** Lets one page after the other, and the service worker, change the subscription. */
const inTurn = (work) => navigator.locks.request("tintype-push", work);

async function begin({ pushManager }, key, account) {
  const earlier = await pushManager.getSubscription();
  // A browser has one subscription, with one key.
  if (earlier && (await known())?.key !== key) await earlier.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(key) };
  const subscription = await pushManager.subscribe(options);
  try {
    await tell(subscription);
  } catch (error) {
    await subscription.unsubscribe();
    await forget();
    throw error;
  }
  await remember({ account, key, endpoint: subscription.endpoint, checked: Date.now() });
}

/**
 * Ends the subscription at the server and in this browser.
 *
 * @param {ServiceWorkerRegistration} registration
 * @throws {PushRefusal} when the server can't be asked: then it goes on
 */
export function turnOff(registration) {
  return inTurn(async () => {
    await ask("DELETE");
    await endHere(registration);
  });
}

/**
 * Ends the subscription in this browser alone: the server's ends with the log-in.
 *
 * @param {ServiceWorkerRegistration} registration
 */
export async function endHere({ pushManager }) {
  await forget();
  await (await pushManager?.getSubscription())?.unsubscribe();
}

/**
 * Returns whether this browser is subscribed for an account, as far as it knows itself.
 *
 * @param {ServiceWorkerRegistration} registration
 * @param {string} account
 */
export async function isOn({ pushManager }, account) {
  return (await known())?.account === account && Boolean(await pushManager.getSubscription());
}

/**
 * Compares this browser's subscription with the server's, and makes it again where it was lost, or where the server has
 * another key. Does nothing where the person hasn't turned notifications on.
 *
 * @param {ServiceWorkerRegistration} registration
 * @param {string} account
 * @param {boolean} [isUrgent] whether the server is asked even when it was asked a short time ago
 */
export function repair(registration, account, isUrgent = false) {
  return inTurn(() => compare(registration, account, isUrgent));
}

async function compare(registration, account, isUrgent) {
  const own = await known();
  if (!own) return;
  if (own.account !== account) return endHere(registration);
  const subscription = await registration.pushManager.getSubscription();
  const isSame = subscription?.endpoint === own.endpoint;
  if (isSame && !isUrgent && Date.now() - own.checked < interval) return;
  const answer = await ask("GET");
  // The person has removed this device, on another one.
  if (answer?.isRemoved) return endHere(registration);
  if (answer && isSame && answer.server_key === own.key) return remember({ ...own, checked: Date.now() });
  await begin(registration, answer?.server_key ?? own.key, account);
}

/**
 * Subscribes again after the browser has ended the subscription itself.
 *
 * @param {PushSubscription | null} renewed the browser's new subscription, if it has made one
 */
export function renew(renewed) {
  return inTurn(() => replace(renewed));
}

async function replace(renewed) {
  const own = await known();
  if (!own) return;
  const options = { userVisibleOnly: true, applicationServerKey: bytesOf(own.key) };
  const subscription = renewed ?? (await registration.pushManager.subscribe(options));
  await tell(subscription);
  await remember({ ...own, endpoint: subscription.endpoint, checked: Date.now() });
}

/** @param {PushSubscription} subscription */
function tell(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  return ask("POST", { subscription: { endpoint, keys, standard: true } });
}

/**
 * Asks the server about the subscription of this log-in.
 *
 * @returns {Promise<{server_key?: string, isRemoved?: boolean} | null>} null when there is none
 */
async function ask(method, body) {
  const response = await fetch(address, {
    method,
    headers: { Accept: "application/json", ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(patience),
  }).catch(() => {
    throw new PushRefusal("The server can’t be reached. Try again in a moment.");
  });
  if (response.status === 404 && method !== "POST") return null;
  if (response.status === 410) return { isRemoved: true };
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new PushRefusal(answer?.error ?? "Something went wrong on the server. Try again in a moment.");
  return answer;
}

/** @param {string} key in base64url */
function bytesOf(key) {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
