import { readableOn } from "./colours.js";
import { familyOf } from "./fonts.js";

/**
 * How a photo and its marks are drawn: in the preview and, in a worker, in the picture that is sent.
 *
 * @typedef {OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D} Context
 * @typedef {import("./edit.js").Edit} Edit
 * @typedef {import("./edit.js").Mark} Mark
 *
 * @typedef {{canvas: CanvasImageSource, matrix: DOMMatrix, perUnit: number}} Level a smaller copy of the photo: from
 *   units to its pixels, and pixels for each unit
 * @typedef {{levels: Level[], strength: number}} Layer copies of one look of the photo, largest first, the last one
 *   a single pixel; and how much of it shows over the layers before it
 */

/** How many parts of one colour a blurred oval has along its longer side: too few for a face or a number plate. */
const cells = 7;

/** Parts of a text's height: between two lines, and around it on its plate. */
const lineHeight = 1.2;
const padding = { across: 0.35, down: 0.16 };

/** The height of letters, in pixels, in which texts are broken into lines. */
const measured = 100;

/** A line whose first letter belongs to a script that is written from right to left. */
const rightToLeft = /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** How much of the photo a marker covers. */
const markerStrength = 0.45;

/**
 * Draws the whole photo, turned and mirrored.
 *
 * @param {Context} context whose unit is the photo's longer side
 * @param {CanvasImageSource} photo as it came from the file
 * @param {Pick<Edit, "size" | "quarters" | "isMirrored">} edit
 */
export function drawPhoto(context, photo, { size, quarters, isMirrored }) {
  const isOnSide = quarters % 2 === 1;
  const [width, height] = isOnSide ? [size.height, size.width] : [size.width, size.height];
  context.save();
  context.imageSmoothingQuality = "high";
  context.translate(size.width / 2, size.height / 2);
  context.rotate((quarters * Math.PI) / 2);
  if (isMirrored) context.scale(-1, 1);
  // What is transparent is white in a JPEG.
  context.fillStyle = "white";
  context.fillRect(-width / 2, -height / 2, width, height);
  context.drawImage(photo, -width / 2, -height / 2, width, height);
  context.restore();
}

/**
 * Draws marks: blurred parts first, so that they hide what is in the photo and not what was written on it.
 *
 * @param {Context} context whose origin is the photo's corner; its unit is a pixel
 * @param {readonly Mark[]} marks
 * @param {number} scale pixels for each unit of the marks
 * @param {() => Layer[]} layers of the photo, asked for only when something is blurred
 */
export function drawMarks(context, marks, scale, layers) {
  const blurs = /** @type {import("./edit.js").Blur[]} */ (marks.filter(({ kind }) => kind === "blur"));
  if (blurs.length > 0) {
    const known = layers();
    for (const blur of blurs) drawBlur(context, blur, scale, known);
  }
  for (const mark of marks) {
    if (mark.kind === "stroke") drawStroke(context, mark, scale);
    if (mark.kind === "text") drawText(context, mark, scale);
  }
}

/**
 * Returns a photo in smaller and smaller copies, each half as large, of which each pixel is the mean of four.
 *
 * @param {CanvasImageSource & {width: number, height: number}} canvas
 * @param {DOMMatrix} matrix from units to its pixels
 * @param {number} perUnit its pixels for each unit
 * @returns {Level[]}
 */
export function levelsOf(canvas, matrix, perUnit) {
  const levels = [{ canvas, matrix, perUnit }];
  let { width, height } = canvas;
  while (width > 1 || height > 1) {
    const last = levels.at(-1);
    const [half, high] = [Math.max(1, Math.floor(width / 2)), Math.max(1, Math.floor(height / 2))];
    const smaller = new OffscreenCanvas(half, high);
    smaller.getContext("2d").drawImage(last.canvas, 0, 0, half, high);
    const shrinking = new DOMMatrix().scale(half / width, high / height);
    levels.push({ canvas: smaller, matrix: shrinking.multiply(last.matrix), perUnit: last.perUnit / 2 });
    [width, height] = [half, high];
  }
  return levels;
}

function drawBlur(context, { x, y, width, height }, scale, layers) {
  const longer = Math.max(width, height);
  const columns = Math.max(2, Math.round((cells * width) / longer));
  const rows = Math.max(2, Math.round((cells * height) / longer));
  const toCells = new DOMMatrix().scale(columns / width, rows / height).translate(-(x - width / 2), -(y - height / 2));
  const coarse = new OffscreenCanvas(columns, rows);
  for (const { levels, strength } of layers) {
    const picture = coarse.getContext("2d");
    picture.globalAlpha = strength;
    picture.drawImage(coarseOf(levels, { columns, rows, toCells, longer }), 0, 0);
  }
  context.save();
  context.beginPath();
  context.ellipse(x * scale, y * scale, (width * scale) / 2, (height * scale) / 2, 0, 0, 2 * Math.PI);
  context.clip();
  context.imageSmoothingQuality = "high";
  context.drawImage(coarse, (x - width / 2) * scale, (y - height / 2) * scale, width * scale, height * scale);
  context.restore();
}

