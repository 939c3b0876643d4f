/** The effects of changes on a draft, and the changes that undo them. */
import { fill, idOf, mostCells, relayout, restyle } from "./changes.js";
import { middle, rounded } from "../photos/placing.js";

/** @typedef {import("./changes.js").Change} Change */

const vacant = { account: null, assigned_to: null, photo: null, missing: false, ...middle };

/**
 * Returns a draft with a change, or the draft itself when the change has no effect on it.
 *
 * @param {object} draft as in the JSON interface; `spare`, when it is there, holds the cells behind the layout
 * @param {Change} change
 * @param {{layouts: Map<string, object>, viewer: object}} world
 */
export function apply(draft, change, { layouts, viewer }) {
  const { cells } = draft;
  switch (change.kind) {
    case "style": {
      const isNews = Object.entries(change.style).some(([name, value]) => draft[name] !== value);
      return isNews ? { ...draft, ...change.style } : draft;
    }
    case "layout": {
      const layout = layouts.get(change.layout);
      if (!layout || change.layout === draft.layout_id) return draft;
      const count = layout.cells.length;
      if (count === cells.length) return { ...draft, layout_id: change.layout };
      const all = arranged([...cells, ...(draft.spare ?? [])], count);
      return { ...draft, layout_id: change.layout, cells: all.slice(0, count), spare: all.slice(count) };
    }
    case "view":
      if (!concerns(draft, change) || isSame(cells[change.index], change.view)) return draft;
      return changed(draft, { [change.index]: change.view });
    case "fill":
      if (!cells[change.index]) return draft;
      return changed(draft, {
        [change.index]: { account: viewer, photo: change.photo, missing: false, ...change.view },
      });
    case "clear": {
      const { assigned_to } = cells[change.index] ?? {};
      if (!concerns(draft, change)) return draft;
      return changed(draft, { [change.index]: { ...vacant, assigned_to } });
    }
    case "swap": {
      if (!concerns(draft, change)) return draft;
      const { one, other } = change;
      return changed(draft, { [one]: cells[other], [other]: cells[one] });
    }
  }
}

/** Returns whether a draft still has in its cells what a change is about. */
export function concerns({ cells }, change) {
  const has = (index, photo) => cells[index] && idOf(cells[index]) === photo;
  if (change.kind === "view") return has(change.index, change.photo);
  if (change.kind === "fill") return change.index < cells.length;
  if (change.kind === "clear") return has(change.index, change.photo);
  if (change.kind === "swap") {
    return has(change.one, change.photos[0]) && has(change.other, change.photos[1]);
  }
  return true;
}

/**
 * Returns the change that undoes another one, worked out from the draft as it was before.
 *
 * @returns {Change | null} null when nothing can undo it, because another person's photo was removed
 */
export function inverse(draft, change, { viewer }) {
  const cell = draft.cells[change.index];
  switch (change.kind) {
    case "style": {
      const before = Object.keys(change.style).map((name) => [name, draft[name]]);
      return restyle(Object.fromEntries(before));
    }
    case "layout":
      return relayout(draft.layout_id);
    case "view":
      return { ...change, view: rounded(cell) };
    case "swap":
      return { ...change, photos: [...change.photos].reverse() };
    case "fill":
      if (!cell.photo) return { kind: "clear", index: change.index, photo: change.photo.id };
  }
  const isOwn = cell.photo && (!cell.account || cell.account.id === viewer.id);
  return isOwn ? fill(change.index, cell.photo, cell) : null;
}

function isSame(one, other) {
  return one.zoom === other.zoom && one.x === other.x && one.y === other.y;
}

function changed(draft, changes) {
  const cells = draft.cells.map((cell, index) => ({ ...cell, ...changes[index] }));
  return { ...draft, cells };
}

/**
 * Returns all cells for a layout of `count`. Photos keep their order: as long as a photo is beyond the layout, the last
 * empty cell of the layout moves to the end.
 */
function arranged(cells, count) {
  const all = [...cells];
  while (all.length < mostCells) all.push(vacant);
  while (all.slice(count).some(({ photo }) => photo)) {
    const hole = all.slice(0, count).findLastIndex((cell) => !cell.photo && !cell.assigned_to);
    if (hole < 0) break;
    all.push(...all.splice(hole, 1));
  }
  return all;
}
