import assert from "node:assert/strict";
import { test } from "node:test";
import { clear, relayout, restyle } from "#js/collages/changes.js";
import { History } from "#js/collages/history.js";

/** A history, and `wait`, which lets milliseconds pass. */
function begin(t) {
  let now = 1_000;
  t.mock.method(performance, "now", () => now);
  return { history: new History(), wait: (milliseconds) => (now += milliseconds) };
}

test("undo goes back step by step, and redo goes the same way again", (t) => {
  const { history } = begin(t);
  assert.ok(!history.canUndo && !history.canRedo);
  history.add(relayout("4"), relayout("2"));
  history.add(relayout("5"), relayout("4"));
  assert.deepEqual([history.undo(), history.undo(), history.undo()], [relayout("4"), relayout("2"), undefined]);
  assert.ok(!history.canUndo && history.canRedo);
  assert.deepEqual([history.redo(), history.redo(), history.redo()], [relayout("4"), relayout("5"), undefined]);
});

test("a change after an undo takes the place of what was undone", (t) => {
  const { history } = begin(t);
  history.add(relayout("4"), relayout("2"));
  history.undo();
  history.add(relayout("3"), relayout("2"));
  assert.ok(!history.canRedo);
  assert.deepEqual(history.undo(), relayout("2"));
});

test("a slider that moves on is one step, which goes back to where it was at first", (t) => {
  const { history, wait } = begin(t);
  for (let spacing = 9; spacing <= 12; spacing += 1) {
    history.add(restyle({ spacing }), restyle({ spacing: spacing - 1 }));
    wait(500);
  }
  assert.deepEqual(history.undo(), restyle({ spacing: 8 }));
  assert.ok(!history.canUndo);
  assert.deepEqual(history.redo(), restyle({ spacing: 12 }));
});

test("a slider that has rested, another slider, and each colour are steps of their own", (t) => {
  const { history, wait } = begin(t);
  const steps = [{ spacing: 9 }, { corner_radius: 3 }, { background: "#000000" }, { background: "#ff0000" }];
  for (const style of steps) history.add(restyle(style), restyle({}));
  wait(801);
  history.add(restyle({ background: "#00ff00" }), restyle({}));
  history.add(restyle({ spacing: 10 }), restyle({}));
  wait(801);
  history.add(restyle({ spacing: 11 }), restyle({}));
  let count = 0;
  while (history.undo()) count += 1;
  assert.equal(count, 7);
});

test("a change that follows a redo is a step of its own", (t) => {
  const { history } = begin(t);
  history.add(restyle({ spacing: 9 }), restyle({ spacing: 8 }));
  history.undo();
  history.redo();
  history.add(restyle({ spacing: 10 }), restyle({ spacing: 9 }));
  assert.deepEqual([history.undo(), history.undo()], [restyle({ spacing: 9 }), restyle({ spacing: 8 })]);
});

test("a hundred steps are kept, and the oldest go", (t) => {
  const { history } = begin(t);
  const draft = { cells: [{ photo: { id: "5" } }] };
  for (let step = 0; step < 130; step += 1) history.add(clear(draft, 0), relayout(`${step}`));
  const undone = [];
  for (let change = history.undo(); change; change = history.undo()) undone.push(change);
  assert.equal(undone.length, 100);
  assert.deepEqual(undone.at(-1), relayout("30"));
});
