import { ask } from "../web/question.js";
import { count } from "../web/words.js";
import { entries } from "./outbox-store.js";

/**
 * Logs out, which erases what this device keeps; asks first when that has messages which haven't gone out.
 *
 * @param {HTMLFormElement} form
 */
export async function logOut(form) {
  const waiting = await entries(document.documentElement.dataset.account);
  const title = `Lose ${count(waiting.length, "unsent message")}?`;
  if (waiting.length === 0 || (await ask(title, "Log out", "Stay"))) form.submit();
}
