"""The installed app: its manifest, photos that other apps share with it, and the invitation to install it."""

import re

import pytest
from playwright.sync_api import expect

from chats import chat_of
from devices import see_photos, share
from holding import Held
from keeping import ENTRIES, open_kept
from looks import accessibility_problems, scrolls_sideways
from people import befriend, ready, until_true
from proxies import Line, LineHandler

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-uploads", "100000"]


@pytest.fixture
def browser_context_args(browser_context_args):
    return {**browser_context_args, "service_workers": "allow"}


def at_home(person):
    """Opens Home with its service worker."""
    page = person.open("/home")
    page.wait_for_selector("html[data-sw=on]", state="attached")
    return page


def destination(page, name):
    return page.get_by_role("button", name=re.compile(f"^{name}"))


def waiting(page):
    """What waits on the device, read as a page does."""
    return page.evaluate(
        """async () => {
          const app = document.querySelector('script[src$="/js/app.js"]').src;
          const { arrivalFor } = await import(new URL("photos/arrivals.js", app));
          const arrival = await arrivalFor(document.documentElement.dataset.account);
          return arrival && arrival.photos.map(({ file, media }) => [Boolean(file), Boolean(media)]);
        }"""
    )


# ---------------------------------------------------------------- the manifest


def test_the_manifest_has_what_a_phone_needs(ana):
    page = at_home(ana)
    session = page.context.new_cdp_session(page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = page.evaluate("fetch('/manifest.webmanifest').then((answer) => answer.json())")
    assert manifest["id"] == manifest["start_url"] == "/home"
    assert [(one["name"], one["url"]) for one in manifest["shortcuts"]] == [
        ("New Post", "/posts/new"), ("Snap", "/snaps/new"), ("Messages", "/messages"),
    ]
    assert manifest["share_target"]["action"] == "/share"
    assert manifest["share_target"]["params"]["files"] == [{"name": "photos", "accept": ["image/*"]}]
    for icon in [*manifest["icons"], *(icon for one in manifest["shortcuts"] for icon in one["icons"])]:
        size = page.evaluate(
            "(src) => new Promise((done) => { const image = new Image(); image.onload = () => done(image.width);"
            " image.onerror = () => done(0); image.src = src; })",
            icon["src"],
        )
        assert icon["sizes"] == f"{size}x{size}", icon
    for shortcut in manifest["shortcuts"]:
        ana.open(shortcut["url"])
        expect(page.locator("main")).to_be_visible()
    # In an installed app the browser's bar has the colour of the page.
    colours = page.locator("meta[name=theme-color]").evaluate_all("(all) => all.map((one) => one.media)")
    assert colours == ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]


# ---------------------------------------------------------------- photos that are shared


def test_several_photos_become_a_post(ana, photos):
    page = at_home(ana)
    share(page, *photos, text="From the gallery")
    see_photos(page, 3)
    expect(page).to_have_url(re.compile("/share$"))
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
    assert ana.get("/api/v1/photos") == [], "nothing is uploaded before its destination is known"
    # A snap is one picture.
    expect(destination(page, "Snap")).to_be_disabled()
    destination(page, "Post").click()
    expect(page).to_have_url(re.compile("/posts/new"))
    ready(page)
    expect(page.get_by_role("list", name="Chosen photos, in order").get_by_role("listitem")).to_have_count(3)
    # The words come along, and stay until they are posted.
    expect(page.get_by_label("Caption")).to_have_value("From the gallery")
    page.reload()
    ready(page)
    expect(page.get_by_label("Caption")).to_have_value("From the gallery")
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".post").first).to_contain_text("From the gallery")
    assert len(ana.get("/api/v1/photos")) == 3
    assert waiting(page) is None


def test_a_snap_is_never_a_photo_of_the_library(ana, photos):
    page = at_home(ana)
    share(page, photos[0])
    see_photos(page, 1)
    destination(page, "Snap").click()
    page.get_by_role("button", name="Use").click()
    page.get_by_role("radio", name="memes").check()
    page.get_by_role("button", name="Post").click()
    expect(page.get_by_role("alertdialog", name="Snap posted to memes")).to_be_visible()
    assert ana.get("/api/v1/photos") == []
    assert waiting(page) is None


