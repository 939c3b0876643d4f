import assert from "node:assert/strict";
import { test } from "node:test";
import { apply } from "#js/then-and-now/homography.js";
import { layOut, matrix } from "#js/then-and-now/pair-geometry.js";

const rooms = [{ width: 390, height: 700 }, { width: 844, height: 300 }, { width: 1280, height: 640 }];
const modes = /** @type {const} */ (["slider", "fade", "stacked", "side_by_side"]);
const near = (one, other) => Math.abs(one - other) < 1e-6;

test("every presentation fits into its room, fills it one way, and keeps the proportions of its halves", () => {
  for (const room of rooms) {
    for (const aspect of [0.4, 0.75, 1, 4 / 3, 2.5]) {
      for (const mode of modes) {
        const picture = layOut(mode, aspect, room);
        assert.ok(picture.width < room.width + 1e-6 && picture.height < room.height + 1e-6, `${mode} ${aspect}`);
        assert.ok(near(picture.width, room.width) || near(picture.height, room.height), `${mode} ${aspect}`);
        for (const half of [picture.then, picture.now]) {
          assert.ok(near(half.width / half.height, aspect));
          assert.ok(half.x + half.width < picture.width + 1e-6 && half.y + half.height < picture.height + 1e-6);
        }
      }
    }
  }
});

test("slider and fade lay now over then; the others put it below or beside, with a gap of 2 pixels", () => {
  const [room] = rooms;
  const { then, now } = layOut("slider", 1, room);
  assert.deepEqual(now, then);
  assert.deepEqual(layOut("fade", 1, room).now, then);
  const stacked = layOut("stacked", 1, room);
  assert.deepEqual([stacked.now.x, stacked.now.y - stacked.then.height], [0, 2]);
  const beside = layOut("side_by_side", 1, room);
  assert.deepEqual([beside.now.x - beside.then.width, beside.now.y], [2, 0]);
});

test("CSS moves a pixel where the map moves its spot", () => {
  const map = [1.06, -0.07, 0.02, 0.05, 1.1, -0.04, 0.05, -0.04, 1];
  const size = { width: 390, height: 260 };
  const css = matrix(map, size).match(/^matrix3d\((.*)\)$/)[1].split(", ").map(Number);
  // CSS multiplies (x, y, 0, 1) by four columns, and divides by the last coordinate.
  const row = (place, { x, y }) => css[place] * x + css[4 + place] * y + css[12 + place];
  for (const spot of [{ x: 0, y: 0 }, { x: 1, y: 0.2 }, { x: 0.4, y: 0.9 }]) {
    const pixel = { x: spot.x * size.width, y: spot.y * size.height };
    const goal = apply(map, spot);
    assert.ok(Math.abs(row(0, pixel) / row(3, pixel) - goal.x * size.width) < 1e-4);
    assert.ok(Math.abs(row(1, pixel) / row(3, pixel) - goal.y * size.height) < 1e-4);
  }
});
