/**
 * Returns a source of numbers from 0 up to 1 that are the same in each run (the "minimal standard" generator of S. Park
 * and K. Miller, 1988).
 *
 * @param {number} [seed]
 */
export function random(seed = 1) {
  let state = seed;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const between = (least, most) => least + next() * (most - least);
  const whole = (count) => Math.floor(next() * count);
  const of = (choices) => choices[whole(choices.length)];
  return { between, whole, of };
}
