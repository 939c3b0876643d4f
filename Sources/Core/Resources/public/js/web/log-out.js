import { unsent as wishes } from "../outbox/wish.js";
import { ask } from "./question.js";
import { count } from "./words.js";

/**
 * What a feature keeps on this device until it is sent. The feature's script for every page exports it as `unsent`, and as
 * `loggingOut` what it does before a log-out.
 *
 * @typedef {{noun: string, count: (account: string) => Promise<number>}} Unsent
 */

/**
 * Logs out, which erases what this device keeps. Asks first when some of it hasn't been sent.
 *
 * @param {HTMLFormElement} form
 * @param {Promise<{unsent?: Unsent | Unsent[], loggingOut?: () => Promise<unknown>}[]>} background the scripts that features have on every page
 */
export async function logOut(form, background) {
  const { account } = document.documentElement.dataset;
  const scripts = await background;
  const kinds = [...scripts.flatMap(({ unsent }) => unsent ?? []), ...wishes];
  const counts = await Promise.all(kinds.map((kind) => kind.count(account)));
  const waiting = kinds.flatMap(({ noun }, index) => (counts[index] > 0 ? count(counts[index], noun) : []));
  const list = new Intl.ListFormat("en-GB").format(waiting);
  if (waiting.length > 0 && !(await ask(`Lose ${list}?`, "Log out", "Stay"))) return;
  await Promise.all(scripts.map(({ loggingOut }) => loggingOut?.()));
  form.submit();
}
