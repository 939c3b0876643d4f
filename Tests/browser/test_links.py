"""Links in what people write: they lead where they say, and markup stays text."""

import pytest
from playwright.sync_api import expect

from conversations import chat_of, open_chat

LINKS = {
    "(https://a.example/b/c).": "https://a.example/b/c",
    "https://a.example/b/d.": "https://a.example/b/d",
    "https://a.example/wiki/Tintype_(photo), too": "https://a.example/wiki/Tintype_(photo)",
    "https://a.example/e?x=1&y=2<script>window.isHarmed = 1</script>": "https://a.example/e?x=1&y=2",
    "“https://a.example/f”": "https://a.example/f",
}
TEXT = "<script>window.isHarmed = 1</script> <img src=x onerror='isHarmed = 1'> " + " and ".join(LINKS)


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


@pytest.mark.parametrize("way", ["live", "loaded"])
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


def test_a_link_in_a_caption_and_a_comment(ana, bea, photos):
    post = ana.share(TEXT, photos[0])
    bea.open("/home")
    expect_links(bea.page.locator("post-card .caption"))
    bea.post("/api/v1/statuses", status=TEXT, in_reply_to_id=post)
    ana.open(f"/posts/{post}/comments")
    expect_links(ana.page.locator("li.comment[data-id]"))
