import assert from "node:assert/strict";
import { test } from "node:test";
import { SquareCrop } from "#js/accounts/square-crop.js";
import { contains, cornerOf, frameOf, side } from "#js/collages/geometry.js";
import { canPan, isMovable, middle, panned, pictureOf, rounded, zoomed } from "#js/photos/placing.js";
import { Pull } from "#js/photos/pull.js";
import { Zoom } from "#js/photos/zoom.js";
import { random } from "./random.js";

const slack = 1e-6;

/** Whether a picture leaves no gap in its frame. */
function covers(picture, frame) {
  return (
    picture.x <= frame.x + slack && picture.x + picture.width >= frame.x + frame.width - slack &&
    picture.y <= frame.y + slack && picture.y + picture.height >= frame.y + frame.height - slack
  );
}

const { between } = random();
const some = () => ({
  frame: { x: between(-50, 50), y: between(-50, 50), width: between(20, 400), height: between(20, 400) },
  size: { width: between(1, 5000), height: between(1, 5000) },
  view: { zoom: between(1, 8), x: between(0, 1), y: between(0, 1) },
});

test("however a picture is moved and enlarged, it covers its frame", () => {
  for (let round = 0; round < 500; round += 1) {
    const { frame, size, view } = some();
    assert.ok(covers(pictureOf(frame, size, view), frame));
    const moved = panned(frame, size, view, between(-900, 900), between(-900, 900));
    assert.ok(covers(pictureOf(frame, size, moved), frame));
    const point = { x: between(-100, 500), y: between(-100, 500) };
    const enlarged = zoomed(frame, size, moved, between(0.1, 9), point, 8);
    assert.ok(covers(pictureOf(frame, size, enlarged), frame));
    assert.ok(enlarged.zoom >= 1 && enlarged.zoom <= 8);
  }
});

test("a picture follows the finger, and what is under two fingers stays there", () => {
  const frame = { x: 10, y: 20, width: 200, height: 200 };
  const [size, view] = [{ width: 400, height: 300 }, { zoom: 2, x: 0.5, y: 0.5 }];
  const before = pictureOf(frame, size, view);
  const after = pictureOf(frame, size, panned(frame, size, view, 7, -9));
  assert.ok(Math.abs(after.x - before.x - 7) < slack && Math.abs(after.y - before.y + 9) < slack);
  const point = { x: 90, y: 130 };
  const large = pictureOf(frame, size, zoomed(frame, size, view, 1.5, point, 8));
  const share = (picture) => [(point.x - picture.x) / picture.width, (point.y - picture.y) / picture.height];
  share(large).forEach((part, axis) => assert.ok(Math.abs(part - share(before)[axis]) < slack));
});

test("a picture moves only along the sides on which it is larger than its frame", () => {
  const frame = { x: 0, y: 0, width: 100, height: 100 };
  const wide = { width: 300, height: 100 };
  assert.deepEqual(isMovable(frame, wide, middle), { x: true, y: false });
  assert.equal(canPan(frame, wide, middle, 0, 30), false);
  assert.equal(canPan(frame, wide, middle, 30, 0), true);
  assert.equal(canPan(frame, wide, { zoom: 1, x: 0, y: 0.5 }, 30, 0), false, "it is at its left end");
});

test("a rounded view stays as it is when it is rounded again", () => {
  const view = rounded({ zoom: Math.PI, x: 1 / 3, y: 2 / 3 });
  assert.deepEqual(view, { zoom: 3.1416, x: 0.3333, y: 0.6667 });
  assert.deepEqual(rounded(view), view);
});

test("between all cells of a collage, and around them, is the same room", () => {
  const cells = [0, 1, 2].flatMap((row) => [0, 1, 2].map((column) => {
    return { x: column / 3, y: row / 3, width: 1 / 3, height: 1 / 3 };
  }));
  for (const spacing of [0, 4, 40]) {
    const frames = cells.map((cell) => frameOf(cell, spacing));
    frames.forEach((frame, index) => {
      const left = index % 3 === 0 ? 0 : frames[index - 1].x + frames[index - 1].width;
      const above = index < 3 ? 0 : frames[index - 3].y + frames[index - 3].height;
      assert.ok(Math.abs(frame.x - left - spacing) < slack && Math.abs(frame.y - above - spacing) < slack);
    });
    const last = frames.at(-1);
    assert.ok(Math.abs(side - last.x - last.width - spacing) < slack);
  }
});

