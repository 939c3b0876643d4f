"""WebKit, the engine of every browser on an iPhone: the main journeys, in Debian's WebKitGTK on a virtual screen."""

import os
import pathlib
import subprocess

import pytest
from selenium import webdriver
from selenium.common.exceptions import (
    ElementNotInteractableException, StaleElementReferenceException, WebDriverException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from chats import chat_of
from people import befriend
from snaps import snap, status

pytestmark = pytest.mark.long

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]

DRIVER = "/usr/bin/WebKitWebDriver"
CONTROLS = "a, button, input, textarea, select, label"
SCREENS = [
    "/home", "/snaps", "/create", "/friends", "/library", "/users", "/feed", "/messages", "/saved", "/notifications",
    "/posts/new", "/snaps/new", "/settings", "/settings/profile", "/settings/privacy", "/settings/devices",
]

# Whether nothing moves, such as a question that rises.
STILL = "return document.getAnimations().every(({ playState }) => playState !== 'running')"


@pytest.fixture(scope="module")
def screen():
    """A virtual screen; what DISPLAY names it."""
    readable, writable = os.pipe()
    xvfb = subprocess.Popen(
        ["setpriv", "--pdeathsig", "TERM", "Xvfb", "-displayfd", str(writable), "-screen", "0", "1280x1024x24"],
        pass_fds=[writable],
        stderr=subprocess.DEVNULL,
    )
    os.close(writable)
    with os.fdopen(readable) as number:
        yield f":{number.readline().strip()}"
    xvfb.terminate()
    xvfb.wait()


@pytest.fixture
def safari(screen, server):
    """Gives someone a WebKit browser: `safari(ana).open("/home")`. Its windows are at least 447 px wide."""
    browsers = []

    def give(person=None):
        browsers.append(Safari(screen, server, person))
        return browsers[-1]

    yield give
    for browser in browsers:
        browser.driver.quit()


class Safari:
    """A browser window the size of a phone, for one person, or logged out."""

    def __init__(self, screen, server, person):
        self.server = server
        options = webdriver.WebKitGTKOptions()
        [options.binary_location] = map(str, pathlib.Path("/usr/lib").glob("*/webkit2gtk-4.1/MiniBrowser"))
        for argument in ["--automation", "--enable-media-stream=true", "--enable-mock-capture-devices=true"]:
            options.add_argument(argument)
        environment = {**os.environ, "DISPLAY": screen}
        if os.getuid() == 0:
            environment["WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS"] = "1"
        self.driver = webdriver.WebKitGTK(options=options, service=webdriver.WebKitGTKService(DRIVER, env=environment))
        self.driver.set_window_size(447, 900)
        if person:
            self.driver.get(f"{server.url}/login")
            self.driver.add_cookie({"name": "tintype_session", "value": person.cookie, "path": "/"})

    def open(self, path):
        self.driver.get(self.server.url + path)
        return self.ready()

    def ready(self):
        """Waits until the page's scripts have started."""
        self.one("html[data-ready=on]")
        return self

    def live(self):
        """Waits until the page hears of events."""
        self.one("html[data-live=on]")
        return self

    def until(self, condition):
        """Waits until a condition of this browser is true; its value."""
        passing = [StopIteration, StaleElementReferenceException, ElementNotInteractableException]
        return WebDriverWait(self, 30, poll_frequency=0.1, ignored_exceptions=passing).until(condition)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector):
        """The first element that a selector finds, once there is one."""
        return self.until(lambda _: next(iter(self.all(selector)), None))

    def named(self, name, selector=CONTROLS):
        """The first control shown with this accessible name, once there is one."""
        return self.until(lambda _: next(one for one in self.all(selector) if one.is_displayed() and name_of(one) == name))

    def file(self, name):
        """The input for files whose accessible name begins so. It is often out of sight behind its label."""
        return self.until(lambda _: next(one for one in self.all("input[type=file]") if begins_with(one, name)))

    def choose(self, words):
        """Taps the label with these words, whose radio button is out of sight."""
        self.until(lambda _: next(one for one in self.all("label") if one.text == words)).click()

    def tap(self, name):
        """Taps a control with this name as soon as nothing moves over it any more."""
        self.until(lambda _: self.named(name).click() is None)

    def arrive(self, path):
        """Waits until the address ends with a path, and the page is ready."""
        self.until(lambda _: self.driver.current_url.endswith(path))
        return self.ready()

    def height(self, element):
        return element.size["height"]

    def has(self, element, attribute, value):
        self.until(lambda _: element.get_dom_attribute(attribute) == value)

    def loads(self, selector):
        """Waits until a picture has been drawn."""
        picture = self.one(selector)
        self.until(lambda _: self.driver.execute_script("return arguments[0].complete && arguments[0].naturalWidth", picture))
        return picture


