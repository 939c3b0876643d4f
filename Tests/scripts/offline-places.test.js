import assert from "node:assert/strict";
import { test } from "node:test";
import { keeping as profiles } from "#js/profiles/offline.js";
import { keeping as chats } from "#js/chats/offline.js";
import { keeping as notifications } from "#js/notifications/offline.js";
import { clean, limits, photoOf, placeOfPage, placeOfPart, placeOfPicture, placeOfShown, setParts } from "#js/offline/places.js";
import { keeping as pastPhotos } from "#js/past-photos/offline.js";
import { keeping as photos } from "#js/photos/offline.js";
import { keeping as posts } from "#js/posts/offline.js";
import { keeping as snaps } from "#js/snaps/offline.js";
import { keeping as thenAndNow } from "#js/then-and-now/offline.js";

setParts([notifications, photos, posts, pastPhotos, snaps, chats, thenAndNow, profiles]);

const address = (path) => new URL(path, "https://tintype.example");
const page = (path) => placeOfPage(address(path));
const picture = (path) => placeOfPicture(address(path));

test("the library and Then & Now are kept, each filter for itself", () => {
  assert.deepEqual(page("/library?kind=pairs"), { key: "/library?kind=pairs", kind: "list" });
  assert.deepEqual(page("/library/12?flash=1"), { key: "/library/12", kind: "photo" });
  assert.deepEqual(page("/then-and-now?past=7"), { key: "/then-and-now?past=7", kind: "start" });
  assert.deepEqual(page("/then-and-now/nearby"), { key: "/then-and-now/nearby", kind: "start" });
});

test("what was seen of other people is kept, and goes when the person may see less of them", () => {
  const kinds = {
    "/": "home", "/home": "home", "/home?show=everyone": "home", "/saved": "home", "/posts/7": "post",
    "/posts/7/comments": "post", "/posts/new": "home", "/snaps": "snaps", "/messages": "chat", "/messages?q=": "chat", "/messages/3": "chat",
    "/@ana": "person", "/users": "person", "/notifications": "notifications",
  };
  for (const [path, kind] of Object.entries(kinds)) {
    assert.equal(page(path)?.kind, kind, path);
    assert.equal(limits[kind].showsOthers, true, kind);
  }
  assert.equal(page("/").key, "/home");
  assert.equal(limits.seen.showsOthers, true);
  for (const kind of ["list", "photo", "picture", "offline"]) assert.ok(!limits[kind].showsOthers, kind);
});

test("no snap, stake, search, older page or setting is kept", () => {
  const paths = [
    "/snaps/5", "/snaps/5/open", "/snaps/new", "/messages/3/8/open", "/messages/new", "/messages/search?q=oven", "/messages?q=oven",
    "/messages/3/search", "/messages/3?message=8", "/contracts", "/contracts/4",
    "/settings", "/then-and-nowhere", "/library/12/delete", "/home?max_id=3", "/users?q=ana", "/login", "/feed",
    "/notifications?max_id=3", "/@ana/followers", "/guest/secret",
  ];
  for (const path of paths) assert.equal(page(path), null, path);
});

test("nothing that is kept opens a snap", () => {
  const row = '<li data-snap="5"><form method="post" action="/snaps/5/open"><button class="row" data-open="5"><b>ana</b></button></form></li>';
  const kept = '<li data-snap="5"><button class="row" type="button" data-unopened><b>ana</b></button></li>';
  assert.equal(clean(`<ul>${row}${row}</ul><form action="/logout"></form>`), `<ul>${kept}${kept}</ul><form action="/logout"></form>`);
});

test("a picture counts as the person's own in the library alone, and is kept on pages that are kept", () => {
  const shown = (path, on) => placeOfShown(address(path), on)?.kind;
  assert.equal(shown("/photos/12/square", "/library"), "picture");
  assert.equal(shown("/photos/12/large", "/home"), "seen");
  assert.equal(shown("/photos/12/medium", "/messages/3"), "seen");
  assert.equal(shown("/portraits/3/small", "/library"), "seen");
  assert.equal(shown("/past-photos/9/large", "/then-and-now/nearby"), "past");
  for (const on of ["/settings", "/contracts/4", "/snaps/new", "/guest/secret"]) {
    assert.equal(shown("/photos/12/large", on), undefined, on);
    assert.equal(shown("/portraits/3/small", on), undefined, on);
  }
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
