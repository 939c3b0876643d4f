import { entries as pairs } from "../then-and-now/waiting-store.js";
import { ask } from "../web/question.js";
import { count } from "../web/words.js";
import { entries as messages } from "./outbox-store.js";

/**
 * Logs out, which erases what this device keeps; asks first when that has messages or pairs which haven't gone out.
 *
 * @param {HTMLFormElement} form
 */
export async function logOut(form) {
  const { account } = document.documentElement.dataset;
  const kinds = [
    [(await messages(account)).length, "unsent message"],
    [(await pairs(account)).length, "unsent Then & Now pair"],
  ];
  const waiting = kinds.filter(([number]) => number > 0).map(([number, noun]) => count(number, noun));
  if (waiting.length === 0 || (await ask(`Lose ${waiting.join(" and ")}?`, "Log out", "Stay"))) form.submit();
}
