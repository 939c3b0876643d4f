/**
 * The screens below this one: Back leads to the nearest, at its place, and bears its name.
 *
 * Each entry of the history keeps its own trail in its state, where a reload and Back find it again. A new entry makes
 * its trail from the screen that this browser tab noted last, if that is the entry before it. A page opened cold has
 * none: Back then leads to the address of its link, the screen's parent.
 *
 * @typedef {{path: string, name: string, steps: number}} Screen one to which Back leads, `steps` back in the history
 */
import { recall, remember } from "./tab-memory.js";

/** Where the screen that is shown is noted, for the one that follows. */
const note = "screen";

/** Screens remembered below one, and characters of a name, at most. */
const deepest = 20;
const longest = 60;

// A browser need not say how the page was come to.
const kind = performance.getEntriesByType("navigation")[0]?.type ?? "navigate";
const last = kind === "navigate" ? recall(note) : null;

/** Whether the page was opened by the link of its tab, which leads to where the tab was left. */
export const isByTab = last?.way === "tab";

/** Whether a list returns to its place: after Back, and in its tab. */
export const isReturn = kind === "back_forward" || isByTab;

if (!history.state?.trail) keep(last ? trailAfter(last) : []);
noteScreen();
showBack();

addEventListener("pageshow", ({ persisted }) => persisted && noteScreen());
addEventListener("popstate", showBack);
addEventListener("hashchange", () => {
  // A jump within the page has made an entry without a state.
  if (!history.state?.trail) keep(deepened(recall(note)?.trail ?? [], 1));
});
document.addEventListener("click", () => noteScreen(), { capture: true });
document.addEventListener("submit", ({ defaultPrevented, submitter, target }) => {
  const method = submitter?.formMethod || target.method;
  if (!defaultPrevented && method === "post") noteScreen("form", target.dataset.before);
});

/**
 * The screen that Back leads to.
 *
 * @returns {Screen | undefined} nothing on a page that was opened cold
 */
export function below() {
  return history.state?.trail?.at(-1);
}

/**
 * Notes the screen that is shown.
 *
 * @param {"form" | "tab" | "replace"} [way] in which it is about to be left
 * @param {string} [before] the path of a screen that led to its form, and is passed over with it
 */
export function noteScreen(way, before) {
  const { length, state } = history;
  remember(note, { path: here(), name: screenName(), trail: state?.trail ?? [], length, way, before });
}

/**
 * Goes back, or from a page that was opened cold to its parent, which takes its place.
 *
 * @param {string} parent
 */
export function goBack(parent) {
  const screen = below();
  if (screen) history.go(-screen.steps);
  else replaceScreen(parent);
}

/**
 * Goes to a screen that takes the place of this one: Back won't lead here again.
 *
 * @param {string} path
 */
export function replaceScreen(path) {
  noteScreen("replace");
  location.replace(path);
}

/**
 * Goes to a screen as if it were opened cold: its Back leads to its parent.
 *
 * @param {string} path
 */
export function openCold(path) {
  remember(note, null);
  location.assign(path);
}

/**
 * Goes back to a screen that is below this one; else that screen takes the place of this one.
 *
 * @param {string} path
 */
export function returnTo(path) {
  const screen = history.state?.trail?.findLast((one) => pathname(one.path) === path);
  if (screen) history.go(-screen.steps);
  else replaceScreen(path);
}

/**
 * Makes an entry of the history on this page. Back leads to what the page shows now, with a `popstate` event.
 *
 * @param {string} name of what it shows now
 * @param {object} state by which the new entry is known
 */
export function step(name, state) {
  const trail = [...deepened(history.state.trail, 1), { path: here(), name, steps: 1 }];
  history.pushState({ ...history.state, ...state, trail }, "");
  showBack();
}

/** The trail of a new entry, from what was noted on the page before it. */
function trailAfter({ path, name, trail, way, length, before }) {
  const activation = globalThis.navigation?.activation;
  const from = activation ? activation.from?.url : document.referrer;
  if (!from || new URL(from).origin !== location.origin) return [];
  // Without the Navigation API (WebKit) the length of the history tells.
  const isReplaced = activation
    ? activation.navigationType === "replace"
    : way === "replace" || (pathname(path) === location.pathname && history.length === length);
  const found = deepened(trail, isReplaced ? 0 : 1);
  // A screen whose form was sent has done its work, and Back passes it over.
  const isDone = isReplaced || way === "form";
  if (!isDone) {
    const isNoted = pathname(from) === pathname(path);
    found.push(isNoted ? { path, name, steps: 1 } : { path: from, name: "Back", steps: 1 });
  }
  const passed = [location.pathname, isDone && pathname(path), before];
  while (found.length > 0 && passed.includes(pathname(found.at(-1).path))) found.pop();
  return found;
}

/**
 * A trail as it is some steps further on.
 *
 * @param {Screen[]} trail
 */
function deepened(trail, steps) {
  return trail.slice(-deepest).map((screen) => ({ ...screen, steps: screen.steps + steps }));
}

function keep(trail) {
  history.replaceState({ ...history.state, trail }, "");
}

/** What the screen's bar calls it, without the initials of a portrait and the small line below. */
function screenName() {
  const title = document.querySelector("h1")?.cloneNode(true);
  for (const part of title?.querySelectorAll("[aria-hidden], small, svg") ?? []) part.remove();
  return title?.textContent.trim().slice(0, longest) || "Back";
}

/** Names the screen below in the bar. The link leads there in a tab of its own, too. */
function showBack() {
  const screen = below();
  for (const link of screen ? document.querySelectorAll("a.back[data-back]") : []) {
    link.href = screen.path;
    const name = link.querySelector(":scope > span:not(.badge)");
    if (name) name.textContent = screen.name;
    else if (link.ariaLabel) link.ariaLabel = screen.name;
  }
}

function here() {
  return location.pathname + location.search;
}

function pathname(path) {
  return new URL(path, location.origin).pathname;
}
