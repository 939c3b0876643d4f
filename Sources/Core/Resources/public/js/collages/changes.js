/**
 * Changes of a collage as plain values: how they are made, when two are merged, and how they are sent.
 *
 * A change names the photos that it concerns. It has no effect on a draft that has other photos by now, because another
 * person or another device was first.
 *
 * @typedef {import("../photos/placing.js").View} View
 * @typedef {{id: string, description: string | null, meta: {original: {width: number, height: number}}}} Photo
 * @typedef {{kind: "style", style: object} | {kind: "layout", layout: string}
 *   | {kind: "view", index: number, photo: string, view: View}
 *   | {kind: "fill", index: number, photo: Photo, view: View}
 *   | {kind: "clear", index: number, photo: string | null}
 *   | {kind: "swap", one: number, other: number, photos: (string | null)[]}} Change
 */
import { middle, rounded } from "../photos/placing.js";

/** Cells of a draft: those of its layout, and behind them photos that wait for a layout with more room. */
export const mostCells = 9;

/**
 * Makes a change of spacing, corners or background.
 *
 * @returns {Change}
 */
export const restyle = (style) => ({ kind: "style", style });

/**
 * Makes a change of the layout.
 *
 * @param {string} layout its id
 * @returns {Change}
 */
export const relayout = (layout) => ({ kind: "layout", layout });

/**
 * Makes a change of which part of its photo a cell shows.
 *
 * @param {View} view
 * @returns {Change}
 */
export const look = (draft, index, view) => ({
  kind: "view",
  index,
  photo: idOf(draft.cells[index]),
  view: rounded(view),
});

/**
 * Makes a change that puts a photo into a cell.
 *
 * @returns {Change}
 */
export const fill = (index, { id, description, meta: { original } }, view = middle) => ({
  kind: "fill",
  index,
  // Only what a cell shows of the media attachment is kept.
  photo: { id, description, meta: { original: { width: original.width, height: original.height } } },
  view: rounded(view),
});

/**
 * Makes a change that empties a cell.
 *
 * @returns {Change}
 */
export const clear = (draft, index) => ({ kind: "clear", index, photo: idOf(draft.cells[index]) });

/**
 * Makes a change that lets the photos of two cells change places.
 *
 * @returns {Change}
 */
export const swap = (draft, one, other) => ({
  kind: "swap",
  one,
  other,
  photos: [one, other].map((index) => idOf(draft.cells[index])),
});

/**
 * Returns one change with the effect of two in a row.
 *
 * @param {Change} first
 * @param {Change} second
 * @returns {Change | null | undefined} null when the second undoes the first, undefined when they can't be merged
 */
export function merged(first, second) {
  if (first.kind === "style" && second.kind === "style") {
    return { ...first, style: { ...first.style, ...second.style } };
  }
  if (first.kind === "layout" && second.kind === "layout") return { ...first, layout: second.layout };
  if (first.kind === "swap" && second.kind === "swap") {
    const pair = ({ one, other }) => [one, other].sort().join();
    return pair(first) === pair(second) ? null : undefined;
  }
  if (!("index" in first && "index" in second) || first.index !== second.index) return undefined;
  if (first.kind === "fill" && second.kind === "fill") return { ...first, photo: second.photo, view: second.view };
  if (second.kind !== "view") return undefined;
  if (first.kind === "view" && first.photo === second.photo) return { ...first, view: second.view };
  if (first.kind === "fill" && first.photo.id === second.photo) return { ...first, view: second.view };
  return undefined;
}

/** Returns whether two changes have the same effect in either order. */
export function commute(one, other) {
  const [mine, others] = [touched(one), touched(other)];
  return !mine.some((part) => others.includes(part));
}

/**
 * Returns the request that makes a change: method, path below that of the draft, and body.
 *
 * @param {Change} change
 * @returns {[string, string, object?]}
 */
export function requestOf(change) {
  const cell = ({ index }) => `/cells/${index}`;
  switch (change.kind) {
    case "style":
      return ["PATCH", "", change.style];
    case "layout":
      return ["PATCH", "", { layout_id: change.layout }];
    case "view":
      return ["PUT", cell(change), change.view];
    case "fill":
      return ["PUT", cell(change), { photo_id: change.photo.id, ...change.view }];
    case "clear":
      return ["DELETE", cell(change)];
    case "swap":
      return ["POST", "/swap", { one: change.one, other: change.other }];
  }
}

/** Returns the id of a cell's photo, null for an empty cell. */
export function idOf(cell) {
  return cell?.photo?.id ?? null;
}

/** Returns the parts of a draft that a change concerns. */
function touched(change) {
  const all = Array.from({ length: mostCells }, (_, index) => index);
  if (change.kind === "style") return ["style"];
  if (change.kind === "layout") return ["layout", ...all];
  return change.kind === "swap" ? [change.one, change.other] : [change.index];
}
