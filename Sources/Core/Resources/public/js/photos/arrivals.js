import { newKey } from "../web/api.js";
import { mayExist } from "../web/browser-memory.js";
import { Store } from "../web/store.js";
import { count } from "../web/words.js";

/**
 * Photos that another app of this device has handed over. They wait here, on the device alone, until their person has
 * said what becomes of them; one hand-over at most, which the next one replaces.
 *
 * @typedef {object} Arrived one photo
 * @property {string} key the `Idempotency-Key` of its upload
 * @property {File} [file] until it is uploaded
 * @property {string} [media] its id, once it is
 *
 * @typedef {object} Arrival
 * @property {"latest"} name
 * @property {string | null} account whose device it was, null when nobody's
 * @property {number} at when it came
 * @property {string} text what came with the photos
 * @property {Arrived[]} photos
 * @property {string[]} notes what was left out, in sentences
 * @property {string} [destination] the path that was chosen and is being made ready
 */

/** Photos, bytes and characters at most, and milliseconds for which they wait. */
export const limits = { photos: 10, bytes: 200_000_000, text: 2_000, age: 3_600_000 };

const table = "arrivals";
const store = new Store("tintype-arrivals", { [table]: { keyPath: "name" } });

/**
 * Chooses what is taken of a hand-over.
 *
 * @param {File[]} files
 * @returns {{taken: File[], notes: string[]}} the photos, and in sentences what was left out
 */
export function sift(files) {
  const pictures = files.filter(({ type }) => type.startsWith("image/"));
  const taken = [];
  let bytes = 0;
  let isTooLarge = 0;
  for (const file of pictures.slice(0, limits.photos)) {
    if (bytes + file.size > limits.bytes) isTooLarge += 1;
    else taken.push(file);
    if (taken.at(-1) === file) bytes += file.size;
  }
  const others = files.length - pictures.length;
  const notes = [];
  if (others > 0) notes.push(`${count(others, "file")} ${others > 1 ? "aren’t pictures" : "isn’t a picture"}, and can’t be shared here.`);
  if (pictures.length > limits.photos) {
    notes.push(`At most ${limits.photos} photos at a time: these are the first of ${pictures.length}.`);
  }
  if (isTooLarge > 0) notes.push(`${count(isTooLarge, "photo")} had no room. Share ${isTooLarge > 1 ? "them" : "it"} next.`);
  return { taken, notes };
}

/**
 * Keeps a hand-over in place of an earlier one.
 *
 * @param {File[]} files
 * @param {string} text
 * @param {string | null} account
 */
export async function keepArrival(files, text, account) {
  const { taken, notes } = sift(files);
  const photos = taken.map((file) => ({ key: newKey(), file }));
  const words = text.slice(0, limits.text);
  const arrival = { name: "latest", account, at: Date.now(), text: words, photos, notes };
  const refuse = () => {
    throw new DOMException("The browser keeps nothing.", "NotSupportedError");
  };
  await store.run(table, "readwrite", (arrivals) => arrivals.put(arrival), refuse);
}

/**
 * Keeps what has changed in a hand-over, unless another one has replaced it meanwhile.
 *
 * @param {Arrival} arrival
 */
export const update = (arrival) => change(arrival, (arrivals) => arrivals.put(arrival));

/**
 * Erases a hand-over, unless another one has replaced it meanwhile.
 *
 * @param {Arrival} arrival
 */
export const erase = (arrival) => change(arrival, (arrivals) => arrivals.clear());

/** @param {Arrival} arrival @param {(arrivals: IDBObjectStore) => void} action */
async function change(arrival, action) {
  const request = (arrivals) => {
    const reading = arrivals.get("latest");
    reading.onsuccess = () => reading.result?.at === arrival.at && action(arrivals);
    return reading;
  };
  await store.run(table, "readwrite", request, () => {});
}

/**
 * Finds what waits for a person. What is too old, or was handed over while somebody else was logged in, is erased.
 *
 * @param {string} account
 * @returns {Promise<Arrival | null>}
 */
export async function arrivalFor(account) {
  const arrival = await latest();
  if (!arrival) return null;
  const isTheirs = arrival.account === null || arrival.account === account;
  if (isTheirs && Date.now() - arrival.at < limits.age) return arrival;
  await erase(arrival);
  return null;
}

/** Erases what waits, if something does. */
export async function eraseArrival() {
  if (await mayExist("tintype-arrivals")) await store.run(table, "readwrite", (arrivals) => arrivals.clear(), () => {});
}

/** Erases what waits once that has waited too long. */
export async function eraseOldArrival() {
  const arrival = await latest();
  if (arrival && Date.now() - arrival.at >= limits.age) await erase(arrival);
}

/**
 * Erases what waits, unless it is for a person, or for the one who logs in next.
 *
 * @param {string} account
 */
export async function eraseArrivalBut(account) {
  const arrival = await latest();
  if (arrival && arrival.account !== null && arrival.account !== account) await erase(arrival);
}

/** @returns {Promise<Arrival | undefined>} */
function latest() {
  return store.run(table, "readonly", (arrivals) => arrivals.get("latest"), () => undefined);
}

/** Returns whether this page was opened to take what waits. */
export const takesArrival = () => new URLSearchParams(location.search).has("shared");
