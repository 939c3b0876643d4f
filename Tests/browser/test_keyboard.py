"""The main ways through the app by keyboard alone: what has the focus can be seen, and keys do what fingers do."""

import pytest
from playwright.sync_api import expect

from conversations import chat_of
from looks import style
from people import ready

# The narrow window has the bars of a phone; a keyboard comes with a mouse.
KEYBOARD = {"has_touch": False, "is_mobile": False}


@pytest.fixture
def page(ana, bea, phone, photos):
    """Ana's page at home, with a post of her friend bea, who has written to her."""
    bea.share("Look", photos[0])
    bea.post(f"/api/v1/chats/{chat_of(bea, ana)}/messages", text="Are you there?")
    return phone(ana, **KEYBOARD).open("/home")


def tab_to(page, control, most=60):
    """Goes to a control with the Tab key, and makes sure that one can see where the focus is."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if control.evaluate("(element) => element === document.activeElement"):
            break
    expect(control).to_be_focused()
    expect(control).to_be_in_viewport()
    assert style(control, "outline-style") != "none" and style(control, "outline-width") != "0px", "the focus can't be seen"


def follow(page, link):
    tab_to(page, link)
    page.keyboard.press("Enter")


def test_a_post_is_saved_liked_and_commented_on(page):
    page.keyboard.press("Tab")
    expect(page.locator(".skip")).to_be_focused()
    page.keyboard.press("Enter")
    for name in ["Like", "Save"]:
        button = page.get_by_role("button", name=name, exact=True)
        # Past the end of the page Tab begins again.
        tab_to(page, button)
        page.keyboard.press("Enter")
        expect(button).to_have_attribute("aria-pressed", "true")
        expect(button).to_be_focused()
    expect(page.locator("[data-likes]")).to_have_text("1 like")

    page.reload()
    ready(page)
    follow(page, page.get_by_role("link", name="Comment", exact=True))
    page.wait_for_url("**/comments")
    ready(page)
    field = page.get_by_label("Comment", exact=True)
    if not field.evaluate("(element) => element === document.activeElement"):
        tab_to(page, field)
    page.keyboard.type("Where is this?")
    tab_to(page, page.get_by_role("button", name="Post", exact=True))
    page.keyboard.press("Space")
    expect(page.locator("li.comment[data-id]")).to_contain_text("Where is this?")


def test_the_menu_leads_to_a_conversation_in_which_one_writes(page):
    menu = page.get_by_role("navigation", name="Menu")
    follow(page, page.get_by_role("button", name="Menu"))
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(page.get_by_role("button", name="Menu")).to_be_focused()
    page.keyboard.press("Enter")
    expect(menu).to_be_visible()
    follow(page, menu.get_by_role("link", name="Messages"))
    page.wait_for_url("**/messages")
    ready(page)
    follow(page, page.get_by_role("listitem").get_by_role("link", name="Are you there?"))
    page.wait_for_url("**/messages/*")
    ready(page)
    tab_to(page, page.get_by_role("textbox", name="Message"))
    page.keyboard.type("One moment")
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("and I am")
    page.keyboard.press("Enter")
    sent = page.locator("li.message.out[data-id] p.bubble")
    expect(sent).to_have_text("One moment\nand I am")
    expect(page.get_by_role("textbox", name="Message")).to_be_focused()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")
