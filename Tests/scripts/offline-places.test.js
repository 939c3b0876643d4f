import assert from "node:assert/strict";
import { test } from "node:test";
import { limits, photoOf, placeOfPage, placeOfPart, placeOfPicture, setParts, showsKeptPictures } from "#js/offline/places.js";
import { keeping as pastPhotos } from "#js/past-photos/offline.js";
import { keeping as photos } from "#js/photos/offline.js";
import { keeping as thenAndNow } from "#js/then-and-now/offline.js";

setParts([photos, pastPhotos, thenAndNow]);

const address = (path) => new URL(path, "https://tintype.example");
const page = (path) => placeOfPage(address(path));
const picture = (path) => placeOfPicture(address(path));

test("the library and Then & Now are kept, each filter for itself", () => {
  assert.deepEqual(page("/library?kind=pairs"), { key: "/library?kind=pairs", kind: "list" });
  assert.deepEqual(page("/library/12?flash=1"), { key: "/library/12", kind: "photo" });
  assert.deepEqual(page("/then-and-now?past=7"), { key: "/then-and-now?past=7", kind: "start" });
  assert.deepEqual(page("/then-and-now/nearby"), { key: "/then-and-now/nearby", kind: "start" });
});

test("no snap, chat, feed, profile or setting is kept", () => {
  for (const path of ["/home", "/messages/3", "/snaps/5", "/@ana", "/posts/7", "/settings", "/then-and-nowhere"]) {
    assert.equal(page(path), null, path);
    assert.equal(showsKeptPictures(path), false, path);
  }
  assert.equal(page("/library/12/delete"), null);
});

test("own pictures and those of searches are kept, and no picture of a chat or to be seen once", () => {
  assert.deepEqual(picture("/photos/12/square?v=signature"), { key: "/photos/12/square", kind: "picture" });
  assert.deepEqual(picture("/pairs/4/then"), { key: "/pairs/4/then", kind: "picture" });
  assert.deepEqual(picture("/past-photos/9/large"), { key: "/past-photos/9/large", kind: "past" });
  for (const path of ["/photos/12/original", "/messages/3/photos/8", "/snaps/5/picture", "/photos/x/square"]) {
    assert.equal(picture(path), null, path);
  }
});

test("every place is of a kind that has limits", () => {
  const pages = ["/library", "/library/1", "/then-and-now", "/offline"].map(page);
  const pictures = ["/photos/1/large", "/past-photos/1/large"].map(picture);
  for (const { kind } of [...pages, ...pictures]) assert.ok(limits[kind].most > 0 && limits[kind].bytes > 0);
});

test("whatever is kept of a photo is found by the photo's id, so that deleting it deletes all", () => {
  const part = placeOfPart(page("/library/12"), "photo");
  assert.equal(part.key, "/-/photo/library/12");
  for (const key of ["/library/12", part.key, "/photos/12/square", "/pairs/12/now"]) {
    assert.equal(photoOf(key), "12", key);
  }
  for (const key of ["/library", "/library?kind=12", "/past-photos/12/large", "/then-and-now?past=12"]) {
    assert.equal(photoOf(key), undefined, key);
  }
});
