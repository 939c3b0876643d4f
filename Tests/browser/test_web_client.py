"""A web app for Mastodon's interface on another site: it logs in and works, and gets nothing by a cookie."""

import http.server
import pathlib

import pytest
from playwright.sync_api import expect
from requests.structures import CaseInsensitiveDict

import app_answers
from loopback import Loopback
from people import befriend
from servers import own_address

# Apps read the server's addresses from the server, so it has to know its own.
_, ADDRESS = own_address()
SERVER_FLAGS = ["--sign-up", "open", *ADDRESS]
PAGE = (pathlib.Path(__file__).parent / "web_client.html").read_bytes()


@pytest.fixture(scope="module")
def site():
    """The address of the client, whose browser sends the server's cookies with what it asks for: `localhost` is one site,
    whatever the port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(PAGE)

        def log_message(self, *_):
            pass

    with Loopback(("127.0.0.1", 0), Handler) as listener:
        yield f"http://localhost:{listener.server_port}"


def test_a_client_of_another_site_logs_in_reads_posts_and_hears(server, people, photos, site):
    ana, ben = people("client.ana"), people("client.ben")
    befriend(ana, ben)
    ben.share("The older one", photos[0])
    ben.share("The newer one", photos[1])
    page = ana.page
    page.goto(f"{site}/?server={server.url}")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Allow access?")).to_be_visible()
    page.get_by_role("button", name="Allow").click()
    expect(page.get_by_role("status")).to_have_text("Logged in as client.ana")
    posts = page.get_by_role("listitem")
    expect(posts).to_have_count(1)
    expect(posts).to_contain_text("The newer one")
    page.get_by_role("button", name="Older").click()
    expect(posts.nth(1)).to_contain_text("The older one")
    page.wait_for_function("[...document.images].every((image) => image.complete && image.naturalWidth > 0)")
    posts.nth(1).get_by_role("button", name="Like").click()
    expect(posts.nth(1).get_by_role("button", name="1 like")).to_be_visible()
    page.get_by_label("Photo", exact=True).set_input_files(photos[2])
    page.get_by_label("Caption").fill("From elsewhere")
    page.get_by_role("button", name="Post").click()
    expect(page.get_by_role("status")).to_have_text("Posted")
    # It came by the stream.
    expect(posts.first).to_contain_text("From elsewhere")
    ben.page.goto("/home")
    expect(ben.page.get_by_role("article").filter(has_text="From elsewhere")).to_be_visible()
    heard, answered = [], 0
    for *answer, text in page.evaluate("JSON.parse(sessionStorage.answers)"):
        if len(answer) == 1:
            heard += answer
            app_answers.see_event(*answer, text)
        else:
            *call, headers = answer
            answered += 1
            app_answers.see(*call, CaseInsensitiveDict(headers), text)
    # The app's registration, its token, the account, two pages, a like, an upload and a post.
    assert (heard, answered) == (["update"], 8)


def test_a_page_of_another_site_gets_and_does_nothing_by_a_cookie(server, people, site):
    ana, ben = people("cookie.ana"), people("cookie.ben")
    page = ana.page
    page.goto(f"{site}/?server={server.url}")
    answer = """async ([url, options]) => {
      try { return (await fetch(url, { credentials: "include", ...options })).status; }
      catch (error) { return error.name; }
    }"""
    # The browser keeps the answer from the page.
    assert page.evaluate(answer, [f"{server.url}/api/v1/accounts/verify_credentials", {}]) == "TypeError"
    follow = f"{server.url}/api/v1/accounts/{ben.id}/follow"
    assert page.evaluate(answer, [follow, {"method": "POST", "credentials": "omit"}]) == 401
    # What needs no leave reaches the server with the cookie, and does nothing.
    page.evaluate("(action) => { document.body.innerHTML = `<form method=post action='${action}'>`; }", follow)
    with page.expect_navigation():
        page.evaluate("document.forms[0].submit()")
    expect(page.locator("body")).to_contain_text("This request came from another site, so nothing was done.")
    assert not ana.get(f"/api/v1/accounts/relationships?id[]={ben.id}")[0]["requested"]
    assert ben.get("/api/v1/follow_requests") == []
    assert ana.get(f"/api/v1/accounts/{ben.id}/followers") == []
