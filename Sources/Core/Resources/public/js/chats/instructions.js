import { element } from "../web/element.js";

/** The cookie that holds the accounts that have seen them, and how many of these it holds. */
const name = "tintype_instructed";
const most = 8;

/** Seconds that the browser keeps it. */
const year = 31_536_000;

/**
 * Says once, in the first chat somebody opens in this browser, what can be done in it.
 *
 * @param {HTMLElement} list of the messages
 */
export function showInstructions(list) {
  const { account } = document.documentElement.dataset;
  const accounts = instructed();
  if (accounts.includes(account)) return;
  // A cookie, since logging out erases all else that the browser keeps of this site.
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
