/**
 * The way of each arrow key, across and down.
 *
 * @type {Record<string, number[] | undefined>}
 */
export const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * Returns the factor by which a key enlarges: + enlarges, also without Shift, and − shrinks.
 *
 * @param {string} key
 * @param {number} factor
 * @returns {number | undefined} nothing for any other key
 */
export function enlargementOf(key, factor) {
  return { "+": factor, "=": factor, "-": 1 / factor, "−": 1 / factor }[key];
}