def test_a_message_takes_them_into_the_chat_and_once_stays_once(ana, bea, photos):
    page = at_home(ana)
    share(page, photos[0], text="Look at this")
    see_photos(page, 1)
    destination(page, "Message").click()
    ready(page)
    page.get_by_role("link", name=re.compile(bea.username)).click()
    ready(page)
    expect(page.locator("[data-tray] > li")).to_have_count(1)
    expect(page.get_by_role("textbox", name="Message")).to_have_value("Look at this")
    # Nothing has been sent, and a reload loses nothing.
    page.reload()
    ready(page)
    expect(page.locator("[data-tray] > li")).to_have_count(1)
    page.get_by_role("switch", name="View once").check()
    page.get_by_role("button", name="Send", exact=True).click()
    chat = chat_of(ana, bea)
    expect(page.locator(".bubble, message-bubble").first).to_be_visible()
    expect(page.locator("[data-tray] > li")).to_have_count(0)
    until_true(
        page,
        """async (chat) => {
          const messages = await (await fetch(`/api/v1/chats/${chat}/messages`)).json();
          return messages.length === 2;
        }""",
        chat,
    )
    assert ana.get("/api/v1/photos") == []
    assert waiting(page) is None


@pytest.mark.long
def test_a_collage_holds_them_and_the_library_takes_them(ana, photos):
    page = at_home(ana)
    share(page, *photos[:2])
    see_photos(page, 2)
    destination(page, "Collage").click()
    expect(page).to_have_url(re.compile(r"/collage/\d+$"))
    ready(page)
    expect(page.locator("[data-square] img, [data-square] image")).to_have_count(2)
    at_home(ana)
    share(page, photos[2])
    see_photos(page, 1)
    destination(page, "Library").click()
    expect(page).to_have_url(re.compile("/library"))
    ready(page)
    expect(page.locator(".grid li[data-id]")).to_have_count(3)


@pytest.mark.long
def test_the_next_photos_outlast_the_first_ones(ana, photos):
    page = at_home(ana)
    share(page, photos[0])
    see_photos(page, 1)
    uploads = Held(page, "**/api/v2/media")
    destination(page, "Library").click()
    upload = uploads.take()
    other = page.context.new_page()
    other.goto("/home")
    ready(other)
    share(other, *photos[1:])
    see_photos(other, 2)
    upload.continue_()
    expect(page).to_have_url(re.compile("/library"))
    other.reload()
    see_photos(other, 2)


@pytest.mark.long
def test_another_website_hands_nothing_over(ana):
    page = at_home(ana)
    page.route("http://example.org/", lambda route: route.fulfill(
        content_type="text/html",
        body=f"<form method=post enctype=multipart/form-data action={ana.server.url}/share><input name=text value=Planted>"
        "<button>Go</button></form>",
    ))
    page.goto("http://example.org/")
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_text("This request came from another site")).to_be_visible()
    at_home(ana)
    assert waiting(page) is None


def test_behind_an_ended_log_in_they_wait_and_come_after_it(ana, photos):
    page = at_home(ana)
    page.context.clear_cookies(name="tintype_session")
    share(page, *photos[:2])
    expect(page).to_have_url(re.compile("/login"))
    page.get_by_label("Username").fill(ana.username)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Log In").click()
    see_photos(page, 2)
    # Midway the page is reloaded: each photo goes up once.
    page.route("**/api/v2/media", lambda route: route.abort())
    destination(page, "Library").click()
    expect(page.get_by_text("Uploading…")).to_be_visible()
    page.unroute("**/api/v2/media")
    page.reload()
    expect(page).to_have_url(re.compile("/library"))
    ready(page)
    expect(page.locator(".grid li[data-id]")).to_have_count(2)
    assert len(ana.get("/api/v1/photos")) == 2
    assert waiting(page) is None


