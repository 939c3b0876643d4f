import assert from "node:assert/strict";
import { test } from "node:test";
import { limits, sift } from "#js/photos/arrivals.js";

const file = (size = 10, type = "image/jpeg") => /** @type {any} */ ({ size, type });
const names = ({ taken, notes }) => [taken.length, notes];

test("pictures are taken, in their order", () => {
  const files = [file(1), file(2, "image/heic"), file(3, "image/png")];
  assert.deepEqual(sift(files), { taken: files, notes: [] });
});

test("what is left out is said", () => {
  assert.deepEqual(names(sift([])), [0, []]);
  assert.deepEqual(names(sift([file(), file(5, "video/mp4")])), [1, ["1 file isn’t a picture, and can’t be shared here."]]);
  assert.deepEqual(names(sift([file(5, ""), file(5, "text/plain")])), [
    0, ["2 files aren’t pictures, and can’t be shared here."],
  ]);
  assert.deepEqual(names(sift(Array.from({ length: 14 }, () => file()))), [
    10, ["At most 10 photos at a time: these are the first of 14."],
  ]);
});

test("together they have a limit, and a smaller one still fits", () => {
  const [large, small] = [file(limits.bytes - 5), file(5)];
  assert.deepEqual(sift([large, file(6), small]), {
    taken: [large, small], notes: ["1 photo had no room. Share it next."],
  });
});
