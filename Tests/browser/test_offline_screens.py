"""Without a network: the screens as they were last seen, from a cold start, and what must not be among them."""

import re
import uuid

import pytest
from playwright.sync_api import expect

from conftest import PHONE, long
from chats import chat_of, send_once, send_photo
from keeping import (  # noqa: F401  (fixtures)
    ENTRIES, browser_context_args, is_drawn, kept, line, open_kept, open_offline, phone_of, until, wait_until_kept,
)
from people import ready
from snaps import snap

SERVER_FLAGS = [
    *("--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-uploads", "100000"),
]


class Story:
    """What bea has shown and said to ana."""

    def __init__(self, ana, bea, photos):
        self.words = {name: f"{name}-{uuid.uuid4().hex}" for name in ("post", "comment", "message")}
        self.post = bea.share(self.words["post"], photos[0])
        bea.post("/api/v1/statuses", status=self.words["comment"], in_reply_to_id=self.post)
        self.chat = chat_of(ana, bea)
        bea.post(f"/api/v1/chats/{self.chat}/messages", text=self.words["message"])
        send_photo(bea, self.chat, photos[1], "The harbour")
        self.once = send_once(bea, self.chat, photos[2])
        self.snap = snap(bea)
        self.paths = [
            "/home", "/snaps", "/messages", f"/messages/{self.chat}", f"/@{bea.username}", f"/posts/{self.post}",
            f"/posts/{self.post}/comments", "/notifications", "/users",
        ]

    def look_at(self, person):
        """Opens every screen once, with its pictures, until all of it is kept; the page."""
        page = open_kept(person, "/home")
        for path in self.paths:
            page.goto(path)
            ready(page)
            for picture in page.locator("main img").all():
                is_drawn(picture)
            page.wait_for_selector("html[data-sw=on]", state="attached")
        wait_until_kept(page, *self.paths, "/offline", "/posts/new")
        return page


@pytest.fixture
def story(ana, bea, photos):
    return Story(ana, bea, photos)


def watch_console(page):
    """The list into which the page's errors go that it reports itself."""
    errors = []

    def hear(message):
        if message.type == "error":
            errors.append(f"{message.text} ({message.location['url']})")

    page.on("console", hear)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


def test_every_screen_opens_from_a_cold_start_without_a_network(ana, bea, story, phone_of, line):
    start = phone_of(ana)
    context = start()
    story.look_at(ana)
    context.close()

    context = start()
    line.cut(context)
    errors = watch_console(ana.page)
    page = open_offline(ana, "/home")
    expect(page.get_by_text(story.words["post"])).to_be_visible()
    is_drawn(page.locator("post-card img[src*='/photos/']").first)
    page = open_offline(ana, f"/posts/{story.post}/comments")
    expect(page.get_by_text(story.words["comment"])).to_be_visible()
    page = open_offline(ana, f"/@{bea.username}")
    expect(page.get_by_role("heading", name=bea.username).first).to_be_visible()
    page = open_offline(ana, "/messages")
    page.locator(f"chat-list li[data-id='{story.chat}'] > a").click()
    expect(page).to_have_url(re.compile(f"/messages/{story.chat}$"))
    ready(page)
    expect(page.get_by_text(story.words["message"])).to_be_visible()
    is_drawn(page.get_by_role("img", name="The harbour"))
    page.get_by_role("button", name="Photo · view once").click()
    expect(page.get_by_text("Photos to be seen once need a network.")).to_be_visible()
    page = open_offline(ana, "/snaps")
    row = page.get_by_role("button", name=bea.username)
    row.click()
    expect(page.get_by_text("Snaps need a network.")).to_be_visible()
    expect(page.locator("dialog.snap-viewer")).to_have_count(0)
    expect(open_offline(ana, "/notifications").locator("notification-list")).to_be_visible()
    assert errors == []
    # Anything else says what can be opened.
    page = ana.open("/settings")
    expect(page.get_by_text("This page isn’t saved on this device.")).to_be_visible()
    main = page.get_by_role("main")
    for name in ["Home", "Snaps", "Messages", "Notifications", "Users"]:
        expect(main.get_by_role("link", name=name, exact=True)).to_be_visible()
    expect(main.get_by_role("link", name="Library", exact=True)).to_be_hidden()
    # The snap waited: it is opened once there is a network, without a new page.
    page = open_offline(ana, "/snaps")
    line.mend(context)
    page.locator("[data-open]").first.click()
    expect(page.locator("dialog.snap-viewer img")).to_be_visible()


