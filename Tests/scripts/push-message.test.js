import assert from "node:assert/strict";
import { test } from "node:test";
import { pathOn, read } from "#js/push/message.js";

const origin = "https://tintype.example";
const message = {
  id: "9", tag: "message-3", title: "lena", body: "See you at eight", path: "/messages/3", icon: "/portraits/5/small?s=1",
  badge: 2, at: "2026-11-25T10:00:00Z",
};

test("a push is shown as it was written", () => {
  const { announcement, close, badge } = read(JSON.stringify(message), origin);
  assert.equal(announcement.title, "lena");
  assert.deepEqual([close, badge], [[], 2]);
  const { options } = announcement;
  assert.deepEqual([options.tag, options.body, options.icon], ["message-3", "See you at eight", "/portraits/5/small?s=1"]);
  assert.deepEqual(options.data, { path: "/messages/3", id: "9" });
  assert.equal(options.timestamp, Date.UTC(2026, 10, 25, 10));
});

test("a push that closes shows nothing", () => {
  const found = read('{"close": ["message-3", 7, "", "like-4"], "badge": 0}', origin);
  assert.deepEqual(found, { announcement: null, close: ["message-3", "like-4"], badge: 0 });
});

test("whatever arrives, something can be shown, and nothing of it leads elsewhere", () => {
  const broken = [null, "", "{", "7", "null", "[]", '"x"', '{"title": 3}', '{"title": " "}', '{"close": "all"}'];
  for (const text of broken) {
    const { announcement } = read(text, origin);
    assert.equal(announcement?.title, "Something new on Tintype", String(text));
    assert.equal(announcement?.options.data.path, "/notifications");
    assert.ok(announcement?.options.tag, "a sound again needs a tag");
  }
  for (const path of ["https://example.org/", "//example.org/", "/\\example.org", "javascript:alert(1)", "", 3, null]) {
    const { announcement } = read(JSON.stringify({ ...message, path, icon: path, at: path, badge: path }), origin);
    assert.equal(announcement.options.data.path, "/notifications", String(path));
    assert.match(announcement.options.icon, /icon-192\.png$/);
  }
  assert.equal(pathOn(origin, "/messages/3?a=1#b"), "/messages/3?a=1#b");
});

test("what is long is cut", () => {
  const { announcement } = read(JSON.stringify({ ...message, title: "t".repeat(900), body: "b".repeat(900) }), origin);
  assert.deepEqual([announcement.title.length, announcement.options.body.length], [120, 400]);
  const { close } = read(JSON.stringify({ close: Array.from({ length: 900 }, (_, index) => `message-${index}`) }), origin);
  assert.equal(close.length, 50);
});
