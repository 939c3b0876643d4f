import { pictureOf } from "../photos/placing.js";

/**
 * The geometry of a pair's two photos, in CSS pixels. The server renders from the same numbers.
 *
 * @typedef {{width: number, height: number}} Size
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 * @typedef {"slider" | "stacked" | "side_by_side" | "fade"} Mode
 */

/** Pixels between two halves. */
const gap = 2;

/** The number of halves beside each other and above each other. */
const grids = { slider: [1, 1], fade: [1, 1], stacked: [1, 2], side_by_side: [2, 1] };

/**
 * Returns the largest picture of a presentation that fits into some room, and the boxes of its halves in it.
 *
 * @param {Mode} mode
 * @param {number} aspect width / height of a half
 * @param {Size} room
 * @returns {Size & {then: Box, now: Box}}
 */
export function layOut(mode, aspect, room) {
  const [columns, rows] = grids[mode] ?? grids.slider;
  const most = { width: (room.width - (columns - 1) * gap) / columns, height: (room.height - (rows - 1) * gap) / rows };
  const width = Math.max(1, Math.min(most.width, most.height * aspect));
  const half = { width, height: width / aspect };
  return {
    width: columns * half.width + (columns - 1) * gap,
    height: rows * half.height + (rows - 1) * gap,
    then: { x: 0, y: 0, ...half },
    now: { x: (columns - 1) * (half.width + gap), y: (rows - 1) * (half.height + gap), ...half },
  };
}

/**
 * Draws a photo into its half: the half shows the crop of the pair's frame, and the frame shows a view of the photo.
 *
 * @param {HTMLElement} half with an element for the frame, which has an `<img>`
 * @param {Size} size of the half
 * @param {object} look
 * @param {Box} look.crop in the unit square
 * @param {{zoom: number, x: number, y: number}} look.view
 * @param {number[] | null} look.map takes the frame's unit square to that of then
 */
export function draw(half, size, { crop, view, map }) {
  const frame = /** @type {HTMLElement} */ (half.firstElementChild);
  const picture = frame.querySelector("img");
  const whole = { width: size.width / crop.width, height: size.height / crop.height };
  const moved = `translate(${-crop.x * whole.width}px, ${-crop.y * whole.height}px)`;
  put(frame, { x: 0, y: 0, ...whole });
  frame.style.transform = map ? `${moved} ${matrix(map, whole)}` : moved;
  const natural = { width: Number(picture.getAttribute("width")), height: Number(picture.getAttribute("height")) };
  put(picture, pictureOf({ x: 0, y: 0, ...whole }, natural, view));
}

/**
 * Gives an element its place and size.
 *
 * @param {HTMLElement} element
 * @param {Box} box
 */
export function put(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}

/**
 * Returns a map of the unit square as the CSS transform of an element whose origin is at the upper left.
 *
 * CSS writes 4 × 4 matrices column by column. z doesn't change.
 *
 * @param {number[]} map nine numbers, row by row
 * @param {Size} size of the element
 */
export function matrix([a, b, c, d, e, f, g, h, i], { width, height }) {
  const columns = [
    [a, (d * height) / width, 0, g / width],
    [(b * width) / height, e, 0, h / height],
    [0, 0, 1, 0],
    [c * width, f * height, 0, i],
  ];
  // CSS reads no exponents in older browsers, and needs no more digits.
  return `matrix3d(${columns.flat().map((value) => Number(value.toFixed(9))).join(", ")})`;
}
