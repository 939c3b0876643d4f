/**
 * Projective maps of the plane, and the map that four pairs of points make. Pure numbers.
 *
 * @typedef {{x: number, y: number}} Point in the unit square of a pair's frame
 * @typedef {{then: Point, now: Point}} PointPair the position of one spot on both photos
 * @typedef {number[]} Map nine numbers, row by row, the last of which is 1
 */

/**
 * The map that moves nothing.
 *
 * @type {Map}
 */
export const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** The number below which a value counts as 0. */
const nothing = 1e-12;

/**
 * Returns where a map takes a point.
 *
 * @param {Map} map
 * @param {Point} point
 * @returns {Point}
 */
export function apply(map, { x, y }) {
  const depth = depthOf(map, { x, y });
  return {
    x: (map[0] * x + map[1] * y + map[2]) / depth,
    y: (map[3] * x + map[4] * y + map[5]) / depth,
  };
}

/**
 * Returns the number by which the coordinates of a mapped point are divided: above 0 for points in front of the eye.
 *
 * @param {Map} map
 * @param {Point} point
 */
export function depthOf(map, { x, y }) {
  return map[6] * x + map[7] * y + map[8];
}

/**
 * Returns the inverse of a map, or null for a map that makes everything flat.
 *
 * @param {Map} map
 */
export function inverse([a, b, c, d, e, f, g, h, i]) {
  const adjugate = [
    e * i - f * h, c * h - b * i, b * f - c * e,
    f * g - d * i, a * i - c * g, c * d - a * f,
    d * h - e * g, b * g - a * h, a * e - b * d,
  ];
  const determinant = a * adjugate[0] + b * adjugate[3] + c * adjugate[6];
  return Math.abs(determinant) < nothing ? null : normal(adjugate);
}

/**
 * Returns the map that takes the four points of now to those of then, or null when there is none.
 *
 * The map goes through the unit square (P. Heckbert, *Fundamentals of Texture Mapping and Image Warping*, 1989, 2.2.3).
 *
 * @param {PointPair[]} points
 * @returns {Map | null}
 */
export function mapOf(points) {
  const then = fromSquare(points.map((point) => point.then));
  const now = fromSquare(points.map((point) => point.now));
  const back = now && inverse(now);
  const map = then && back && normal(product(then, back));
  // Points on one line would make a map that squeezes the whole photo onto that line.
  return map && inverse(map) ? map : null;
}

/** Returns twice the area of a triangle, above 0 for one that goes clockwise on a screen. */
export function cross(a, b, c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/**
 * Returns the map that takes the unit square's corners, clockwise from the upper left one, to four points, or null when
 * there is none.
 *
 * @param {Point[]} points
 * @returns {Map | null}
 */
function fromSquare([p, q, r, s]) {
  const [ax, ay, bx, by] = [q.x - r.x, q.y - r.y, s.x - r.x, s.y - r.y];
  const [x, y] = [p.x - q.x + r.x - s.x, p.y - q.y + r.y - s.y];
  const base = ax * by - bx * ay;
  if (Math.abs(base) < nothing) return null;
  const g = (x * by - bx * y) / base;
  const h = (ax * y - x * ay) / base;
  return [q.x - p.x + g * q.x, s.x - p.x + h * s.x, p.x, q.y - p.y + g * q.y, s.y - p.y + h * s.y, p.y, g, h, 1];
}

function product(one, other) {
  const sum = (row, column) => [0, 1, 2].reduce((all, k) => all + one[3 * row + k] * other[3 * k + column], 0);
  return identity.map((_, place) => sum(Math.floor(place / 3), place % 3));
}

function normal(map) {
  return Math.abs(map[8]) < nothing ? null : map.map((value) => value / map[8]);
}
