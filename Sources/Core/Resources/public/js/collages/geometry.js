/**
 * Where the cells of a collage are, in pixels of a square of 400. The server renders from the same numbers.
 *
 * @typedef {import("../photos/placing.js").Point} Point
 * @typedef {import("../photos/placing.js").Box} Box
 */

/** The side of the square. */
export const side = 400;

/** Up to how many times a photo may be enlarged. */
export const largest = 8;

/**
 * Returns the frame of a layout's cell.
 *
 * @param {Box} cell in the unit square
 * @returns {Box}
 */
export function frameOf(cell, spacing) {
  const room = side - spacing;
  return {
    x: spacing + cell.x * room,
    y: spacing + cell.y * room,
    width: cell.width * room - spacing,
    height: cell.height * room - spacing,
  };
}

/**
 * Returns the radius of a frame's corners: never more than half of its shorter side.
 *
 * @param {Box} frame
 */
export function cornerOf(frame, radius) {
  return Math.min(radius, frame.width / 2, frame.height / 2);
}

/**
 * Returns whether a point is in a box.
 *
 * @param {Box} box
 * @param {Point} point
 */
export function contains(box, { x, y }) {
  return x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;
}
