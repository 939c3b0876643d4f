import assert from "node:assert/strict";
import { test } from "node:test";
import { readableOn } from "#js/editing/colours.js";
import { frameOf, isSame, mirrored, turnedLeft, untouched, upright, withAspect, withMark, withoutMark } from "#js/editing/edit.js";
import { applyFilter, filters } from "#js/editing/filters.js";
import { fitted, moved, shaped, stretched, turned } from "#js/editing/geometry.js";
import { Steps } from "#js/editing/steps.js";
import { random } from "./random.js";

const slack = 1e-6;
const { between, of } = random();
const isNear = (one, other) => Math.abs(one - other) < slack;

/** A photo of any proportions, straightened by any angle, and a frame in it. */
function some() {
  const size = untouched({ width: between(1, 5000), height: between(1, 5000) }).size;
  const angle = between(-45, 45);
  const wish = { x: between(0, size.width), y: between(0, size.height), width: between(0.05, 1), height: between(0.05, 1) };
  return { size, angle, wish, frame: fitted(wish, angle, size) };
}

/** The corners of a frame on the photo. */
function corners({ x, y, width, height }, angle) {
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([across, down]) => {
    const corner = turned({ x: (across * width) / 2, y: (down * height) / 2 }, -angle);
    return { x: x + corner.x, y: y + corner.y };
  });
}

function isOnPhoto(frame, angle, size) {
  return corners(frame, angle).every(
    ({ x, y }) => x >= -slack && y >= -slack && x <= size.width + slack && y <= size.height + slack,
  );
}

test("whatever a frame is asked for, it shows nothing beyond the photo", () => {
  for (let round = 0; round < 1000; round += 1) {
    const { size, angle, wish, frame } = some();
    assert.ok(isOnPhoto(frame, angle, size));
    assert.ok(isNear(frame.width / frame.height, wish.width / wish.height));
    assert.ok(frame.width <= wish.width + slack);
    const step = {
      dx: between(-1, 1), dy: between(-1, 1), factor: between(0.2, 5), at: { x: between(-1, 1), y: between(-1, 1) },
    };
    assert.ok(isOnPhoto(moved(frame, step, angle, size), angle, size));
    assert.ok(isOnPhoto(shaped(frame, between(0.3, 3), angle, size), angle, size));
  }
});

test("a handle moves its own sides, keeps proportions that are kept, and stops at the photo's edge", () => {
  for (let round = 0; round < 1000; round += 1) {
    const { size, angle } = some();
    const frame = fitted({ x: size.width / 2, y: size.height / 2, width: size.width / 3, height: size.height / 3 }, angle, size);
    if (Math.min(frame.width, frame.height) < 0.06) continue;
    const handle = of([{ across: 1, down: 0 }, { across: -1, down: 1 }, { across: 0, down: -1 }, { across: 1, down: 1 }]);
    const way = { x: between(-1, 1), y: between(-1, 1) };
    const free = stretched(frame, handle, way, null, angle, size);
    assert.ok(isOnPhoto(free, angle, size));
    assert.ok(Math.min(free.width, free.height) >= 0.05 - slack);
    // The corner or side opposite to the handle stays where it was.
    const still = (one) => turned({ x: (-handle.across * one.width) / 2, y: (-handle.down * one.height) / 2 }, -angle);
    assert.ok(isNear(frame.x + still(frame).x, free.x + still(free).x) && isNear(frame.y + still(frame).y, free.y + still(free).y));
    if (handle.across === 0) assert.ok(isNear(free.width, frame.width));
    const aspect = frame.width / frame.height;
    const kept = stretched(frame, handle, way, aspect, angle, size);
    assert.ok(isNear(kept.width / kept.height, aspect) && isOnPhoto(kept, angle, size));
  }
});

test("what is under two fingers stays there while the photo grows", () => {
  for (let round = 0; round < 300; round += 1) {
    const { size } = some();
    const angle = between(-10, 10);
    const frame = fitted({ x: size.width / 2, y: size.height / 2, width: size.width / 4, height: size.height / 4 }, angle, size);
    const at = { x: between(-0.4, 0.4) * frame.width, y: between(-0.4, 0.4) * frame.height };
    const onPhoto = (one, point) => {
      const { x, y } = turned(point, -angle);
      return { x: one.x + x, y: one.y + y };
    };
    // Between a photo that is grown and the smallest frame.
    const factor = between(1, Math.min(frame.width, frame.height) / 0.05);
    if (factor < 1) continue;
    const after = moved(frame, { dx: 0, dy: 0, factor, at }, angle, size);
    const seen = onPhoto(after, { x: at.x / factor, y: at.y / factor });
    const before = onPhoto(frame, at);
    assert.ok(isNear(seen.x, before.x) && isNear(seen.y, before.y));
  }
});

test("straightening makes the frame smaller, and turning back makes it as large as before", () => {
  const edit = untouched({ width: 4032, height: 3024 });
  const tilted = { ...edit, angle: 10 };
  assert.ok(frameOf(tilted).width < edit.crop.width);
  assert.deepEqual(frameOf({ ...tilted, angle: 0 }), frameOf(edit));
});

