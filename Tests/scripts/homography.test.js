import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, cross, depthOf, identity, inverse, mapOf } from "#js/then-and-now/homography.js";
import { problemOf } from "#js/then-and-now/plausibility.js";
import { random } from "./random.js";

/** A map with a turn, a scale, a shift and perspective. */
const general = [1.06, -0.07, 0.02, 0.05, 1.1, -0.04, 0.05, -0.04, 1];
const corners = [{ x: 0, y: 0 }, { x: 1, y: 0 }, { x: 1, y: 1 }, { x: 0, y: 1 }];
const inside = [{ x: 0.1, y: 0.12 }, { x: 0.9, y: 0.15 }, { x: 0.85, y: 0.9 }, { x: 0.14, y: 0.8 }];

/** Pairs of points: where each spot is on now, and where a map takes it on then. */
const pairs = (map, spots = inside) => spots.map((now) => ({ now, then: apply(map, now) }));

function assertNear(found, wanted, tolerance = 1e-9) {
  const numbers = (value) => (Array.isArray(value) ? value : [value.x, value.y]);
  numbers(found).forEach((number, place) => {
    const goal = numbers(wanted)[place];
    assert.ok(Math.abs(number - goal) <= tolerance, `${JSON.stringify(found)} is not ${JSON.stringify(wanted)}`);
  });
}

test("the map of four pairs of points is the one that they were made with", () => {
  assertNear(mapOf(pairs(general)), general);
  assertNear(mapOf(pairs(identity)), identity);
});

test("any four points in order are taken exactly to any other four", () => {
  const { between } = random();
  const moved = () => corners.map(({ x, y }) => ({ x: x + between(-0.2, 0.2), y: y + between(-0.2, 0.2) }));
  for (let round = 0; round < 200; round += 1) {
    const [then, now] = [moved(), moved()];
    const map = mapOf(now.map((spot, place) => ({ now: spot, then: then[place] })));
    now.forEach((spot, place) => assertNear(apply(map, spot), then[place]));
  }
});

test("the inverse takes every point back", () => {
  const { between } = random();
  const back = inverse(general);
  for (let round = 0; round < 200; round += 1) {
    const point = { x: between(0, 1), y: between(0, 1) };
    assertNear(apply(back, apply(general, point)), point, 1e-12);
  }
});

test("a map that makes everything flat has no inverse", () => {
  assert.equal(inverse([1, 1, 0, 1, 1, 0, 0, 0, 1]), null);
});

test("points on one line, or at one place, make no map, on neither photo", () => {
  const line = [{ x: 0.1, y: 0.1 }, { x: 0.5, y: 0.5 }, { x: 0.9, y: 0.9 }, { x: 0.1, y: 0.8 }];
  const heap = inside.map(() => ({ x: 0.4, y: 0.4 }));
  for (const flat of [line, heap, [...line].reverse()]) {
    assert.equal(mapOf(inside.map((now, place) => ({ now, then: flat[place] }))), null);
    assert.equal(mapOf(inside.map((then, place) => ({ then, now: flat[place] }))), null);
  }
});

test("what lies before the eye has a depth above 0, and what lies behind one below", () => {
  const steep = [1, 0, 0, 0, 1, 0, -2, 0, 1];
  assert.ok(depthOf(steep, { x: 0.4, y: 0 }) > 0);
  assert.ok(depthOf(steep, { x: 0.6, y: 0 }) < 0);
});

test("a triangle that goes clockwise on a screen has an area above 0", () => {
  assert.equal(cross(corners[0], corners[1], corners[2]), 1);
  assert.equal(cross(corners[2], corners[1], corners[0]), -1);
});

const aspect = 4 / 3;

test("points of a small turn and shift are fine", () => {
  assert.equal(problemOf(pairs(general), aspect), null);
  assert.equal(problemOf(pairs(identity), aspect), null);
});

/** The problem when now is drawn by a map of its corners. */
const problemWith = (change) => problemOf(pairs(identity).map(({ now }) => ({ now, then: change(now) })), aspect);

test("each implausible map is refused in words that say what is wrong", () => {
  const turn = (degrees) => ({ x, y }) => {
    const angle = (degrees * Math.PI) / 180;
    const [dx, dy] = [x - 0.5, y - 0.5];
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    return { x: 0.5 + dx * cos - dy * sin, y: 0.5 + dx * sin + dy * cos };
  };
  const changes = [
    [({ x, y }) => ({ x: 1 - x, y }), /mirror Now/],
    [({ x, y }) => ({ x: x / 2, y: y / 2 }), /too small/],
    [({ x, y }) => ({ x: x * 1.7, y: y * 1.7 }), /too large/],
    [({ x, y }) => ({ x: x + 0.45, y }), /move Now too far/],
    [turn(40), /turn Now too far/],
    [({ x, y }) => ({ x: 0.5 + (x - 0.5) * (1.3 - y), y }), /bend Now too far/],
  ];
  for (const [change, words] of changes) assert.match(problemWith(change) ?? "nothing", /** @type {RegExp} */ (words));
  assert.equal(problemWith(turn(20)), null);
});

test("points in another order are refused, and named as such", () => {
  const points = pairs(general);
  const swapped = points.map(({ now }, place) => ({ now, then: points[[1, 0, 2, 3][place]].then }));
  assert.match(problemOf(swapped, aspect), /another order/);
});

test("points too close together, or almost on one line, are refused by their numbers and their photo", () => {
  const points = pairs(identity);
  const moved = (side, place, spot) => points.map((pair, at) => (at === place ? { ...pair, [side]: spot } : pair));
  const close = moved("now", 1, { x: 0.11, y: 0.12 });
  assert.match(problemOf(close, aspect), /^Points 1 and 2 on Now are too close together/);
  const flat = moved("then", 2, { x: 0.5, y: 0.136 });
  assert.match(problemOf(flat, aspect), /^Points 1, 2 and 3 on Then are almost on one line/);
});
