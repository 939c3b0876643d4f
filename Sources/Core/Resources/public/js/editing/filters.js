/**
 * The filters: each makes red, green and blue of a pixel from all three and a constant, `[r, g, b, constant]` by row, in
 * values from 0 to 255.
 *
 * @typedef {[number, number, number, number]} Row
 * @typedef {{name: string, rows: [Row, Row, Row]}} Filter
 */

/** The shares of the colours in how bright a pixel looks (Rec. 709, for gamma-encoded values). */
const luma = [0.2126, 0.7152, 0.0722];

/**
 * Returns rows that keep some part of the colour.
 *
 * @param {number} share 0 is grey, 1 is as before
 */
function saturated(share) {
  return [0, 1, 2].map((own) => luma.map((part, other) => part * (1 - share) + (own === other ? share : 0)));
}

/**
 * Returns the rows of a filter that changes the saturation first, then multiplies each colour and adds to it.
 *
 * @returns {[Row, Row, Row]}
 */
function toned(saturation, factors, constants) {
  const rows = saturated(saturation).map((row, index) => [...row.map((part) => part * factors[index]), constants[index]]);
  return /** @type {[Row, Row, Row]} */ (rows);
}

/**
 * Returns the rows that draw the photo in one ink: from one colour for black to another for white.
 *
 * @returns {[Row, Row, Row]}
 */
function inked(black, white) {
  const rows = black.map((dark, index) => [...luma.map((part) => (part * (white[index] - dark)) / 255), dark]);
  return /** @type {[Row, Row, Row]} */ (rows);
}

/** Returns how much is added so that a factor turns about the middle grey. */
const about = (factor, shift = 0) => 127.5 * (1 - factor) + shift;

/** @type {readonly Filter[]} */
export const filters = [
  { name: "Vivid", rows: toned(1.45, [1.08, 1.08, 1.08], [about(1.08), about(1.08), about(1.08)]) },
  { name: "Warm", rows: toned(1.1, [1.06, 1, 0.88], [6, 2, -2]) },
  { name: "Cool", rows: toned(0.95, [0.9, 1, 1.08], [-2, 1, 8]) },
  { name: "Soft", rows: toned(0.9, [0.84, 0.84, 0.84], [about(0.84, 12), about(0.84, 11), about(0.84, 10)]) },
  { name: "Faded", rows: toned(0.68, [0.78, 0.76, 0.72], [about(0.78, 14), about(0.76, 10), about(0.72, 8)]) },
  { name: "Grey", rows: toned(0, [1.06, 1.06, 1.06], [about(1.06), about(1.06), about(1.06)]) },
  { name: "Sepia", rows: inked([38, 22, 10], [255, 240, 212]) },
  // A cyanotype: Prussian blue on paper.
  { name: "Blueprint", rows: inked([10, 36, 82], [240, 245, 244]) },
];

/**
 * Filters pixels in place.
 *
 * @param {Uint8ClampedArray} pixels red, green, blue, alpha, and so on
 * @param {{name: string, strength: number}} filter
 */
export function applyFilter(pixels, { name, strength }) {
  const filter = filters.find((one) => one.name === name);
  if (!filter) throw new RangeError(`There is no filter named ${name}.`);
  const [[rr, rg, rb, r0], [gr, gg, gb, g0], [br, bg, bb, b0]] = filter.rows;
  for (let index = 0; index < pixels.length; index += 4) {
    const r = pixels[index];
    const g = pixels[index + 1];
    const b = pixels[index + 2];
    // Within black and white before it is mixed, as a filtered picture over the photo is.
    pixels[index] = r + (shown(rr * r + rg * g + rb * b + r0) - r) * strength;
    pixels[index + 1] = g + (shown(gr * r + gg * g + gb * b + g0) - g) * strength;
    pixels[index + 2] = b + (shown(br * r + bg * g + bb * b + b0) - b) * strength;
  }
}

const shown = (value) => Math.min(255, Math.max(0, value));