def test_a_log_out_erases_them_also_where_the_server_can_not(ana, photos):
    class Forgetful(LineHandler):
        """Some browsers erase nothing when the server tells them to."""

        def send_header(self, name, value):
            if name.lower() != "clear-site-data":
                super().send_header(name, value)

    with Line(ana.server) as proxy:
        proxy.RequestHandlerClass = Forgetful
        page = open_kept(ana, f"{proxy.url}/home")
        share(page, photos[0])
        see_photos(page, 1)
        page.goto(f"{proxy.url}/settings")
        ready(page)
        page.get_by_role("main").get_by_role("button", name="Log Out").click()
        expect(page.get_by_label("Password")).to_be_visible()
        assert page.evaluate(ENTRIES, ["tintype-arrivals", "arrivals"]) == []


@pytest.mark.long
def test_photos_of_somebody_who_was_logged_in_are_not_shown_to_the_next(ana, server, photos):
    page = at_home(ana)
    share(page, photos[0])
    see_photos(page, 1)
    other = server.person(f"next{ana.username}")
    page.context.add_cookies(
        [{"name": "tintype_session", "value": other.cookie, "url": server.url, "sameSite": "Lax"}]
    )
    page.goto("/share")
    ready(page)
    expect(page.get_by_text("Photos that you share with Tintype")).to_be_visible()
    assert waiting(page) is None


@pytest.mark.long
def test_cancel_and_an_hour_erase_them(ana, photos):
    page = at_home(ana)
    share(page, photos[0])
    see_photos(page, 1)
    page.get_by_role("button", name="Cancel").click()
    expect(page).to_have_url(re.compile("/home"))
    assert waiting(page) is None
    share(page, photos[0])
    see_photos(page, 1)
    page.clock.set_fixed_time(page.evaluate("Date.now() / 1000 + 3601"))
    page.reload()
    ready(page)
    expect(page.get_by_text("Photos that you share with Tintype")).to_be_visible()
    assert waiting(page) is None


@pytest.mark.long
def test_what_is_no_picture_or_too_much_is_said_and_the_rest_goes_on(ana, photos, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("Not a picture")
    page = at_home(ana)
    share(page, photos[0], words)
    see_photos(page, 1)
    expect(page.get_by_text("1 file isn’t a picture, and can’t be shared here.")).to_be_visible()
    at_home(ana)
    share(page, *[photos[0]] * 12)
    see_photos(page, 10)
    expect(page.get_by_text("At most 10 photos at a time: these are the first of 12.")).to_be_visible()
    # A file that only calls itself a picture is refused by the server, and the others go on.
    fake = tmp_path / "fake.png"
    fake.write_text("Not a picture")
    at_home(ana)
    share(page, photos[0], fake)
    see_photos(page, 2)
    destination(page, "Library").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    see_photos(page, 1)
    destination(page, "Library").click()
    expect(page).to_have_url(re.compile("/library"))
    assert len(ana.get("/api/v1/photos")) == 1


def test_without_a_service_worker_the_server_takes_them_or_says_what_to_do(people, photos):
    ana = people("plain.share", service_workers="block")
    page = ana.open("/home")
    share(page, *photos[:2])
    expect(page).to_have_url(re.compile("/library"))
    expect(page.get_by_role("status").filter(has_text="2 photos are in your library.")).to_be_visible()
    page.context.clear_cookies(name="tintype_session")
    share(page, photos[0])
    expect(page).to_have_url(re.compile("/login"))
    expect(page.get_by_text("Log in, then share the photos again")).to_be_visible()
    assert len(ana.get("/api/v1/photos")) == 2


# ---------------------------------------------------------------- the invitation

OFFER = """(outcome) => {
  window.prompts = 0;
  const event = new Event("beforeinstallprompt", { cancelable: true });
  event.prompt = async () => ((window.prompts += 1), { outcome });
  dispatchEvent(event);
  return event.defaultPrevented;
}"""


def invitation(page):
    return page.get_by_role("region", name="Install Tintype")


def come_back(page):
    """Lets the last visit be an hour ago."""
    page.clock.set_fixed_time(page.evaluate("Date.now() / 1000 + 3600"))
    page.reload()
    ready(page)


def test_the_invitation_comes_with_the_second_visit_installs_and_is_refused_for_good(ana):
    page = ana.open("/home")
    assert page.evaluate(OFFER, "accepted"), "the browser doesn’t ask by itself"
    expect(invitation(page)).to_be_hidden()
    come_back(page)
    expect(invitation(page)).to_be_hidden()
    page.evaluate(OFFER, "accepted")
    expect(invitation(page)).to_be_visible()
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)
    invitation(page).get_by_role("button", name="No thanks").click()
    expect(invitation(page)).to_have_count(0)
    come_back(page)
    page.evaluate(OFFER, "accepted")
    expect(invitation(page)).to_be_hidden()
    # In Settings it is found again.
    ana.open("/settings")
    page.get_by_role("link", name="Install Tintype").click()
    ready(page)
    expect(page.get_by_role("button", name="Install Tintype")).to_be_hidden()
    page.evaluate(OFFER, "accepted")
    page.get_by_role("button", name="Install Tintype").click()
    page.wait_for_function("() => window.prompts === 1")
    assert accessibility_problems(page) == []


