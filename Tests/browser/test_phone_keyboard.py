"""A phone's keyboard over a chat: the line to write on and the newest message stay in sight."""

import pytest
from playwright.sync_api import expect

from chats import chat_of, open_chat

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000"]

# The keyboard as Safari shows it: over the page, of which another part is seen then.
COVER = """([height, top]) => {
  const change = { height: { value: height, configurable: true }, offsetTop: { value: top, configurable: true } };
  Object.defineProperties(visualViewport, change);
  visualViewport.dispatchEvent(new Event("resize"));
}"""
UNCOVER = """() => {
  delete visualViewport.height;
  delete visualViewport.offsetTop;
  visualViewport.dispatchEvent(new Event("resize"));
}"""


@pytest.fixture
def chat(ana, bea):
    """Bea's page at the end of a chat with more than a window holds, and how ana writes."""
    chat = chat_of(ana, bea)

    def write(text):
        ana.post(f"/api/v1/chats/{chat}/messages", text=text)

    for number in range(30):
        write(f"Message {number}")
    page = open_chat(bea, chat)
    expect(page.locator("chat-thread").get_by_text("Message 29", exact=True)).to_be_in_viewport()
    return page, write


def edges(locator):
    bounds = locator.bounding_box()
    return bounds["y"], bounds["y"] + bounds["height"]


def expect_in_sight(page, text, top, end):
    """The bar at `top`, the line to write on at `end`, and the message right above it."""
    composer, message = page.locator("chat-composer"), page.locator("chat-thread").get_by_text(text, exact=True)
    expect(message).to_be_visible()
    page.wait_for_function(
        "(end) => Math.abs(document.querySelector('chat-composer').getBoundingClientRect().bottom - end) < 1", arg=end
    )
    assert abs(edges(page.locator(".chat-bar"))[0] - top) < 1
    assert 0 < edges(composer)[0] - edges(message)[1] < 60


@pytest.mark.long
def test_a_window_that_a_keyboard_makes_smaller_still_shows_the_end(chat):
    page, write = chat
    page.get_by_role("textbox", name="Message").tap()
    page.set_viewport_size({"width": 390, "height": 460})
    expect_in_sight(page, "Message 29", 0, 460)
    write("While you type")
    expect_in_sight(page, "While you type", 0, 460)
    page.set_viewport_size({"width": 390, "height": 844})
    expect_in_sight(page, "While you type", 0, 844)


def test_a_keyboard_over_the_page_covers_neither_the_end_nor_the_line_to_write_on(chat):
    page, write = chat
    page.get_by_role("textbox", name="Message").tap()
    page.evaluate(COVER, [500, 120])
    expect_in_sight(page, "Message 29", 120, 620)
    write("While you type")
    expect_in_sight(page, "While you type", 120, 620)
    page.evaluate(UNCOVER)
    expect_in_sight(page, "While you type", 0, 844)


@pytest.mark.long
def test_a_keyboard_over_the_page_covers_no_description(chat, photos):
    page, _ = chat
    page.get_by_label("Choose photos").set_input_files(photos[0])
    page.get_by_role("button", name="Add alt text to photo 1").click()
    page.evaluate(COVER, [500, 120])
    sheet = page.get_by_role("dialog", name="Description")
    page.wait_for_function(
        "() => Math.abs(document.querySelector('.description-sheet').getBoundingClientRect().bottom - 620) < 1"
    )
    # However much is written, Save stays above it.
    sheet.get_by_role("textbox").fill("A long story. " * 100)
    assert edges(sheet)[0] >= 120
    assert edges(sheet.get_by_role("button", name="Save"))[0] >= 120
    assert edges(sheet.get_by_role("textbox"))[1] <= 620


@pytest.mark.long
def test_a_page_that_is_enlarged_keeps_its_place(chat):
    page, _ = chat
    page.evaluate("() => Object.defineProperty(visualViewport, 'scale', { value: 2, configurable: true })")
    page.evaluate(COVER, [422, 200])
    expect_in_sight(page, "Message 29", 0, 844)
