import { ask } from "./question.js";
import { count } from "./words.js";

/**
 * What a feature keeps on this device until it is sent. The feature's script for every page exports it as `unsent`.
 *
 * @typedef {{noun: string, count: (account: string) => Promise<number>}} Unsent
 */

/**
 * Logs out, which erases what this device keeps. Asks first when some of it hasn't been sent.
 *
 * @param {HTMLFormElement} form
 * @param {Promise<{unsent?: Unsent | Unsent[]}[]>} background the scripts that features have on every page
 */
export async function logOut(form, background) {
  const { account } = document.documentElement.dataset;
  const kinds = (await background).flatMap(({ unsent }) => unsent ?? []);
  const counts = await Promise.all(kinds.map((kind) => kind.count(account)));
  const waiting = kinds.flatMap(({ noun }, index) => (counts[index] > 0 ? count(counts[index], noun) : []));
  if (waiting.length === 0 || (await ask(`Lose ${waiting.join(" and ")}?`, "Log out", "Stay"))) form.submit();
}
