import assert from "node:assert/strict";
import { test } from "node:test";
import { clear, commute, fill, look, merged, relayout, requestOf, restyle, swap } from "#js/collages/changes.js";
import { apply, concerns, inverse } from "#js/collages/effects.js";
import { Rights } from "#js/collages/rights.js";
import { random } from "./random.js";

const ana = { id: "1", display_name: "Ana" };
const ben = { id: "2", display_name: "Ben" };
const styles = [{ spacing: 4 }, { spacing: 20 }, { corner_radius: 12 }, { background: "#000000" }];

/** Layouts by their number of cells; only that counts here. */
const layouts = new Map([2, 3, 4, 5].map((count) => [`${count}`, { id: `${count}`, cells: Array(count).fill({}) }]));
const world = { layouts, viewer: ana };

const photo = (id) => ({ id, description: `Photo ${id}`, meta: { original: { width: 400, height: 300 } } });
const empty = { account: null, assigned_to: null, photo: null, missing: false, zoom: 1, x: 0.5, y: 0.5 };

/** A cell with a photo of somebody, ana's unless said otherwise. */
const filled = (id, account = ana) => ({ ...empty, account, photo: photo(id) });

/**
 * Returns a draft of ana's with some cells.
 *
 * @returns {any} as in the JSON interface
 */
function draftOf(cells, more = {}) {
  const style = { background: "#ffffff", spacing: 8, corner_radius: 0 };
  const sharing = { owner: ana, accounts: [], state: "open", chat_id: null };
  return { id: "9", ...sharing, layout_id: `${cells.length}`, cells, ...style, ...more };
}

const idsOf = ({ cells, spare = [] }) => [...cells, ...spare].flatMap((cell) => cell.photo?.id ?? []);

const { of, whole } = random(7);

/** A draft with two to five cells, some of which are empty, or somebody else's. */
function someDraft() {
  const cells = Array.from({ length: 2 + whole(4) }, (_, index) => {
    return of([empty, filled(`${10 + index}`), filled(`${20 + index}`), filled(`${30 + index}`, ben)]);
  });
  return draftOf(cells);
}

/** A change as the page makes it of a draft. */
function someChange(draft) {
  const index = whole(draft.cells.length);
  const view = { zoom: 1 + whole(3), x: whole(3) / 2, y: whole(3) / 2 };
  const changes = [
    () => restyle(of(styles)),
    () => look(draft, index, view),
    () => fill(index, photo(`${50 + whole(5)}`), view),
    () => clear(draft, index),
    () => swap(draft, index, whole(draft.cells.length)),
  ];
  return of(changes)();
}

test("every change can be undone: the draft is as it was", () => {
  let undone = 0;
  for (let round = 0; round < 1_000; round += 1) {
    const draft = someDraft();
    const change = someChange(draft);
    const after = apply(draft, change, world);
    if (after === draft) continue;
    const back = inverse(draft, change, world);
    if (!back) {
      const { account, photo: removed } = draft.cells[change.index];
      assert.ok(!removed || account === ben, "only what somebody else gave can't be put back");
      continue;
    }
    undone += 1;
    assert.deepEqual(apply(after, back, world), draft);
  }
  assert.ok(undone > 500);
});

test("a photo of somebody else that was removed can't be put back by anybody", () => {
  const draft = draftOf([filled("11", ben), empty]);
  assert.equal(inverse(draft, clear(draft, 0), world), null);
});

test("one change that two were merged to does what both did", () => {
  const kinds = new Set();
  for (let round = 0; round < 5_000; round += 1) {
    const draft = someDraft();
    const first = someChange(draft);
    const middle = apply(draft, first, world);
    const second = someChange(middle);
    const both = merged(first, second);
    if (both === undefined) continue;
    kinds.add(`${first.kind} ${second.kind}`);
    const wanted = apply(middle, second, world);
    assert.deepEqual(both ? apply(draft, both, world) : draft, wanted, JSON.stringify([first, second]));
  }
  assert.deepEqual([...kinds].sort(), ["fill fill", "fill view", "style style", "swap swap", "view view"]);
});

test("changes of different things are not merged", () => {
  const draft = draftOf([filled("11"), filled("12"), empty]);
  const view = { zoom: 2, x: 0, y: 0 };
  assert.equal(merged(look(draft, 0, view), look(draft, 1, view)), undefined);
  assert.equal(merged(look(draft, 0, view), clear(draft, 0)), undefined);
  assert.equal(merged(restyle({ spacing: 3 }), relayout("2")), undefined);
  assert.equal(merged(swap(draft, 0, 1), swap(draft, 0, 2)), undefined);
  assert.equal(merged(fill(0, photo("50")), look(draft, 0, view)), undefined, "the view was of the photo before");
});

test("two choices of a layout are the last one", () => {
  assert.deepEqual(merged(relayout("2"), relayout("4")), relayout("4"));
});

