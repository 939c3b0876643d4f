import { fitted, shaped } from "./geometry.js";

/**
 * What has been done to a photo. An edit is never changed: each step makes a new one, so undoing is going back.
 *
 * Positions and sizes are in parts of the longer side of the photo as it is turned and mirrored, from its left upper
 * corner; so a later cut moves nothing that was drawn.
 *
 * @typedef {import("./geometry.js").Frame} Frame
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {import("./geometry.js").Size} Size
 *
 * @typedef {{kind: "stroke", id: number, tool: "pen" | "marker", colour: string, width: number, points: Point[]}} Stroke
 * @typedef {{kind: "text", id: number, text: string, font: string, colour: string, size: number, angle: number,
 *   x: number, y: number, width: number, hasPlate: boolean}} Text its middle, the height of its letters, and how long its
 *   lines may be
 * @typedef {{kind: "blur", id: number, x: number, y: number, width: number, height: number}} Blur an oval by its middle
 * @typedef {Stroke | Text | Blur} Mark
 *
 * @typedef {object} Edit
 * @property {Size} size of the photo as it is turned; its longer side is 1
 * @property {number} quarters clockwise quarter turns, 0 to 3, after it was mirrored
 * @property {boolean} isMirrored
 * @property {number} angle by which it is straightened, in degrees clockwise, -45 to 45
 * @property {Frame} crop the frame as the person chose it; `frameOf()` makes it fit
 * @property {number | null} aspect width / height that the frame keeps
 * @property {{name: string, strength: number} | null} filter strength 0 to 1
 * @property {readonly Mark[]} marks in the order in which they were made
 */

/** The most texts, lines and blurred parts of a photo. */
export const mostMarks = 100;

/** The most characters of a text. */
export const mostCharacters = 200;

/**
 * Returns the edit of an untouched photo.
 *
 * @param {Size} pixels
 * @returns {Edit}
 */
export function untouched({ width, height }) {
  const longer = Math.max(width, height);
  const size = { width: width / longer, height: height / longer };
  return {
    size,
    quarters: 0,
    isMirrored: false,
    angle: 0,
    crop: whole(size),
    aspect: null,
    filter: null,
    marks: [],
  };
}

/**
 * Returns the frame around a whole photo.
 *
 * @param {Size} size
 * @returns {Frame}
 */
export const whole = ({ width, height }) => ({ x: width / 2, y: height / 2, width, height });

/**
 * Returns the frame that is cut out. A frame that was chosen before the photo was straightened becomes smaller, and
 * large again when the photo is straightened back.
 *
 * @param {Edit} edit
 */
export function frameOf({ crop, angle, size }) {
  return fitted(crop, angle, size);
}

/**
 * Turns the photo, with all that was done to it, a quarter to the left.
 *
 * @param {Edit} edit
 * @returns {Edit}
 */
export function turnedLeft(edit) {
  const { width } = edit.size;
  const place = ({ x, y }) => ({ x: y, y: width - x });
  const lay = (box) => ({ ...box, ...place(box), width: box.height, height: box.width });
  const turn = (mark) => {
    if (mark.kind === "stroke") return { ...mark, points: mark.points.map(place) };
    if (mark.kind === "blur") return lay(mark);
    return { ...mark, ...place(mark), angle: upright(mark.angle - 90) };
  };
  return {
    ...edit,
    size: { width: edit.size.height, height: width },
    quarters: (edit.quarters + 3) % 4,
    crop: lay(edit.crop),
    aspect: edit.aspect && 1 / edit.aspect,
    marks: edit.marks.map(turn),
  };
}

/**
 * Mirrors the photo left to right, with all that was done to it. Texts stay readable.
 *
 * @param {Edit} edit
 * @returns {Edit}
 */
export function mirrored(edit) {
  const place = ({ x, y }) => ({ x: edit.size.width - x, y });
  const mirror = (mark) => {
    if (mark.kind === "stroke") return { ...mark, points: mark.points.map(place) };
    return { ...mark, ...place(mark), ...(mark.kind === "text" ? { angle: -mark.angle } : {}) };
  };
  return {
    ...edit,
    quarters: (4 - edit.quarters) % 4,
    isMirrored: !edit.isMirrored,
    angle: -edit.angle,
    crop: { ...edit.crop, ...place(edit.crop) },
    marks: edit.marks.map(mirror),
  };
}

/**
 * Gives the frame some proportions, or lets it have any.
 *
 * @param {Edit} edit
 * @param {number | null} aspect
 * @returns {Edit}
 */
export function withAspect(edit, aspect) {
  if (aspect === null) return { ...edit, aspect };
  return { ...edit, aspect, crop: shaped(frameOf(edit), aspect, edit.angle, edit.size) };
}

/** Returns an angle between -180 and 180 degrees. */
export function upright(angle) {
  const rest = ((((angle + 180) % 360) + 360) % 360) - 180;
  return rest === -180 ? 180 : rest;
}

/**
 * Adds a mark, or puts it in the place of the one with the same id.
 *
 * @param {Edit} edit
 * @param {Mark} mark
 * @returns {Edit}
 */
export function withMark(edit, mark) {
  const isKnown = edit.marks.some(({ id }) => id === mark.id);
  const marks = isKnown ? edit.marks.map((one) => (one.id === mark.id ? mark : one)) : [...edit.marks, mark];
  return { ...edit, marks };
}

/**
 * Removes a mark.
 *
 * @param {Edit} edit
 * @param {number} id
 * @returns {Edit}
 */
export function withoutMark(edit, id) {
  return { ...edit, marks: edit.marks.filter((mark) => mark.id !== id) };
}

/**
 * Returns whether a text is still being written: nothing of it would be seen.
 *
 * @param {Mark} mark
 */
export function isEmpty(mark) {
  return mark.kind === "text" && mark.text.trim() === "";
}

/**
 * Returns an edit without texts that nobody has written.
 *
 * @param {Edit} edit
 * @returns {Edit}
 */
export function withoutEmptyTexts(edit) {
  return { ...edit, marks: edit.marks.filter((mark) => !isEmpty(mark)) };
}

/**
 * Returns whether two edits make the same picture.
 *
 * @param {Edit} one
 * @param {Edit} other
 */
export function isSame({ marks, ...one }, { marks: otherMarks, ...other }) {
  const areSameMarks = marks.length === otherMarks.length && marks.every((mark, index) => mark === otherMarks[index]);
  return areSameMarks && JSON.stringify(one) === JSON.stringify(other);
}