def name_of(control):
    """The accessible name of a control, empty where WebKit has none because it doesn't show the control."""
    try:
        return control.accessible_name
    except WebDriverException:
        return ""


def begins_with(control, words):
    # WebKit adds the words on its own button to the name of an input for files.
    return name_of(control).startswith(words)


def test_someone_logs_in_sees_home_and_likes_a_post(server, safari, photos):
    ana, ben = server.person("ana"), server.person("ben")
    befriend(ana, ben)
    post = ben.share("Harbour at six", photos[0])
    browser = safari()
    browser.open("/login")
    browser.named("Username").send_keys("ana")
    browser.named("Password").send_keys("correct horse")
    browser.tap("Log In")
    browser.arrive("/home").live()
    browser.loads("post-card [data-photo] img")
    like = browser.named("Like")
    like.click()
    browser.has(like, "aria-pressed", "true")
    browser.has(like, "aria-busy", "false")
    assert ana.get(f"/api/v1/statuses/{post}")["favourited"]


def test_a_file_is_posted_and_its_caption_grows_with_its_text(server, safari, photos):
    cleo = server.person("cleo")
    browser = safari(cleo).open("/posts/new")
    browser.file("Choose photos").send_keys(str(photos[0]))
    browser.until(lambda _: browser.one("[data-chosen-count]").text == "1 of 10")
    caption = browser.named("Caption", "textarea")
    before = browser.height(caption)
    caption.send_keys("A caption that is far too long for one line, and goes on. " * 8)
    browser.until(lambda _: browser.height(caption) > before + 80)
    browser.tap("Share")
    browser.arrive("/home")
    browser.loads("post-card [data-photo] img")
    [post] = cleo.get("/api/v1/timelines/home")
    assert post["content"].count("goes on") == 8


def test_a_chat_is_live_both_ways_and_its_line_to_write_on_grows(server, safari):
    dora, emil = server.person("dora"), server.person("emil")
    befriend(dora, emil)
    chat = chat_of(dora, emil)
    browser = safari(dora).open(f"/messages/{chat}").live()
    field = browser.named("Message", "textarea")
    before = browser.height(field)
    field.send_keys("A thought that is far too long for one line, and goes on and on, and on again, until it ends.")
    browser.until(lambda _: browser.height(field) > before + 15)
    browser.tap("Send")
    browser.one("li.message.out[data-id]")
    browser.until(lambda _: browser.height(field) == before)
    [sent] = emil.get(f"/api/v1/chats/{chat}/messages")
    assert sent["text"].startswith("A thought")
    emil.post(f"/api/v1/chats/{chat}/messages", text="Go on")
    browser.until(lambda _: "Go on" in browser.one("chat-thread").text)


