"""The main ways through the app by keyboard alone: what has the focus can be seen, and keys do what fingers do."""

import random

import pytest
from playwright.sync_api import expect

from chats import chat_of
from people import acknowledged, ready

pytestmark = pytest.mark.long

# The narrow window has the bars of a phone; a keyboard comes with a mouse.
KEYBOARD = {"has_touch": False, "is_mobile": False}


@pytest.fixture
def page(ana, bea, phone, photos):
    """Ana's page at home, with a post of her friend bea, who has written to her."""
    bea.share("Look", photos[0])
    bea.post(f"/api/v1/chats/{chat_of(bea, ana)}/messages", text="Are you there?")
    return phone(ana, **KEYBOARD).open("/home")


def tab_to(page, control, key="Tab"):
    """Goes to a control with the Tab key, and makes sure that one can see where the focus is."""
    reach(page, control, key)
    expect_focus(control)


def reach(page, control, key="Tab", most=60):
    """Goes to a control with the Tab key, unless it has the focus."""
    for _ in range(most):
        if control.evaluate("(element) => element === document.activeElement"):
            break
        page.keyboard.press(key)


def expect_focus(control):
    """A control has the focus, and it or what it lies in is in sight with an outline around it."""
    expect(control).to_be_focused()
    expect(control).to_be_in_viewport()
    # What appears with the focus fades in.
    control.page.wait_for_function(
        """(element) => {
          const shown = (one) => getComputedStyle(one).opacity !== "0";
          const outlined = (one) => {
            const { outlineStyle, outlineWidth } = getComputedStyle(one);
            return outlineStyle !== "none" && outlineWidth !== "0px";
          };
          while (element && !(shown(element) && outlined(element))) element = element.parentElement;
          return element !== null;
        }""",
        arg=control.element_handle(),
    )


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
        acknowledged(button)
        expect(button).to_be_focused()
    expect(page.locator("[data-likes]")).to_have_text("1 like")

    page.reload()
    ready(page)
    follow(page, page.get_by_role("link", name="Comment", exact=True))
    page.wait_for_url("**/comments")
    ready(page)
    field = page.get_by_label("Comment", exact=True)
    tab_to(page, field)
    page.keyboard.type("Where is this?")
    tab_to(page, page.get_by_role("button", name="Post", exact=True))
    page.keyboard.press("Space")
    expect(page.locator("li.comment[data-id]")).to_contain_text("Where is this?")


def test_the_menu_leads_to_a_chat_in_which_one_writes(page):
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


def choose(page, file, path):
    """Opens the files from the keyboard, and takes one."""
    with page.expect_file_chooser() as chooser:
        follow(page, file)
    chooser.value.set_files(path)


def test_someone_signs_up_follows_a_person_and_posts_a_photo_that_is_deleted_again(server, stranger, photos):
    # The first one on a server is its administrator, and others may have run before.
    ben = server.person(f"ben{random.randrange(10**8)}")
    page = stranger(**KEYBOARD)
    page.goto("/login")
    ready(page)
    follow(page, page.get_by_role("link", name="Create"))
    page.wait_for_url("**/signup")
    ready(page)
    choose(page, page.get_by_label("Portrait, optional"), photos[0])
    portrait = page.get_by_role("img", name="Portrait. Drag")
    tab_to(page, portrait)
    page.keyboard.press("ArrowLeft")
    tab_to(page, page.get_by_role("slider", name="Zoom"))
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    username = f"carla{random.randrange(10**8)}"
    for label, words in [("Username", username), ("Name", "Carla"), ("Password", "correct horse")]:
        tab_to(page, page.get_by_label(label, exact=True))
        page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.wait_for_url("**/home")
    ready(page)
    expect(page.get_by_text("Welcome, Carla.")).to_be_visible()
    assert "/portraits/" in ben.get(f"/api/v1/accounts/lookup?acct={username}")["avatar"]

    follow(page, page.get_by_role("link", name="Find people"))
    page.wait_for_url("**/users")
    ready(page)
    tab_to(page, page.get_by_role("searchbox"))
    page.keyboard.type(ben.username)
    rows = page.locator("[data-results] li")
    expect(rows).to_have_count(1)
    button = rows.get_by_role("button")
    tab_to(page, button)
    page.keyboard.press("Space")
    expect(button).to_have_attribute("aria-pressed", "true")
    acknowledged(button)
    expect(button).to_be_focused()

    follow(page, page.get_by_role("navigation", name="Main").get_by_role("link", name="Home"))
    page.wait_for_url("**/home")
    ready(page)
    follow(page, page.get_by_role("link", name="New post"))
    page.wait_for_url("**/posts/new")
    ready(page)
    file = page.get_by_label("Choose photos")
    choose(page, file, photos[1])
    expect(page.locator("[data-chosen-count]")).to_have_text("1 of 10")
    expect_focus(file)
    tab_to(page, page.get_by_label("Caption", exact=True))
    page.keyboard.type("By keys alone")
    tab_to(page, page.get_by_role("radio", name="Followers"))
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("radio", name="Everyone here, not listed")).to_be_checked()
    tab_to(page, page.get_by_role("button", name="Share", exact=True), "Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/home")
    ready(page)
    card = page.locator("post-card")
    expect(card.locator(".caption")).to_contain_text("By keys alone")

    follow(page, card.get_by_role("link", name="More options"))
    page.wait_for_url("**/options")
    ready(page)
    delete = page.get_by_role("main").get_by_role("button", name="Delete post")
    follow(page, delete.first)
    question = page.get_by_role("dialog", name="Delete this post?")
    expect(question).to_be_visible()
    page.keyboard.press("Escape")
    expect(question).to_be_hidden()
    expect_focus(delete.first)
    # A question that one goes past asks no longer: nothing that has the focus lies under it.
    page.keyboard.press("Enter")
    expect(question).to_be_visible()
    tab_to(page, page.get_by_role("link", name="Skip to content"))
    expect(question).to_be_hidden()
    follow(page, delete.first)
    tab_to(page, question.get_by_role("button", name="Delete post"))
    page.keyboard.press("Space")
    page.wait_for_url("**/home")
    expect(page.get_by_text("Post deleted.")).to_be_visible()
    expect(card).to_have_count(0)


def test_after_something_is_deleted_the_focus_is_on_its_neighbour(page, ana, bea, photos):
    post = ana.share("Mine", photos[0])
    for words in ["One", "Two"]:
        ana.post("/api/v1/statuses", status=words, in_reply_to_id=post)
    ana.open(f"/posts/{post}/comments")
    comments = page.locator("li.comment[data-id]")
    follow(page, comments.filter(has_text="One").get_by_role("button", name="Delete"))
    tab_to(page, page.get_by_role("dialog").get_by_role("button", name="Delete comment"))
    page.keyboard.press("Enter")
    expect(comments).to_have_count(1)
    expect_focus(comments.locator("a").first)

    chat = chat_of(ana, bea)
    ana.post(f"/api/v1/chats/{chat}/messages", text="Yes")
    ana.open(f"/messages/{chat}")
    messages = page.locator("li.message[data-id]")
    options = messages.get_by_role("link", name="Options")
    follow(page, options.last)
    tab_to(page, page.get_by_role("dialog").get_by_role("button", name="Delete for both"))
    page.keyboard.press("Enter")
    expect(messages).to_have_count(1)
    expect_focus(options)
