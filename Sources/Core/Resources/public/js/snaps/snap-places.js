/**
 * Arranges a new list of snaps in the order that is shown: a viewed snap, which the server lists further down, stays
 * between its neighbours. New snaps are added after the snap before them, or at the top.
 *
 * @param {HTMLElement} shown lists `ul.rows` of `li[data-snap]`, in sections `[data-feed]` or alone
 * @param {DocumentFragment} fresh the same lists from the server, which are changed
 * @param {Set<string>} seen viewed snaps, which stay even in a list of unseen snaps
 */
export function keepPlaces(shown, fresh, seen) {
  for (const before of shown.querySelectorAll("ul.rows")) {
    const feed = before.closest("[data-feed]")?.dataset.feed;
    const place = feed === undefined ? fresh : fresh.querySelector(`[data-feed="${CSS.escape(feed)}"]`);
    const after = place?.querySelector("ul.rows");
    if (after) arrange(before, after, feed === undefined ? seen : new Set());
    else if (feed === undefined && rowsOf(before).some(({ dataset }) => seen.has(dataset.snap))) {
      fresh.prepend(keptOf(before, seen));
    }
  }
}

/** @param {HTMLElement} before @param {HTMLElement} after the list that is changed @param {Set<string>} seen */
function arrange(before, after, seen) {
  const fresh = new Map(rowsOf(after).map((row) => [row.dataset.snap, row]));
  const known = new Set(rowsOf(before).map(({ dataset }) => dataset.snap));
  const rows = rowsOf(before)
    .map((row) => fresh.get(row.dataset.snap) ?? (seen.has(row.dataset.snap) ? row : null))
    .filter(Boolean);
  let last = null;
  for (const [id, row] of fresh) {
    if (!known.has(id)) rows.splice(rows.indexOf(last) + 1, 0, row);
    last = row;
  }
  after.replaceChildren(...rows);
}

/** Returns a copy of a list with the viewed snaps only. */
function keptOf(list, seen) {
  const kept = list.cloneNode();
  kept.append(...rowsOf(list).filter(({ dataset }) => seen.has(dataset.snap)));
  return kept;
}

const rowsOf = (list) => [...list.querySelectorAll(":scope > [data-snap]")];
