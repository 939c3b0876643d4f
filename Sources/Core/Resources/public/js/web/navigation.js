/**
 * The direction of the view transition between two pages.
 *
 * The style sheet animates `:active-view-transition-type(push)` and `(pop)`; between tabs
 * nothing moves. This module must run before the first frame of a page: it is loaded with
 * `blocking="render"`. Pictures marked `data-hero` with the path of their own page grow into
 * that page and shrink back.
 */

import { followTab, isTab } from "./tabs.js";
import { goBack } from "./trail.js";

/** The name under which a tap on `a[data-back]` is noted for the page that it leads to. */
const mark = "tintype-back";

// Chromium 156 notices too late that the style sheet asks for transitions, and skips this one ("opt-in disabled"),
// unless a script has read a style before the first frame.
void getComputedStyle(document.documentElement).color;

addEventListener("pageswap", (event) => {
  if (event.viewTransition && event.activation) direct(event, event.activation);
});

addEventListener("pagereveal", (event) => {
  const activation = globalThis.navigation?.activation;
  if (event.viewTransition && activation?.from) direct(event, activation);
  sessionStorage.removeItem(mark);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-back], nav.tabs a");
  if (!link || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  if (!("back" in link.dataset)) return followTab(link);
  event.preventDefault();
  sessionStorage.setItem(mark, link.href);
  goBack(link.href);
});

/** Sets the type of a transition, and names the picture that both pages show. */
function direct({ viewTransition }, { from, entry, navigationType }) {
  viewTransition.ready.catch(() => {
    // A skipped transition is no error.
  });
  const goesBack =
    sessionStorage.getItem(mark) === entry.url ||
    (navigationType === "traverse" && entry.index < from.index);
  const [fromTab, toTab] = [from.url, entry.url].map((url) => Boolean(url) && isTab(new URL(url)));
  if (toTab && (fromTab || (!goesBack && navigationType !== "traverse"))) {
    viewTransition.skipTransition();
    return;
  }
  viewTransition.types.add(goesBack ? "pop" : "push");
  nameHero(viewTransition, goesBack ? from.url : entry.url);
}

/** @param {string} url of the page that shows the picture large */
function nameHero(viewTransition, url) {
  if (!url) return;
  const path = CSS.escape(new URL(url).pathname);
  const picture = document.querySelector(`[data-hero="${path}"]`);
  if (!picture) return;
  viewTransition.types.add("hero");
  picture.style.viewTransitionName = "hero";
  viewTransition.finished.finally(() => (picture.style.viewTransitionName = ""));
}