def test_a_group_is_made_is_live_and_is_left(server, safari):
    kim, lea, max_ = (server.person(name) for name in ["kim", "lea", "max"])
    befriend(kim, lea)
    befriend(kim, max_)
    browser = safari(kim).open("/messages/new")
    browser.until(lambda _: next(one for one in browser.all("main a") if begins_with(one, "New group"))).click()
    browser.arrive("/messages/new/group")
    browser.named("Name", "input").send_keys("Pizza or ramen?")
    for name in ["Lea", "Max"]:
        browser.choose(name)
    browser.tap("Make group")
    browser.live()
    # The driver's own text leaves out what may be shortened.
    assert browser.one(".chat-bar .peer").get_property("innerText").endswith("Pizza or ramen?")
    [group] = lea.get("/api/v1/chats")
    browser.named("Message", "textarea").send_keys("Seven?")
    browser.tap("Send")
    browser.one("li.message.out[data-id]")
    [sent] = max_.get(f"/api/v1/chats/{group['id']}/messages?limit=1")
    assert sent["text"] == "Seven?"
    lea.post(f"/api/v1/chats/{group['id']}/messages", text="Eight")
    browser.until(lambda _: "Eight" in browser.one("chat-thread").text)
    assert "Lea" in browser.one("li.message.in .sender").text
    browser.open(f"/messages/{group['id']}/group")
    leave = browser.named("Leave group")
    # The driver would leave it below the tabs.
    browser.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", leave)
    leave.click()
    browser.named("Leave group", "#leave-group button")
    browser.until(lambda _: browser.driver.execute_script(STILL))
    browser.named("Leave group", "#leave-group button").click()
    browser.arrive("/messages")
    assert "Pizza or ramen?" not in browser.one("main").text
    assert kim.get("/api/v1/chats") == []


def test_a_snap_is_shot_with_the_camera_and_seen_once(server, safari):
    fay, gil = server.person("fay"), server.person("gil")
    befriend(fay, gil)
    browser = safari(fay).open("/snaps/camera")
    browser.has(browser.one("snap-camera"), "data-state", "live")
    browser.tap("Take the picture")
    browser.loads("img.taken")
    browser.tap("Use")
    browser.choose("memes")
    browser.tap("Post")
    browser.tap("OK")
    browser.arrive("/snaps/new")

    browser = safari(gil).open("/snaps").live()
    row = browser.one("[data-open]")
    id = row.get_dom_attribute("data-open")
    row.click()
    browser.loads("dialog.snap-viewer img")
    browser.tap("Close")
    browser.until(lambda _: not browser.all("dialog.snap-viewer") and not browser.all("[data-open]"))
    assert status(gil, "POST", f"/api/v1/snaps/{id}/open") == 410


def test_a_photo_is_added_to_the_library_and_the_profile_is_changed(server, safari, photos):
    hal = server.person("hal")
    browser = safari(hal).open("/library")
    browser.tap("Add photos")
    # WebKit stretched sheets over the whole window.
    assert browser.height(browser.one("#add-photos")) < 400
    browser.file("Choose photos").send_keys(str(photos[0]))
    browser.loads(".grid li img")
    # As when the page is left before its scripts have loaded: they never do, and Back shows the page as it was left.
    browser.ready().driver.execute_script("delete document.documentElement.dataset.ready")
    browser.one(".grid a").click()
    browser.loads("photo-viewer img")
    browser.tap("Done")
    browser.arrive("/library")
    browser.open("/settings/profile").named("Bio", "textarea").send_keys("Film, bread, bad jokes.")
    browser.tap("Save")
    browser.until(lambda _: "Profile saved." in browser.one("body").text)
    assert "Film" in hal.get("/api/v1/accounts/verify_credentials")["note"]


def test_no_screen_scrolls_sideways(server, safari, photos):
    ida, jon = server.person("ida"), server.person("jon")
    befriend(ida, jon)
    jon.share("Harbour", photos[0])
    snap(jon)
    ida.upload(photos[1], "Soft colours")
    browser = safari(ida)
    for path in SCREENS:
        browser.open(path)
        assert not browser.driver.execute_script("return document.documentElement.scrollWidth > innerWidth"), path