@pytest.mark.long
def test_it_is_shown_in_one_tab_only_also_after_a_log_out(ana):
    page = ana.open("/home")
    come_back(page)
    page.evaluate(OFFER, "dismissed")
    expect(invitation(page)).to_be_visible()
    # Not answered: it stays where it is, and no other tab has it.
    page.reload()
    page.evaluate(OFFER, "dismissed")
    expect(invitation(page)).to_be_visible()
    other = page.context.new_page()
    other.goto("/home")
    ready(other)
    other.evaluate(OFFER, "dismissed")
    expect(invitation(other)).to_be_hidden()
    # Nor has it another visit, also after a log-out, which erases all else that is kept here.
    page.goto("/settings")
    page.get_by_role("main").get_by_role("button", name="Log Out").click()
    page.get_by_label("Username").fill(ana.username)
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Log In").click()
    expect(page).to_have_url(re.compile("/home"))
    come_back(page)
    page.evaluate(OFFER, "dismissed")
    expect(invitation(page)).to_be_hidden()


@pytest.mark.long
def test_on_an_iphone_a_picture_says_how(ana):
    ana.page.add_init_script("Object.defineProperty(navigator, 'standalone', { get: () => false })")
    page = ana.open("/home")
    come_back(page)
    expect(invitation(page)).to_contain_text("Add to Home Screen")
    expect(invitation(page).get_by_role("button", name="Install Tintype")).to_be_hidden()
    invitation(page).get_by_role("link", name="Show me how").click()
    expect(page.get_by_role("heading", name="iPhone and iPad")).to_be_visible()
    assert accessibility_problems(page) == []


@pytest.mark.long
def test_the_installed_app_is_not_invited(ana):
    ana.page.add_init_script("Object.defineProperty(navigator, 'standalone', { get: () => true })")
    page = ana.open("/home")
    come_back(page)
    page.evaluate(OFFER, "accepted")
    expect(invitation(page)).to_be_hidden()


# ---------------------------------------------------------------- the symbol's badge


def test_the_symbol_shows_what_is_unread_and_nothing_after_a_log_out(ana, server):
    ana.page.add_init_script(
        """window.badge = null;
        Object.defineProperty(navigator, "standalone", { get: () => true });
        Navigator.prototype.setAppBadge = async (count) => void (window.badge = count);
        Navigator.prototype.clearAppBadge = async () => void (window.badge = 0);"""
    )
    befriend(ana, server.person(f"badge{ana.username}"))
    page = ana.open("/home")
    page.wait_for_function("() => window.badge === 1")
    page.get_by_role("link", name="Notifications").click()
    page.wait_for_function("() => window.badge === 0")
    page.goto("/settings")
    page.get_by_role("main").get_by_role("button", name="Log Out").click()
    expect(page.get_by_role("button", name="Log In")).to_be_visible()
    page.wait_for_function("() => window.badge === 0")