test("round corners never take more than half of a cell's shorter side", () => {
  assert.equal(cornerOf({ x: 0, y: 0, width: 60, height: 200 }, 100), 30);
  assert.equal(cornerOf({ x: 0, y: 0, width: 60, height: 200 }, 12), 12);
});

test("a point on the edge of a cell is in it, and one beside it is not", () => {
  const box = { x: 10, y: 10, width: 20, height: 30 };
  assert.ok(contains(box, { x: 10, y: 40 }) && contains(box, { x: 20, y: 20 }));
  assert.ok(!contains(box, { x: 9.9, y: 20 }) && !contains(box, { x: 20, y: 40.1 }));
});

test("the square of a portrait is always within its picture", () => {
  for (let round = 0; round < 300; round += 1) {
    const crop = new SquareCrop(between(50, 4000), between(50, 4000), 300);
    for (let step = 0; step < 5; step += 1) crop.move(between(-600, 600), between(-600, 600), between(0.3, 3));
    const { x, y, size } = crop.unit;
    const shorter = Math.min(crop.width, crop.height);
    assert.ok(x >= -slack && x + (size * shorter) / crop.width <= 1 + slack);
    assert.ok(y >= -slack && y + (size * shorter) / crop.height <= 1 + slack);
    assert.ok(crop.zoom >= 1 && crop.zoom <= 4);
  }
});

test("an enlarged photo comes to rest without a gap that it could fill", () => {
  for (let round = 0; round < 300; round += 1) {
    const frame = { width: 390, height: 700 };
    const zoom = new Zoom(frame, between(50, 4000), between(50, 4000));
    for (let step = 0; step < 5; step += 1) {
      zoom.pinch(between(0.2, 4), between(-200, 200), between(-300, 300));
      zoom.pan(between(-900, 900), between(-900, 900));
    }
    zoom.settle();
    assert.ok(zoom.scale >= 1 && zoom.scale <= 5);
    for (const [place, length] of /** @type {const} */ ([["x", "width"], ["y", "height"]])) {
      const gap = frame[length] - zoom.picture[length] * zoom.scale;
      if (gap < 0) assert.ok(Math.abs(zoom[place]) <= -gap / 2 + slack);
      else assert.equal(Math.abs(zoom[place]), 0, "what is smaller than the window is in its middle");
    }
  }
});

test("a second double tap shows the whole photo again", () => {
  const zoom = new Zoom({ width: 390, height: 700 }, 4000, 3000);
  zoom.toggle(100, 50);
  assert.ok(zoom.isZoomed);
  zoom.toggle(-20, 0);
  assert.deepEqual([zoom.scale, zoom.x, zoom.y], [1, 0, 0]);
});

test("a pull turns the page when it goes far or ends in a flick, and closes only downwards", () => {
  const still = { vx: 0, vy: 0 };
  const pulled = (dx, dy, speed = still) => {
    const pull = new Pull();
    pull.add(dx, dy);
    return pull.verdict(speed, 400);
  };
  assert.equal(pulled(3, 3), null);
  assert.equal(pulled(210, 20), "prev");
  assert.equal(pulled(-210, 20), "next");
  assert.equal(pulled(-60, 0), null);
  assert.equal(pulled(-60, 0, { vx: -1, vy: 0 }), "next");
  assert.equal(pulled(-60, 0, { vx: 1, vy: 0 }), null, "a flick back leaves the photo where it is");
  assert.equal(pulled(0, 120), "close");
  assert.equal(pulled(0, 40, { vx: 0, vy: 1 }), "close");
  assert.equal(pulled(0, -300, { vx: 0, vy: -2 }), null);
});

test("a pull keeps the way of its first clear movement", () => {
  const pull = new Pull();
  pull.add(12, 2);
  pull.add(0, 300);
  assert.equal(pull.way, "across");
});
