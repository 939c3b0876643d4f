import assert from "node:assert/strict";
import { test } from "node:test";
import { Intent } from "#js/web/intent.js";

/** An intent whose requests wait for `answer(value)` or `fail(error)`, and what was sent, shown and refused. */
function begin(confirmed = false) {
  const seen = { sent: [], shown: [], refused: [] };
  const waiting = [];
  const intent = new Intent(confirmed, {
    send: (wish) => {
      seen.sent.push(wish);
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
    show: (wish, isAcknowledged) => seen.shown.push([wish, isAcknowledged]),
    refused: (error) => seen.refused.push(error.message),
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const answer = (value) => {
    waiting.shift().resolve(value);
    return settle();
  };
  const fail = (status) => {
    waiting.shift().reject(Object.assign(new Error(`status ${status}`), { status }));
    return settle();
  };
  return { intent, seen, answer, fail };
}

test("a wish is shown at once, and as acknowledged when the server has answered", async () => {
  const { intent, seen, answer } = begin();
  intent.wish(true);
  assert.deepEqual(seen.shown, [[true, false]]);
  await answer(true);
  assert.deepEqual(seen.shown.at(-1), [true, true]);
});

test("however fast somebody taps, one request is under way, and the last wish is what the server has", async () => {
  const { intent, seen, answer } = begin();
  for (const wish of [true, false, true, false]) intent.wish(wish);
  assert.deepEqual(seen.sent, [true]);
  await answer(true);
  assert.deepEqual(seen.sent, [true, false]);
  await answer(false);
  assert.deepEqual([intent.wished, intent.confirmed, intent.isSending], [false, false, false]);
});

test("a refused wish falls back to what the server has, and says so once", async () => {
  const { intent, seen, fail } = begin();
  intent.wish(true);
  await fail(422);
  assert.deepEqual([intent.wished, seen.refused, seen.shown.at(-1)], [false, ["status 422"], [false, true]]);
});

test("after a request without an answer the next wish goes out, even if it is what the server had before", async () => {
  const { intent, seen, answer, fail } = begin();
  intent.wish(true);
  intent.wish(false);
  await fail(0);
  assert.deepEqual(seen.sent, [true, false]);
  await answer(false);
  assert.deepEqual(seen.shown.at(-1), [false, true]);
});

test("what the server says elsewhere doesn't undo a wish that is on its way", async () => {
  const { intent, seen, answer } = begin();
  intent.wish(true);
  intent.confirm(false);
  assert.equal(intent.wished, true);
  await answer(true);
  intent.confirm(false);
  assert.deepEqual([intent.wished, seen.shown.at(-1)], [false, [false, true]]);
});

test("a page that is left sends the wish that still waits, and nothing when none does", async () => {
  const { intent, seen } = begin();
  intent.flush();
  intent.wish(true);
  intent.flush();
  assert.deepEqual(seen.sent, [true]);
  intent.wish(false);
  intent.flush();
  assert.deepEqual(seen.sent, [true, false]);
});
