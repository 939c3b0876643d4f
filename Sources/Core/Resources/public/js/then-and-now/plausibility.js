import { apply, cross, depthOf, mapOf } from "./homography.js";

/** The least height of a triangle of points, as a share of its longest side. */
const flattest = 0.04;

/** The least distance of two points, as a share of the frame's height. */
const nearest = 0.03;

/** The limits that the server checks: the size of now, how far its middle moves, and how its opposite sides differ. */
const areas = { least: 0.4, most: 2.5 };
const farthest = 0.4;
const bend = 1.8;

/** The name of each side on the screen. */
export const titles = { then: "Then", now: "Now" };

/** The tangent of 30°, which bounds how far each side turns. */
const steepest = 0.57735;

const corners = [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 1, y: 1 }, { x: 0, y: 1 }];
const couples = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
const triples = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];

const check = "Check that each number marks the same spot on both photos.";

/**
 * Returns why four pairs of points can't lay now over then, as a sentence to show; null when they can.
 *
 * @param {import("./homography.js").PointPair[]} points
 * @param {number} aspect width / height of the frame
 * @returns {string | null}
 */
export function problemOf(points, aspect) {
  return (
    crowding(points.map(({ then }) => then), aspect, "then") ??
    crowding(points.map(({ now }) => now), aspect, "now") ??
    disorder(points) ??
    distortion(mapOf(points))
  );
}

/** Returns a sentence if points are too close together, or on one line. */
function crowding(points, aspect, side) {
  const spots = points.map(({ x, y }) => ({ x: x * aspect, y }));
  const couple = couples.find(([one, other]) => distance(spots[one], spots[other]) < nearest);
  if (couple) {
    const [one, other] = couple.map((index) => index + 1);
    return `Points ${one} and ${other} on ${titles[side]} are too close together. Move one away.`;
  }
  /** @param {import("./homography.js").Point[]} triangle */
  const isFlat = ([a, b, c]) => {
    const longest = Math.max(distance(a, b), distance(b, c), distance(a, c));
    return Math.abs(cross(a, b, c)) < flattest * longest ** 2;
  };
  const triple = triples.find((three) => isFlat(three.map((index) => spots[index])));
  if (!triple) return null;
  const [one, two, three] = triple.map((index) => index + 1);
  return `Points ${one}, ${two} and ${three} on ${titles[side]} are almost on one line. Move one away from it.`;
}

/** Returns a sentence if the points have another order on one photo: each three must turn the same way on both. */
function disorder(points) {
  const isTurned = (side, three) => cross(...three.map((index) => points[index][side])) > 0;
  const alike = triples.filter((three) => isTurned("then", three) === isTurned("now", three)).length;
  if (alike === triples.length) return null;
  return alike === 0 ? `This would mirror Now. ${check}` : `The points are in another order. ${check}`;
}

/** Returns a sentence if no second photo of the same place could have this map. The server refuses the same maps. */
function distortion(map) {
  const bent = `This would bend Now too far. ${check}`;
  if (!map || corners.some((corner) => depthOf(map, corner) <= 0)) return bent;
  const moved = corners.map((corner) => apply(map, corner));
  const sides = moved.map((corner, index) => {
    const next = moved[(index + 1) % 4];
    return { x: next.x - corner.x, y: next.y - corner.y };
  });
  const isConvex = moved.every((corner, index) => cross(corner, moved[(index + 1) % 4], moved[(index + 2) % 4]) > 0);
  if (!isConvex) return bent;
  const area = (cross(moved[0], moved[1], moved[2]) + cross(moved[0], moved[2], moved[3])) / 2;
  if (area <= areas.least) return `This would make Now too small. ${check}`;
  if (area >= areas.most) return `This would make Now too large. ${check}`;
  const [top, right, bottom, left] = sides;
  const turns = [[top.y, top.x], [-right.x, right.y], [-bottom.y, -bottom.x], [left.x, -left.y]];
  if (!turns.every(([off, along]) => along > 0 && Math.abs(off) < steepest * along)) {
    return `This would turn Now too far. ${check}`;
  }
  if (distance(apply(map, { x: 0.5, y: 0.5 }), { x: 0.5, y: 0.5 }) >= farthest) {
    return `This would move Now too far. ${check}`;
  }
  const length = ({ x, y }) => Math.hypot(x, y);
  const isAlike = (one, other) => Math.max(length(one), length(other)) < bend * Math.min(length(one), length(other));
  return isAlike(top, bottom) && isAlike(right, left) ? null : bent;
}

function distance(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
