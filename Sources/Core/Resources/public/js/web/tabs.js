/** The tabs keep their places: the link of a tab leads back to the part of its list that was shown last. */
import { recall, remember } from "./browser-memory.js";
import { isByTab, noteScreen } from "./trail.js";

if (isByTab) scrollTo(0, recall(nameOf(location))?.top ?? 0);

addEventListener("pagehide", () => {
  const place = { url: location.pathname + location.search, top: scrollY };
  if (isTab(location)) remember(nameOf(location), place);
});

/**
 * Returns whether an address is that of a tab, or of a part of its list.
 *
 * @param {{pathname: string}} address
 */
export function isTab({ pathname }) {
  return [...document.querySelectorAll("nav.tabs a")].some((link) => link.pathname === pathname);
}

/**
 * Prepares to follow the link of a tab. The link of the tab that is already shown leads to its top.
 *
 * @param {HTMLAnchorElement} link
 */
export function followTab(link) {
  if (link.pathname === location.pathname) return;
  noteScreen("tab");
  link.href = recall(nameOf(link))?.url ?? link.href;
}

function nameOf({ pathname }) {
  return `tab:${pathname}`;
}