def test_what_changed_meanwhile_shows_also_if_the_first_answer_of_the_new_network_is_lost(ana, bea, photos, line):
    page = open_kept(ana, "/snaps")
    page.wait_for_selector("html[data-live=on]", state="attached")
    snap(bea)
    # Fetched again by the open page: what is kept of it then must not show in place of the server's answer.
    expect(page.locator("[data-open]")).to_have_count(1)
    page = open_kept(ana, "/snaps")
    wait_until_kept(page, "/snaps")
    line.cut(page.context)
    page = open_offline(ana, "/snaps")
    expect(page.locator("[data-open]")).to_have_count(0)
    line.lost_parts = 1
    line.mend(page.context)
    page.locator("[data-open]").click()
    expect(page.locator("dialog.snap-viewer img")).to_be_visible()
    assert line.lost_parts == 0


def test_without_a_network_the_chats_are_found_also_from_the_tab(ana, bea, line):
    chat = chat_of(ana, bea)
    bea.post(f"/api/v1/chats/{chat}/messages", text="See you at eight")
    page = open_kept(ana, "/friends")
    wait_until_kept(page, "/friends", "/offline")
    line.cut(page.context)
    ana.open("/settings")
    page.get_by_role("main").get_by_role("link", name="Messages", exact=True).click()
    expect(page.locator(f"chat-list li[data-id='{chat}']")).to_be_visible()
    expect(page).to_have_url(re.compile("/friends$"))


# Goes through a page in steps, and gives the words of controls that the note covers.
COVERED = """async () => {
  const note = document.querySelector(".kept-note");
  const found = new Set();
  for (let top = 0; top < document.documentElement.scrollHeight; top += 40) {
    scrollTo(0, top);
    await new Promise(requestAnimationFrame);
    const own = note.getBoundingClientRect();
    for (const control of document.querySelectorAll("a, button, input, textarea, label")) {
      const box = control.getBoundingClientRect();
      const isShown = !note.contains(control) && control.checkVisibility({ visibilityProperty: true });
      const isOver = box.left < own.right && box.right > own.left && box.top < own.bottom && box.bottom > own.top;
      // What is above the note covers it, and not the other way round.
      const [x, y] = [Math.max(box.left, own.left) + 1, Math.max(box.top, own.top) + 1];
      if (isShown && isOver && note.contains(document.elementFromPoint(x, y))) found.add(control.outerHTML.slice(0, 80));
    }
  }
  scrollTo(0, 0);
  return [...found];
}"""


@pytest.mark.parametrize("size", [PHONE, long({"width": 1280, "height": 800})], ids=["phone", "wide"])
def test_the_note_covers_no_control_and_is_in_the_middle_of_the_column(size, ana, story, photos, line):
    for caption in ["First", "Second"]:
        ana.share(caption, photos[0])
    ana.page.set_viewport_size(size)
    page = story.look_at(ana)
    photo = f"/posts/{story.post}/photos/1"
    page.goto(photo)
    ready(page)
    wait_until_kept(page, photo)
    line.cut(page.context)
    for path in [*story.paths, photo, "/posts/new"]:
        page = open_offline(ana, path)
        assert page.evaluate(COVERED) == [], path
        middle = """(box) => {
          const { left, right } = box.getBoundingClientRect();
          return left + right;
        }"""
        note, column = (page.locator(one).evaluate(middle) for one in [".kept-note", "main"])
        assert abs(note - column) <= 2, path


@pytest.mark.long
def test_a_screen_that_changed_while_it_was_open_is_kept_as_it_was_left(ana, bea, story, line):
    page = story.look_at(ana)
    page = ana.open(f"/messages/{story.chat}")
    page.wait_for_selector("html[data-live=on][data-sw=on]", state="attached")
    words = uuid.uuid4().hex
    bea.post(f"/api/v1/chats/{story.chat}/messages", text=words)
    expect(page.get_by_text(words).first).to_be_visible()
    page.goto("/snaps")
    ready(page)
    until(page, f"async () => (await (await caches.match('/messages/{story.chat}'))?.text())?.includes('{words}')")
    line.cut(page.context)
    expect(open_offline(ana, f"/messages/{story.chat}").locator("li.message").get_by_text(words)).to_be_visible()


