import { element, icon } from "../web/element.js";
import { inLocalTime } from "../web/local-time.js";
import { loadStyle } from "../web/style.js";

/**
 * Shows a note on a page that was saved earlier and is shown without the server, and offers to load the page again.
 *
 * @param {string} at when the page was saved, in ISO 8601
 */
export async function showNote(at) {
  await loadStyle("offline");
  const isOnline = navigator.onLine;
  const words = element("span", {}, isOnline ? "The server isn’t answering. " : "Offline. ", "Saved ");
  words.append(await timeSince(at), ".");
  const reload = element("button", { type: "button", onclick: () => location.reload() }, "Try again");
  const sign = icon("wifi-off");
  const note = element("aside", { class: "kept-note", "aria-label": "Not up to date" }, sign, words, reload);
  place(note);
  // The person may be in the middle of something, so the page isn't loaded again by itself. What is live asks again.
  const catchUp = () => {
    words.textContent = isOnline ? "The server is answering again." : "You are online again.";
    reload.textContent = "Reload";
    dispatchEvent(new CustomEvent("tintype:reset"));
  };
  whenLive(catchUp);
}

/** Puts the note where it covers nothing: below the bar, in the page's own column. */
function place(note) {
  const own = document.querySelector("[data-notes-place]");
  const main = document.querySelector("main");
  const bar = main.querySelector(":scope > .bar");
  if (own) own.append(note);
  // A page that fills the screen leaves room for it at the top.
  else if (document.body.matches(".bare")) main.closest("body > *").before(note);
  else if (bar) bar.after(note);
  else main.prepend(note);
}

/** Does something once the events of the server arrive. */
function whenLive(work) {
  const root = document.documentElement;
  if (root.dataset.live === "on") return work();
  const observer = new MutationObserver(() => {
    if (root.dataset.live !== "on") return;
    observer.disconnect();
    work();
  });
  observer.observe(root, { attributeFilter: ["data-live"] });
}

async function timeSince(at) {
  await import("../web/relative-time.js");
  const time = element("time", { dateTime: at, title: inLocalTime(new Date(at)) });
  return element("relative-time", {}, time);
}
