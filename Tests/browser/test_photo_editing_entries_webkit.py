"""Photos of posts, messages, snaps and collages, edited in WebKit, the engine of every browser on an iPhone."""

import pytest
from selenium.webdriver.common.keys import Keys

from chats import chat_of, history
from collages import Desk
from people import befriend
from test_photo_editing_entries import REDS
from test_webkit import SERVER_FLAGS, safari, screen  # noqa: F401  (settings and fixtures)

pytestmark = pytest.mark.long


def edit(browser, name):
    """Opens a photo by the button of a name, and mirrors it."""
    browser.tap(name)
    browser.tap("Mirror")
    # The page behind the editor may have a button of this name, too.
    browser.until(lambda _: browser.named("Done", "dialog.photo-editor button").click() is None)
    browser.until(lambda _: not browser.all("dialog.photo-editor"))


def is_mirrored(browser, selector):
    """Whether a picture of the first photo shows it mirrored."""
    browser.loads(selector)
    script = f"const done = arguments[1]; ({REDS})(arguments[0]).then(done, (error) => done(String(error)));"

    def reds():
        # WebKit says that a picture has been decoded some time before it draws it: until then both are 0.
        left, right = browser.driver.execute_async_script(script, browser.one(selector))
        return [left, right] if abs(left - right) > 150 else None

    left, right = browser.until(lambda _: reds())
    return left > right


def test_the_photo_of_a_post_and_that_of_a_message_are_edited(server, safari, photos):
    ana, ben = server.person("edits.two"), server.person("looks.two")
    befriend(ana, ben)
    original = ana.upload(photos[0], "A gradient")
    browser = safari(ana).open(f"/posts/new?photo={original}")
    edit(browser, "Edit photo 1")
    browser.until(lambda _: not browser.all(f"[data-chosen] > [data-id='{original}']"))
    assert is_mirrored(browser, "[data-chosen] img")
    browser.tap("Share")
    browser.arrive("/home")
    [post] = ben.get("/api/v1/timelines/home")
    assert [photo["description"] for photo in post["media_attachments"]] == ["A gradient"]

    chat = chat_of(ana, ben)
    browser.open(f"/messages/{chat}").live()
    browser.file("Choose photos").send_keys(str(photos[0]))
    browser.loads("[data-tray] img")
    edit(browser, "Edit photo 1")
    assert is_mirrored(browser, "[data-tray] img")
    browser.tap("Send")
    browser.one("li.message.out[data-id] a.bubble.photo")
    assert len(history(ben, chat)) == 1


def test_a_shot_picture_and_a_chosen_one_are_edited_for_a_snap(server, safari, photos):
    ana = server.person("edits.three")
    browser = safari(ana).open("/snaps/camera")
    browser.has(browser.one("snap-camera"), "data-state", "live")
    browser.tap("Take the picture")
    browser.loads("img.taken")
    before = browser.one("img.taken").get_dom_attribute("src")
    edit(browser, "Edit")
    browser.until(lambda _: browser.one("img.taken").get_dom_attribute("src") != before)
    browser.tap("Retake")
    browser.has(browser.one("snap-camera"), "data-state", "live")
    browser.file("Choose a file instead").send_keys(str(photos[0]))
    browser.loads("img.taken")
    edit(browser, "Edit")
    browser.until(lambda _: is_mirrored(browser, "img.taken"))
    browser.tap("Use")
    browser.choose("memes")
    browser.tap("Post")
    browser.tap("OK")
    browser.arrive("/snaps/new")
    assert len(ana.get("/api/v1/snaps")[0]["snaps"]) == 1
    assert ana.get("/api/v1/photos") == []


def test_the_photo_of_a_cell_is_edited(server, safari, photos):
    desk = Desk(server.person("edits.four"), photos)
    browser = safari(desk.owner).open(f"/collage/{desk.id}")
    browser.one("collage-editor[data-saved]")
    # WebKit's driver can't click a part of a drawing.
    browser.one("a.cell").send_keys(Keys.ENTER)
    edit(browser, "Edit photo 1")
    browser.until(lambda _: desk.shown[0] != desk.photos[0])
    assert desk.shown[1:] == desk.photos[1:]