@pytest.mark.long
def test_nothing_kept_opens_a_snap_or_shows_a_picture_to_be_seen_once(ana, story):
    page = story.look_at(ana)
    page.goto("/snaps")
    ready(page)
    page.locator("[data-open]").first.click()
    expect(page.locator("dialog.snap-viewer img")).to_be_visible()
    page.locator("dialog.snap-viewer").click()
    page.goto(f"/messages/{story.chat}")
    ready(page)
    page.get_by_role("button", name="Photo · view once").click()
    expect(page.locator("dialog.snap-viewer img")).to_be_visible()
    page.locator("dialog.snap-viewer").click()
    page.goto("/home")
    ready(page)
    for path in kept(page):
        assert not re.search(r"snap_views|/open|view|media|stake", path), path
    listed = page.evaluate("async () => (await caches.match('/snaps')).text()")
    assert "data-open" not in listed and "/open" not in listed
    # Nor in a cache of another name.
    rest = page.evaluate("async () => (await caches.keys()).filter((name) => !/^tintype-(static|kept)-/.test(name))")
    assert rest == []


# ---------------------------------------------------------------- what can't be seen any more


def wait_until_others_are_gone(page):
    """Waits until nothing is kept that shows other people, but the page that was left last: it is kept again."""
    until(page, "(paths) => !paths.some((path) => /^\\/(home|snaps|messages|@|posts|photos)/.test(path))")


def test_a_block_takes_what_is_kept_of_other_people(ana, bea, story, photos, line):
    own = ana.upload(photos[1])
    page = story.look_at(ana)
    page.goto("/library")
    ready(page)
    wait_until_kept(page, "/library", f"/photos/{own}/square")
    page.goto("/notifications")
    page.wait_for_selector("html[data-live=on][data-sw=on]", state="attached")
    assert f"/@{bea.username}" in kept(page)
    # The open page learns it: nothing else is asked for.
    bea.post(f"/api/v1/accounts/{ana.id}/block")
    until(page, "(paths) => !paths.some((path) => /^\\/(home$|@|posts\\/\\d|messages)/.test(path))")
    assert {"/library", f"/photos/{own}/square"} <= kept(page)
    line.cut(page.context)
    for path in [f"/@{bea.username}", f"/messages/{story.chat}", f"/posts/{story.post}"]:
        ana.open(path)
        expect(page.get_by_text("This page isn’t saved on this device.")).to_be_visible()
        assert bea.username not in page.content()


@pytest.mark.long
@pytest.mark.parametrize("end", ["unfollow", "removed", "suspended", "deleted", "approves"])
def test_people_who_may_see_less_keep_nothing_of_it(end, ana, bea, story, server):
    page = story.look_at(ana)
    page.goto("about:blank")
    if end == "unfollow":
        ana.post(f"/api/v1/accounts/{bea.id}/unfollow")
    elif end == "removed":
        bea.post(f"/api/v1/accounts/{ana.id}/remove_from_followers")
    elif end == "suspended":
        suspend(server, bea)
    elif end == "deleted":
        bea._answer("POST", "/settings/delete", b"password=correct+horse", "application/x-www-form-urlencoded")
    else:
        bea.call("PATCH", "/api/v1/accounts/update_credentials", b'{"locked": true}', "application/json")
    # The next answer says so, whatever it is.
    page.goto("/settings")
    ready(page)
    wait_until_others_are_gone(page)


def suspend(server, person):
    """Suspends somebody, as an administrator does."""
    admin = server.person(f"admin{uuid.uuid4().hex[:8]}")
    with server.database() as database:
        database.execute("UPDATE accounts SET is_admin = 1 WHERE id = ?", (int(admin.id),))
    admin.again()._answer("POST", f"/administration/accounts/{person.id}/suspend", b"reason=spam",
                          "application/x-www-form-urlencoded")


@pytest.mark.long
def test_what_is_kept_of_posts_stays_within_its_bounds(ana, bea, story, photos):
    photo = bea.upload(photos[0])
    ids = [bea.post("/api/v1/statuses", status=f"Post {n}", media_ids=[photo])["id"] for n in range(84)]
    page = story.look_at(ana)
    page.evaluate(
        """async (ids) => {
          for (const id of ids) await (await fetch(`/posts/${id}`, { headers: { "X-Fragment": "post" } })).text();
        }""",
        ids,
    )
    # The least recently used has gone, too: that is asked after the last was kept.
    until(page, f"(paths) => paths.includes('/posts/{ids[-1]}') && !paths.includes('/posts/{ids[3]}')")
    listed = page.evaluate(ENTRIES, ["tintype-offline", "kept"])
    posts = {entry["key"] for entry in listed if entry["kind"] == "post"}
    assert len(posts) == 80
    # The least recently used have gone.
    assert f"/posts/{story.post}" not in posts and f"/posts/{ids[-1]}" in posts
    assert {entry["key"] for entry in listed} == kept(page)
