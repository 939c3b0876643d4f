/**
 * What every page has, and what some pages bring. What features have in the browser is in `features.js`, which the
 * server writes from what each feature declares (`FeatureScripts.swift`).
 */
import { features } from "./features.js";
import "./web/badges.js";
import "./web/flash-message.js";
import "./web/navigation.js";
import { showPlaceholders } from "./web/placeholder.js";

const page = document.documentElement;

const { account, loggedOut } = page.dataset;
// A page without an account isn't always one after a log-out: some errors are answered before the log-in is looked up.
const isForThis = ({ isForEveryone }) => account || (isForEveryone && loggedOut !== undefined);
const background = Promise.all(features.background.filter(isForThis).map(({ path }) => import(path)));
/** Reports a script that isn’t loaded: the network was lost, or the page is being left. The next page tries again. */
const goOnWithout = (error) => console.warn("A script isn’t loaded:", error.message);
const backgroundStarted = background.catch(goOnWithout);

/** Loads the scripts of the custom elements that are on the page and not yet defined. */
async function loadElements() {
  // A narrow screen doesn't load what it doesn't show.
  const isShown = (element) => !("lazy" in element.dataset) || element.offsetParent;
  const unknown = [...document.querySelectorAll(":not(:defined)")].filter(isShown);
  const names = new Set(unknown.map((element) => element.localName));
  const paths = [...names].map((name) => features.elements[name]).filter(Boolean);
  await Promise.all([backgroundStarted, ...paths.map((path) => import(path))]);
  page.dataset.ready = "on";
}

/** Lets sheets be pulled down. They have buttons too, which still close them when this script can't be loaded. */
function letSheetsBePulled() {
  import("./web/sheet-pull.js").catch(() => {});
}

function lookAround() {
  showPlaceholders(document);
  if (document.querySelector("dialog.sheet")) letSheetsBePulled();
  loadElements().catch(goOnWithout);
}

// Most sheets of a page are never opened, and load nothing until they are.
document.addEventListener("beforetoggle", letSheetsBePulled, { capture: true, once: true });
addEventListener("resize", lookAround);

// WebKit gives up on scripts that were still loading when a page was left, and shows that page again after Back.
addEventListener("pageshow", ({ persisted }) => persisted && page.dataset.ready !== "on" && location.reload());

new MutationObserver(lookAround).observe(document.body, { childList: true, subtree: true });
lookAround();

// When the focus leaves a sheet or the menu, it closes, so that it never covers what has the focus.
document.addEventListener("focusin", ({ target }) => {
  const over = document.querySelector(":popover-open");
  if (target.matches(":focus-visible") && !over?.contains(target)) over?.hidePopover();
});

if (!CSS.supports("field-sizing", "content")) import("./web/growing-text.js");

if (account) {
  import("./web/events.js").then((events) => events.start(), goOnWithout);
  addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.action.endsWith("/logout")) return;
    event.preventDefault();
    // Logging out must work even when the script that asks first can't be loaded.
    import("./web/log-out.js").then(({ logOut }) => logOut(form, background)).catch(() => form.submit());
  });
}
import("./offline/start.js").catch(goOnWithout);