/** @type {import("#js/editing/edit.js").Text} */
const text = { kind: "text", id: 1, text: "Hi", font: "Plain", colour: "#ffffff", size: 0.1, angle: 20, x: 0.2, y: 0.3, width: 0.9, hasPlate: false };
/** @type {import("#js/editing/edit.js").Blur} */
const blur = { kind: "blur", id: 2, x: 0.7, y: 0.4, width: 0.2, height: 0.1 };
/** @type {import("#js/editing/edit.js").Stroke} */
const stroke = { kind: "stroke", id: 3, tool: "pen", colour: "#ffffff", width: 0.01, points: [{ x: 0.1, y: 0.2 }, { x: 0.5, y: 0.6 }] };
const drawn = () => [text, blur, stroke].reduce(withMark, /** @type {import("#js/editing/edit.js").Edit} */ ({ ...untouched({ width: 4000, height: 3000 }), angle: 5 }));

/** Compares numbers to a billionth, all else exactly. */
function assertLike(one, other) {
  const round = (_, value) => (typeof value === "number" ? Math.round(value * 1e9) / 1e9 + 0 : value);
  assert.deepEqual(JSON.parse(JSON.stringify(one, round)), JSON.parse(JSON.stringify(other, round)));
}

test("four quarter turns, or two mirrors, are nothing", () => {
  const edit = drawn();
  assertLike([1, 2, 3, 4].reduce(turnedLeft, edit), edit);
  assertLike(mirrored(mirrored(edit)), edit);
  // Turned, mirrored and turned back is mirrored upside down: the two don't commute, and both are remembered.
  assertLike(turnedLeft(mirrored(turnedLeft(edit))), mirrored(edit));
});

test("what was drawn stays on what it was drawn on", () => {
  const edit = drawn();
  const left = turnedLeft(edit);
  assertLike(left.size, { width: 0.75, height: 1 });
  // The right upper corner of the photo becomes the left upper one.
  assertLike(left.marks[0], { ...text, x: 0.3, y: 0.8, angle: -70 });
  assertLike(left.marks[1], { ...blur, x: 0.4, y: 0.3, width: 0.1, height: 0.2 });
  const other = mirrored(edit);
  assertLike(other.marks[0], { ...text, x: 0.8, angle: -20 });
  assertLike(other.marks[2], { ...stroke, points: [{ x: 0.9, y: 0.2 }, { x: 0.5, y: 0.6 }] });
});

test("a mark is changed in its place, and an edit knows whether it is the same", () => {
  const edit = drawn();
  const changed = withMark(edit, { ...blur, width: 0.5 });
  assert.deepEqual(changed.marks.map(({ id }) => id), [1, 2, 3]);
  assert.ok(!isSame(edit, changed));
  assert.ok(isSame(withoutMark(withMark(edit, { ...blur, id: 9 }), 9), edit));
  assert.ok(!isSame(withAspect(edit, 1), edit));
  assert.equal(upright(270), -90);
  assert.equal(upright(-180), 180);
});

test("a filter of no strength changes nothing, and half of it goes half of the way", () => {
  const pixels = () => Uint8ClampedArray.from({ length: 400 }, (_, index) => (index * 37) % 256);
  for (const { name } of filters) {
    const [none, half, whole] = [0, 0.5, 1].map((strength) => {
      const all = pixels();
      applyFilter(all, { name, strength });
      return all;
    });
    assert.deepEqual(none, pixels());
    assert.notDeepEqual(whole, pixels());
    for (const [index, value] of pixels().entries()) {
      if (index % 4 === 3) assert.equal(whole[index], value);
      // Where the whole filter went beyond black or white, half of it goes further than half of what is seen.
      else if (whole[index] > 0 && whole[index] < 255) assert.ok(Math.abs(half[index] - (value + whole[index]) / 2) <= 1);
    }
  }
  assert.throws(() => applyFilter(pixels(), { name: "Nothing", strength: 1 }), /no filter named/);
});

test("greys have no colour, and a blueprint's white is paper", () => {
  const grey = Uint8ClampedArray.of(200, 10, 90, 255);
  applyFilter(grey, { name: "Grey", strength: 1 });
  assert.ok(grey[0] === grey[1] && grey[1] === grey[2]);
  const white = Uint8ClampedArray.of(255, 255, 255, 255, 0, 0, 0, 255);
  applyFilter(white, { name: "Blueprint", strength: 1 });
  assert.deepEqual([...white], [240, 245, 244, 255, 10, 36, 82, 255]);
});

test("steps are undone and redone in their order, a new one ends what was undone, and a hundred are kept", () => {
  /** @type {Steps<number | string>} */
  const steps = new Steps(0);
  for (let state = 1; state <= 150; state += 1) steps.add(state);
  for (let round = 0; round < 200; round += 1) steps.undo();
  assert.equal(steps.current, 50);
  assert.ok(!steps.canUndo && steps.canRedo);
  steps.redo();
  steps.add("new");
  assert.equal(steps.current, "new");
  assert.ok(!steps.canRedo);
  steps.undo();
  assert.equal(steps.current, 51);
});

test("letters are readable on their plate", () => {
  assert.equal(readableOn("#ffffff"), "#16140f");
  assert.equal(readableOn("#1d5fd1"), "#ffffff");
});
