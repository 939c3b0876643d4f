"""Links in what people write: they lead where they say, and markup stays text."""

import pytest
from playwright.sync_api import expect

from conftest import long
from chats import chat_of, lose_first, open_chat
from people import ready

LINKS = {
    "(https://a.example/b/c).": "https://a.example/b/c",
    "https://a.example/b/d.": "https://a.example/b/d",
    "https://a.example/wiki/Tintype_(photo), too": "https://a.example/wiki/Tintype_(photo)",
    "https://a.example/e?x=1&y=2<script>window.isHarmed = 1</script>": "https://a.example/e?x=1&y=2",
    "“https://a.example/f”": "https://a.example/f",
}
TEXT = "<script>window.isHarmed = 1</script> <img src=x onerror='isHarmed = 1'> " + " and ".join(LINKS)

# What the setting `public-url` is for a server on any free port.
PUBLIC_URL = "http://localhost:0"


def expect_links(place):
    """The text as it was written, with the links and no other markup in it."""
    expect(place).to_contain_text(TEXT)
    links = place.locator("a[target=_blank]")
    assert links.evaluate_all("links => links.map((link) => [link.getAttribute('href'), link.textContent])") == [
        [link, link] for link in LINKS.values()
    ]
    assert all("noopener" in rel for rel in links.evaluate_all("links => links.map(({ rel }) => rel)"))
    assert place.locator("script, img").count() == 0
    assert place.page.evaluate("() => window.isHarmed") is None


@pytest.mark.parametrize("way", ["live", long("loaded")])
def test_a_link_in_a_message(ana, bea, way):
    chat = chat_of(ana, bea)
    if way == "live":
        here, there = open_chat(ana, chat), open_chat(bea, chat)
        here.get_by_role("textbox", name="Message").fill(TEXT)
        here.get_by_role("button", name="Send").click()
    else:
        ana.post(f"/api/v1/chats/{chat}/messages", text=TEXT)
        here, there = open_chat(ana, chat), open_chat(bea, chat)
    for page in [here, there]:
        expect_links(page.locator("li.message[data-id] p.bubble"))


@pytest.mark.long
def test_a_link_in_a_caption_and_a_comment(ana, bea, photos):
    post = ana.share(TEXT, photos[0])
    bea.open("/home")
    expect_links(bea.page.locator("post-card .caption"))
    bea.post("/api/v1/statuses", status=TEXT, in_reply_to_id=post)
    ana.open(f"/posts/{post}/comments")
    expect_links(ana.page.locator("li.comment[data-id]"))


@pytest.mark.parametrize("way", ["live", long("loaded")])
def test_a_shared_post_is_a_card_that_opens_in_the_app(ana, bea, photos, way):
    chat = chat_of(ana, bea)
    post = ana.share("Harbour at noon, seen from the old pier", photos[0], description="A harbour")
    path = f"/posts/{post}"
    if way == "live":
        here, there = open_chat(ana, chat), open_chat(bea, chat)
        here.get_by_role("textbox", name="Message").fill(PUBLIC_URL + path)
        here.get_by_role("button", name="Send").click()
    else:
        ana.post(f"/api/v1/chats/{chat}/messages", status_id=post)
        here, there = open_chat(ana, chat), open_chat(bea, chat)
    for page in [here, there]:
        card = page.locator("li.message[data-id] shared-post")
        expect(card).to_contain_text(ana.username)
        expect(card).to_contain_text("Harbour at noon")
        expect(card.get_by_role("img", name="A harbour")).to_be_visible()
        # The link says the same.
        expect(page.locator("li.message[data-id] p.bubble")).to_have_count(0)
    with there.expect_navigation():
        there.locator("shared-post a").click()
    ready(there)
    assert there.url == ana.server.url + path and len(there.context.pages) == 1
    with there.expect_navigation():
        there.locator("header .back").last.click()
    expect(there).to_have_url(f"{ana.server.url}/messages/{chat}")
    # What goes is gone from the card, too.
    there.wait_for_selector("html[data-live=on]", state="attached")
    ana.call("DELETE", f"/api/v1/statuses/{post}")
    for page in [here, there]:
        expect(page.locator("shared-post")).to_have_text("This post is no longer available.")


def test_a_shared_post_shows_what_changed_also_if_the_first_answer_is_lost(ana, bea, photos):
    chat = chat_of(ana, bea)
    post = ana.share("Harbour at noon", photos[0])
    ana.post(f"/api/v1/chats/{chat}/messages", status_id=post)
    page = open_chat(bea, chat)
    page.wait_for_selector("html[data-live=on]", state="attached")
    lost = lose_first(page, "**/posts/*/card")
    ana.call("PUT", f"/api/v1/statuses/{post}", b'{"status": "Harbour at night"}', "application/json")
    expect(page.locator("shared-post")).to_contain_text("Harbour at night")
    assert len(lost) == 1


@pytest.mark.long
def test_a_link_to_this_server_never_opens_a_new_tab(ana, bea, photos):
    chat = chat_of(ana, bea)
    bea.post(f"/api/v1/chats/{chat}/messages", text=f"See {PUBLIC_URL}/@{bea.username} there")
    page = open_chat(ana, chat)
    with page.expect_navigation():
        page.get_by_role("link", name=f"{PUBLIC_URL}/@{bea.username}").click()
    assert page.url == f"{ana.server.url}/@{bea.username}" and len(page.context.pages) == 1