test("changes that commute have the same effect in either order", () => {
  let compared = 0;
  for (let round = 0; round < 5_000; round += 1) {
    const draft = someDraft();
    const [one, other] = [someChange(draft), someChange(draft)];
    if (!commute(one, other)) continue;
    compared += 1;
    const inOrder = (...all) => all.reduce((before, change) => apply(before, change, world), draft);
    assert.deepEqual(inOrder(one, other), inOrder(other, one), JSON.stringify([one, other]));
  }
  assert.ok(compared > 1_000);
  assert.ok(!commute(relayout("3"), clear(draftOf([filled("11"), empty]), 0)), "a layout concerns every cell");
});

test("a change without an effect leaves the very same draft", () => {
  const draft = draftOf([filled("11"), empty]);
  assert.equal(apply(draft, restyle({ spacing: 8 }), world), draft);
  assert.equal(apply(draft, relayout("2"), world), draft);
  assert.equal(apply(draft, relayout("unknown"), world), draft);
  assert.equal(apply(draft, look(draft, 0, { zoom: 1, x: 0.5, y: 0.5 }), world), draft);
  assert.equal(apply(draft, fill(7, photo("50")), world), draft);
});

test("a change that names a photo which somebody else has replaced does nothing", () => {
  const known = draftOf([filled("11"), filled("12")]);
  const news = draftOf([filled("21", ben), filled("12")]);
  for (const change of [look(known, 0, { zoom: 3, x: 0, y: 0 }), clear(known, 0), swap(known, 0, 1)]) {
    assert.ok(concerns(known, change) && !concerns(news, change));
    assert.equal(apply(news, change, world), news);
  }
});

test("photos keep their order in a smaller layout and in a larger one again, and none is lost", () => {
  for (let round = 0; round < 300; round += 1) {
    let draft = someDraft();
    const before = idsOf(draft);
    for (let step = 0; step < 4; step += 1) draft = apply(draft, relayout(of(["2", "3", "4", "5"])), world);
    assert.deepEqual(idsOf(draft), before);
    assert.equal(draft.cells.length, Number(draft.layout_id));
    const hasRoom = draft.cells.some((cell) => !cell.photo);
    const isWaiting = (draft.spare ?? []).some((cell) => cell.photo);
    assert.ok(!(hasRoom && isWaiting), "a photo waits beside an empty cell");
  }
});

test("a smaller layout takes no cell from the person whom it is for", () => {
  const draft = draftOf([{ ...empty, assigned_to: ben }, empty, filled("12"), filled("13")]);
  const { cells } = apply(draft, relayout("2"), world);
  assert.deepEqual([cells[0].assigned_to, cells[1].photo.id], [ben, "12"]);
});

test("an emptied cell stays for the person whom it is for", () => {
  const draft = draftOf([{ ...filled("11"), assigned_to: ana }, empty]);
  const [cell] = apply(draft, clear(draft, 0), world).cells;
  assert.deepEqual([cell.assigned_to, cell.photo, cell.account], [ana, null, null]);
});

test("each change is one request of the interface", () => {
  const draft = draftOf([filled("11"), filled("12")]);
  const view = { zoom: 2, x: 0.25, y: 1 };
  assert.deepEqual(requestOf(restyle({ spacing: 3 })), ["PATCH", "", { spacing: 3 }]);
  assert.deepEqual(requestOf(relayout("4")), ["PATCH", "", { layout_id: "4" }]);
  assert.deepEqual(requestOf(look(draft, 1, view)), ["PUT", "/cells/1", view]);
  assert.deepEqual(requestOf(fill(0, photo("50"), view)), ["PUT", "/cells/0", { photo_id: "50", ...view }]);
  assert.deepEqual(requestOf(clear(draft, 1)), ["DELETE", "/cells/1"]);
  assert.deepEqual(requestOf(swap(draft, 0, 1)), ["POST", "/swap", { one: 0, other: 1 }]);
});

test("a friend fills free cells and their own, and changes no photo of somebody else", () => {
  const [forAna, forBen] = [ana, ben].map((account) => ({ ...empty, assigned_to: account }));
  const cells = [filled("11"), filled("12", ben), empty, forAna, forBen];
  const draft = draftOf(cells, { accounts: [ben], chat_id: "3" });
  const [owner, friend] = [new Rights(draft, "1"), new Rights(draft, "2")];
  const may = (rights, name) => cells.map((_, index) => rights[name](index));
  assert.deepEqual(may(friend, "mayFill"), [false, true, true, false, true]);
  assert.deepEqual(may(friend, "mayChange"), [false, true, false, false, false]);
  assert.deepEqual(may(owner, "mayChange"), [true, true, false, false, false]);
  assert.ok(owner.maySwap(0, 2) && !owner.maySwap(0, 0) && !owner.maySwap(2, 3) && !friend.maySwap(0, 1));
});

test("what is finished stays as it is, and a copy of it is the person’s own", () => {
  const cells = [filled("11"), empty];
  const shared = new Rights(draftOf(cells, { accounts: [ben], state: "finished" }), "1");
  assert.ok(!shared.isOpen && !shared.mayFill(1) && !shared.mayChange(0) && !shared.maySwap(0, 1));
  const copy = new Rights(draftOf([{ ...filled("11"), account: ben }, empty]), "1");
  assert.ok(copy.mayFill(0) && copy.mayFill(1) && copy.mayChange(0));
});
