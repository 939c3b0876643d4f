import { element } from "../web/element.js";

/** The cookie with the accounts that have seen the instructions, and the most accounts that it holds. */
const name = "tintype_instructed";
const most = 8;

/** Seconds for which the browser keeps the cookie. */
const year = 31_536_000;

/**
 * Shows once, in the first chat that a person opens in this browser, what they can do in it.
 *
 * @param {HTMLElement} list of the messages
 */
export function showInstructions(list) {
  const { account } = document.documentElement.dataset;
  const accounts = instructed();
  if (accounts.includes(account)) return;
  // Logging out erases everything else that the browser keeps of this site, but not this cookie.
  const all = [...accounts, account].slice(-most).join(".");
  document.cookie = `${name}=${all}; path=/messages; max-age=${year}; samesite=lax`;
  const words =
    "Double tap a photo to save it to your library. Tap it or slide it left to zoom. " +
    "Slide a message right to reply. Hold it for more.";
  const done = element("button", { class: "button small", type: "button" }, "Got it");
  const box = element("li", { class: "instructions", "data-instructions": "" }, element("p", {}, words), done);
  done.addEventListener("click", () => box.remove());
  list.prepend(box);
}

function instructed() {
  const [, accounts] = document.cookie.match(new RegExp(`(?:^|; )${name}=([^;]*)`)) ?? [];
  return accounts?.split(".") ?? [];
}
