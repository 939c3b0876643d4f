/**
 * What every page has, and what some pages bring. What features have in the browser is in `features.js`, which the server
 * writes from what each feature declares (`FeatureScripts.swift`).
 */
import { features } from "./features.js";
import "./web/badges.js";
import "./web/flash-message.js";
import "./web/navigation.js";
import { showPlaceholders } from "./web/placeholder.js";

const page = document.documentElement;

/** Loads what the page holds and does not know yet. */
async function loadElements() {
  // What narrow screens don't show, they don't load.
  const isShown = (element) => !("lazy" in element.dataset) || element.offsetParent;
  const unknown = [...document.querySelectorAll(":not(:defined)")].filter(isShown);
  const names = new Set(unknown.map((element) => element.localName));
  const paths = [...names].map((name) => features.elements[name]).filter(Boolean);
  await Promise.all(paths.map((path) => import(path)));
  page.dataset.ready = "on";
}

/** Sheets have buttons too, so offline, where this can't be loaded, they close by those. */
function letSheetsBePulled() {
  import("./web/sheet-pull.js").catch(() => {});
}

function lookAround() {
  showPlaceholders(document);
  if (document.querySelector("dialog.sheet")) letSheetsBePulled();
  loadElements();
}

// Most sheets of a page are never opened, and load nothing until they are.
document.addEventListener("beforetoggle", letSheetsBePulled, { capture: true, once: true });
addEventListener("resize", lookAround);

new MutationObserver(lookAround).observe(document.body, { childList: true, subtree: true });
lookAround();

// A keyboard that goes past a sheet or the menu closes it: what has the focus must not lie under it.
document.addEventListener("focusin", ({ target }) => {
  const over = document.querySelector(":popover-open");
  if (target.matches(":focus-visible") && !over?.contains(target)) over?.hidePopover();
});

if (!CSS.supports("field-sizing", "content")) import("./web/growing-text.js");

const { account } = page.dataset;
const inBackground = features.background.filter(({ isForEveryone }) => account || isForEveryone);
const background = Promise.all(inBackground.map(({ path }) => import(path)));
if (account) {
  import("./web/events.js").then((events) => events.start());
  addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.action.endsWith("/logout")) return;
    event.preventDefault();
    // Logging out must work even where the scripts that would ask can't be loaded.
    import("./web/log-out.js").then(({ logOut }) => logOut(form, background)).catch(() => form.submit());
  });
}
import("./offline/start.js");
