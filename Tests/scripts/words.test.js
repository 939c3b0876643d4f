import assert from "node:assert/strict";
import { test } from "node:test";
import { coordinates, distance, list } from "#js/past-photos/words.js";
import { ApiError, readAnswer } from "#js/web/api.js";
import { commentsLink, count, likes, number } from "#js/web/words.js";

test("numbers have their nouns, and commas by the thousand", () => {
  assert.equal(number(1204), "1,204");
  assert.equal(count(1, "like"), "1 like");
  assert.equal(count(0, "like"), "0 likes");
  assert.equal(likes(0), "Be the first to like this");
  assert.equal(likes(1204), "1,204 likes");
  assert.equal(commentsLink(1), "View 1 comment");
  assert.equal(commentsLink(18), "View all 18 comments");
});

test("a distance is said as people say it, also where the unit changes", () => {
  const said = [0, 4.9, 5, 312, 494, 500, 949, 9_949, 9_951, 123_400].map(distance);
  assert.deepEqual(said, [
    "right here", "right here", "10 m away", "310 m away", "490 m away", "0.5 km away", "0.9 km away", "9.9 km away",
    "10 km away", "123 km away",
  ]);
});

test("names are listed with commas and an and", () => {
  assert.deepEqual([[], ["Flickr"], ["Flickr", "Commons"], ["Flickr", "Commons", "this server"]].map(list), [
    "", "Flickr", "Flickr and Commons", "Flickr, Commons and this server",
  ]);
});

test("a position has four decimals", () => {
  assert.equal(coordinates({ latitude: 46.54119, longitude: -11.8456 }), "46.5412, -11.8456");
});

test("an answer is its JSON, or an error with a sentence for a person", () => {
  assert.deepEqual(readAnswer(200, '{"id": "1"}', null), { id: "1" });
  assert.equal(readAnswer(200, "", null), null);
  const refused = readAnswer(422, '{"error": "Too long.", "details": {"text": []}}', "30");
  assert.ok(refused instanceof ApiError);
  const { message, details, pause, isFinal } = refused;
  assert.deepEqual([message, details, pause, isFinal], ["Too long.", { text: [] }, 30, true]);
  for (const [status, text] of /** @type {[number, string][]} */ ([[200, "<html>"], [500, ""], [502, "<h1>"]])) {
    const broken = readAnswer(status, text, null);
    assert.match(broken.message, /Try again in a moment\.$/);
  }
});

test("what may go well later is no final refusal", () => {
  const finals = [0, 401, 404, 408, 409, 422, 429, 500, 503].filter((status) => new ApiError(status, "").isFinal);
  assert.deepEqual(finals, [404, 409, 422]);
});
