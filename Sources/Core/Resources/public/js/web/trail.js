/**
 * The screens below this one: Back leads to the nearest, scrolled as it was left, and shows its name.
 *
 * Each entry of the history keeps its own trail in its state, where a reload and Back find it again. A new entry makes
 * its trail from the screen that this browser tab noted last, if that is the entry before it. A page that was opened
 * directly has no trail, and its Back leads to the address of its link, the screen's parent.
 *
 * @typedef {{path: string, name: string, steps: number}} Screen one that Back leads to, `steps` back in the history
 */
import { recall, remember } from "./browser-memory.js";

/** The name under which a screen is noted for the one that follows. */
const note = "screen";

/** The most screens in a trail, and the most characters of a name. */
const deepest = 20;
const longest = 60;

/** Milliseconds after which a step back counts as done. */
const patience = 1_000;

// Not every browser says how the page was reached.
const kind = performance.getEntriesByType("navigation")[0]?.type ?? "navigate";
const last = kind === "navigate" ? recall(note) : null;

/** Whether the page was opened by the link of its tab, which leads back to where the tab was left. */
export const isByTab = last?.way === "tab";

/** Whether a list returns to its place: after Back, and after the link of its tab. */
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
 * Returns the screen that Back leads to.
 *
 * @returns {Screen | undefined} nothing on a page that was opened directly
 */
export function below() {
  return history.state?.trail?.at(-1);
}

/**
 * Notes the screen that is shown, for the one that follows.
 *
 * @param {"form" | "tab" | "replace"} [way] how the screen is about to be left
 * @param {string} [before] the path of a screen that led to the form, which Back skips together with the form
 */
export function noteScreen(way, before) {
  const { length, state } = history;
  remember(note, { path: here(), name: screenName(), trail: state?.trail ?? [], length, way, before });
}

/**
 * Goes back. On a page that was opened directly, replaces it by its parent.
 *
 * @param {string} parent
 */
export function goBack(parent) {
  const screen = below();
  if (screen) history.go(-screen.steps);
  else replaceScreen(parent);
}

/**
 * Replaces this screen by another one: Back won't lead here again.
 *
 * @param {string} path
 */
export function replaceScreen(path) {
  noteScreen("replace");
  location.replace(path);
}

/**
 * Goes to a screen as if it were opened directly: its Back leads to its parent.
 *
 * @param {string} path
 */
export function openCold(path) {
  remember(note, null);
  location.assign(path);
}

/**
 * Goes back to a screen if it is below this one. Otherwise replaces this screen by it.
 *
 * @param {string} path
 */
export function returnTo(path) {
  const screen = history.state?.trail?.findLast((one) => pathname(one.path) === path);
  if (screen) history.go(-screen.steps);
  else replaceScreen(path);
}

/**
 * Adds an entry to the history of this page. Back leads to what the page shows now, with a `popstate` event.
 *
 * @param {string} name of what the page shows now
 * @param {object} state that identifies the new entry
 */
export function step(name, state) {
  const trail = [...deepened(history.state.trail, 1), { path: here(), name, steps: 1 }];
  history.pushState({ ...history.state, ...state, trail }, "");
  showBack();
}

/** Leaves the last entry that this page has added to its history. */
export async function stepBack() {
  const isBack = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
  // A browser doesn't go back in a page that it has put to sleep meanwhile.
  const isLate = new Promise((resolve) => setTimeout(resolve, patience));
  history.back();
  await Promise.race([isBack, isLate]);
}

/** Returns the trail of a new entry, made from what the page before it noted. */
function trailAfter({ path, name, trail, way, length, before }) {
  const activation = globalThis.navigation?.activation;
  const from = activation ? activation.from?.url : document.referrer;
  if (!from || new URL(from).origin !== location.origin) return [];
  // WebKit has no Navigation API, so the length of the history has to show whether an entry was added.
  const isReplaced = activation
    ? activation.navigationType === "replace"
    : way === "replace" || (pathname(path) === location.pathname && history.length === length);
  const found = deepened(trail, isReplaced ? 0 : 1);
  // Back skips a screen whose form was sent.
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
 * Returns a trail as seen from an entry that is some steps further on.
 *
 * @param {Screen[]} trail
 */
function deepened(trail, steps) {
  return trail.slice(-deepest).map((screen) => ({ ...screen, steps: screen.steps + steps }));
}

function keep(trail) {
  history.replaceState({ ...history.state, trail }, "");
}

/** Returns the title in the screen's bar, without the initials of a portrait and the small line below. */
function screenName() {
  const title = document.querySelector("h1")?.cloneNode(true);
  for (const part of title?.querySelectorAll("[aria-hidden], small, svg") ?? []) part.remove();
  return title?.textContent.trim().slice(0, longest) || "Back";
}

/** Shows the name of the screen below in the bar, and makes the link lead there, also when opened in a new tab. */
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