/** Returns a part of the photo in so many columns and rows. */
function coarseOf(levels, { columns, rows, toCells, longer }) {
  const canvas = new OffscreenCanvas(columns, rows);
  const context = canvas.getContext("2d");
  // The mean of all first: where the photo ends, nothing that lies below may shine through.
  context.drawImage(levels.at(-1).canvas, 0, 0, columns, rows);
  const level = levels.findLast(({ perUnit }) => perUnit * longer >= 2 * cells) ?? levels[0];
  context.setTransform(toCells.multiply(level.matrix.inverse()));
  context.drawImage(level.canvas, 0, 0);
  return canvas;
}

function drawStroke(context, { tool, colour, width, points }, scale) {
  context.save();
  context.globalAlpha = tool === "marker" ? markerStrength : 1;
  context.strokeStyle = colour;
  context.lineWidth = width * scale;
  context.lineCap = context.lineJoin = "round";
  const [first, ...rest] = points.map(({ x, y }) => ({ x: x * scale, y: y * scale }));
  context.beginPath();
  context.moveTo(first.x, first.y);
  // A curve through the middles between points has no corners.
  for (const [index, point] of rest.entries()) {
    const next = rest[index + 1];
    if (next) context.quadraticCurveTo(point.x, point.y, (point.x + next.x) / 2, (point.y + next.y) / 2);
    else context.lineTo(point.x, point.y);
  }
  // A tap is a dot.
  if (rest.length === 0) context.lineTo(first.x, first.y);
  context.stroke();
  context.restore();
}

function drawText(context, mark, scale) {
  const { colour, size, angle, x, y, hasPlate } = mark;
  const pixels = size * scale;
  const lines = linesOf(context, mark);
  const { width, height } = textBox(context, mark, scale);
  context.save();
  context.translate(x * scale, y * scale);
  context.rotate((angle * Math.PI) / 180);
  if (hasPlate) {
    context.fillStyle = colour;
    context.beginPath();
    context.roundRect(-width / 2, -height / 2, width, height, pixels * 0.22);
    context.fill();
  }
  context.font = fontOf(mark, pixels);
  context.fillStyle = hasPlate ? readableOn(colour) : colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (const [index, line] of lines.entries()) {
    context.direction = rightToLeft.test(line) ? "rtl" : "ltr";
    context.fillText(line, 0, (index - (lines.length - 1) / 2) * pixels * lineHeight);
  }
  context.restore();
}

/**
 * Breaks a text into lines that are as long as they may be. Measured in one size of letters, so that the preview and the
 * picture break it in the same places.
 */
function linesOf(context, mark) {
  context.save();
  context.font = fontOf(mark, measured);
  const longest = (mark.width / mark.size) * measured;
  const fits = (line) => context.measureText(line).width <= longest;
  const lines = mark.text.split("\n").flatMap((paragraph) => {
    const broken = [""];
    for (const word of paragraph.split(/(?<=\s)/)) {
      const line = broken.at(-1) + word;
      if (fits(line.trimEnd())) broken[broken.length - 1] = line;
      else if (fits(word.trimEnd())) broken.push(word);
      else broken.push(...brokenWord(word, fits));
    }
    return broken[0] === "" && broken.length > 1 ? broken.slice(1) : broken;
  });
  context.restore();
  return lines.map((line) => line.trimEnd());
}

/** Breaks a word that is longer than a line. */
function brokenWord(word, fits) {
  const parts = [""];
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (parts.at(-1) === "" || fits(parts.at(-1) + segment)) parts[parts.length - 1] += segment;
    else parts.push(segment);
  }
  return parts;
}

const fontOf = ({ font }, pixels) => `700 ${pixels}px ${familyOf(font)}`;

/**
 * Measures a text with its plate, before it is turned.
 *
 * @param {Context} context
 * @param {import("./edit.js").Text} mark
 * @param {number} scale
 * @returns {{width: number, height: number}} in pixels
 */
export function textBox(context, mark, scale) {
  const pixels = mark.size * scale;
  const lines = linesOf(context, mark);
  context.save();
  context.font = fontOf(mark, pixels);
  const width = Math.max(...lines.map((line) => context.measureText(line).width));
  context.restore();
  return {
    width: width + 2 * padding.across * pixels,
    height: (lines.length * lineHeight + 2 * padding.down) * pixels,
  };
}
