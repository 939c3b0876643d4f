"""tooty (github.com/n1k0/tooty), a web client that others wrote, served from another site as its authors built it.

TINTYPE_TOOTY is the folder with its `index.html` and `app.js`, otherwise ~/.cache/tintype/tooty; without the files the test
is skipped. CONTRIBUTING.md says how to get them.
"""

import functools
import http.server
import os
import pathlib

import pytest
from playwright.sync_api import expect

from fronts import Caddy, with_server
from loopback import Loopback
from people import Person, befriend

pytestmark = pytest.mark.long

BUILT = pathlib.Path(os.environ.get("TINTYPE_TOOTY") or "~/.cache/tintype/tooty").expanduser()

# The names of the WebSockets that have opened.
STREAMS = """
  window.streams = new Set();
  window.WebSocket = class extends WebSocket {
    constructor(url) {
      super(url);
      this.addEventListener("open", () => window.streams.add(new URL(url).searchParams.get("stream")));
    }
  };
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def tooty():
    """The address at which tooty is."""
    if not (BUILT / "app.js").is_file():
        pytest.skip(f"tooty's built files aren't in {BUILT} (CONTRIBUTING.md)")
    with Loopback(("127.0.0.1", 0), functools.partial(Handler, directory=BUILT)) as site:
        yield f"http://localhost:{site.server_port}/"


@pytest.fixture
def front(tmp_path, start):
    """The https that tooty insists on."""
    front, front.server = with_server(Caddy, tmp_path, start)
    yield front
    front.close()


@pytest.fixture
def friends(front, tmp_path):
    """Ana and ben, who know each other."""
    password = tmp_path / "password"
    password.write_text("correct horse")
    server, people = front.server, []
    for name in ["ana", "ben"]:
        server.command(
            "account", "create", name, "--display-name", name.capitalize(), "--password-file", str(password)
        )
        people.append(Person(server, name, None, server.command("token", "create", name)))
    befriend(*people)
    return people


def test_tooty_logs_in_reads_likes_posts_and_hears(tooty, front, friends, photos, stranger):
    ana, ben = friends
    ben.share("The older one", photos[0])
    newer = ben.share("The newer one", photos[1])
    # The certificate is nobody's whom a browser trusts.
    page = stranger(
        base_url=tooty, ignore_https_errors=True, is_mobile=False, viewport={"width": 1280, "height": 800}
    )
    page.add_init_script(STREAMS)
    page.goto("/")
    page.get_by_label("Mastodon server root URL").fill(front.url)
    page.get_by_placeholder("Tooty").fill("Tooty")
    page.get_by_role("button", name="Sign into Tooty").click()
    page.get_by_label("Username").fill("ana")
    page.get_by_label("Password").fill("correct horse")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Allow access?")).to_be_visible()
    page.get_by_role("button", name="Allow").click()
    posts = page.locator("#home-timeline > li").filter(has=page.locator(".status"))
    expect(posts).to_have_count(2)
    expect(posts.first).to_contain_text("The newer one")
    expect(posts.last).to_contain_text("The older one")
    page.wait_for_function("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    # tooty counts the like before the server has answered.
    with page.expect_response(lambda answer: answer.url.endswith(f"/statuses/{newer}/favourite")):
        posts.first.get_by_title("Add to favorites").click()
    expect(posts.first.locator("button.favourited")).to_have_text("1")
    assert [post["id"] for post in ana.get("/api/v1/favourites")] == [newer]
    page.locator("#draft-attachment").set_input_files(photos[2])
    page.get_by_label("Attachment description").fill("Soft colours")
    # It is saved when the field is left, and posted with what the server has answered by then.
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.locator("#status").fill("From tooty")
    page.wait_for_function("window.streams.has('user')")
    page.get_by_role("button", name="Toot", exact=True).click()
    # It came by the stream.
    expect(posts.first).to_contain_text("From tooty")
    posted = ben.get("/api/v1/timelines/home")[0]
    assert posted["account"]["username"] == "ana" and "From tooty" in posted["content"]
    assert posted["media_attachments"][0]["description"] == "Soft colours"
    ben.share("Heard at once", photos[0])
    expect(posts.first).to_contain_text("Heard at once")
    # There tooty says what went wrong.
    expect(page.locator(".alert")).to_have_count(0)
