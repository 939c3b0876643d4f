import { isInstalled } from "./visits.js";

/**
 * Keeps the badges of the frame, `[data-badge=snaps]`, `[data-badge=friends]` and
 * `[data-badge=notifications]`, at what the server counts. A badge starts with its number, or
 * is a bare dot. The installed app's symbol shows how many notifications are unread.
 */
addEventListener("tintype:counts", ({ detail: counts }) => {
  if (counts.notifications !== undefined) showOnSymbol(counts.notifications);
  for (const badge of document.querySelectorAll("[data-badge]")) {
    const value = counts[badge.dataset.badge];
    if (value === undefined) continue;
    badge.hidden = value === 0;
    if (badge.firstChild) badge.firstChild.textContent = value;
  }
});

/** Shows a number on the app's symbol; a page in a browser's tab has none. */
function showOnSymbol(number) {
  if (!isInstalled()) return;
  const shown = number > 0 ? navigator.setAppBadge?.(number) : navigator.clearAppBadge?.();
  shown?.catch(() => {}); // Refused in private windows.
}

if (!document.documentElement.dataset.account) showOnSymbol(0);
