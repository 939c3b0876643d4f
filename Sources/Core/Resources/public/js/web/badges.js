/**
 * Keeps the badges of the frame, `[data-badge=snaps]`, `[data-badge=friends]` and
 * `[data-badge=notifications]`, at what the server counts. A badge starts with its number, or
 * is a bare dot.
 */
addEventListener("tintype:counts", ({ detail: counts }) => {
  for (const badge of document.querySelectorAll("[data-badge]")) {
    const value = counts[badge.dataset.badge];
    if (value === undefined) continue;
    badge.hidden = value === 0;
    if (badge.firstChild) badge.firstChild.textContent = value;
  }
});
