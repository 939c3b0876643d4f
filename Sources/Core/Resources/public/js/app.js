/** The scripts' table of contents: what every page has, and what some pages bring. */
import { showPlaceholders } from "./photos/placeholder.js";
import "./web/badges.js";
import "./web/flash-message.js";
import "./web/navigation.js";

/** The module of each custom element, loaded when the first such element is on the page. */
const modules = {
  "chat-composer": "./chats/chat-composer.js",
  "chat-list": "./chats/chat-list.js",
  "chat-thread": "./chats/chat-thread.js",
  "collage-card": "./collages/collage-card.js",
  "collage-editor": "./collages/collage-editor.js",
  "comment-thread": "./posts/comment-thread.js",
  "contract-form": "./contracts/contract-form.js",
  "contract-live": "./contracts/contract-live.js",
  "copy-link": "./web/copy-link.js",
  "count-down": "./contracts/count-down.js",
  "download-status": "./accounts/download-status.js",
  "endless-list": "./web/endless-list.js",
  "exchange-list": "./chats/exchange-list.js",
  "feed-picker": "./snaps/feed-picker.js",
  "follow-button": "./accounts/follow-button.js",
  "guest-link": "./sharing/guest-link.js",
  "live-search": "./web/live-search.js",
  "local-time": "./web/local-time.js",
  "nearby-search": "./past-photos/nearby-search.js",
  "new-posts": "./posts/new-posts.js",
  "notification-list": "./notifications/notification-list.js",
  "pair-points": "./then-and-now/pair-points.js",
  "pair-view": "./then-and-now/pair-view.js",
  "past-choice": "./then-and-now/past-choice.js",
  "photo-carousel": "./posts/photo-carousel.js",
  "photo-upload": "./photos/photo-upload.js",
  "photo-viewer": "./photos/photo-viewer.js",
  "portrait-form": "./accounts/portrait-form.js",
  "portrait-picker": "./accounts/portrait-picker.js",
  "post-card": "./posts/post-card.js",
  "post-composer": "./posts/post-composer.js",
  "radius-slider": "./past-photos/radius-slider.js",
  "relative-time": "./web/relative-time.js",
  "share-button": "./web/share-button.js",
  "shared-post": "./posts/shared-post.js",
  "side-menu": "./web/side-menu.js",
  "snap-camera": "./snaps/snap-camera.js",
  "snap-composer": "./snaps/snap-composer.js",
  "snap-list": "./snaps/snap-list.js",
  "text-counter": "./web/text-counter.js",
  "then-and-now": "./then-and-now/then-and-now.js",
  "waiting-pairs": "./then-and-now/waiting-cells.js",
  "year-sequence": "./then-and-now/year-sequence.js",
  "year-wheel": "./past-photos/year-wheel.js",
};

const page = document.documentElement;

/** Loads what the page holds and does not know yet. */
async function loadElements() {
  // What narrow screens don't show, they don't load.
  const isShown = (element) => !("lazy" in element.dataset) || element.offsetParent;
  const unknown = [...document.querySelectorAll(":not(:defined)")].filter(isShown);
  const names = new Set(unknown.map((element) => element.localName));
  const paths = [...names].map((name) => modules[name]).filter(Boolean);
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

if (page.dataset.account) {
  import("./web/events.js").then((events) => events.start());
  import("./chats/background.js");
}
import("./offline/start.js");
