"""Without a network: what is written waits, says so, can be taken back, and goes out once."""

import uuid

import pytest
from playwright.sync_api import expect

from chats import chat_of
from keeping import (  # noqa: F401  (fixtures)
    browser_context_args, expect_nothing_waits, line, open_kept, open_offline, phone_of, until, wait_until_kept, waiting,
)
from people import acknowledged, ready
from proxies import Line
from test_photo_editing_entries import edit, is_file_mirrored, is_mirrored

SERVER_FLAGS = [
    *("--sign-up", "open", "--limit-writes", "100000", "--limit-reads", "100000", "--limit-uploads", "100000"),
]

# Milliseconds within which what waits has gone out once there is a network, and the page says so: fewer than it pauses without.
SECONDS = 30_000


def comments(person, post):
    return [one["content"] for one in person.get(f"/api/v1/statuses/{post}/context")["descendants"]]


def write_comment(page, words):
    page.get_by_label("Comment", exact=True).fill(words)
    page.get_by_role("button", name="Post", exact=True).click()


def comment_offline(writer, author, photos, line, words):
    """Writes a comment that waits for the network; the post, and the page on which it waits."""
    post = author.share("The harbour", photos[0])
    path = f"/posts/{post}/comments"
    page = open_kept(writer, path)
    wait_until_kept(page, path)
    line.cut(page.context)
    page = open_offline(writer, path)
    write_comment(page, words)
    expect(waiting_rows(page)).to_have_count(1)
    return post, page


def waiting_rows(page):
    return page.locator("waiting-list li")


@pytest.mark.long
def test_what_waits_outlasts_the_page_for_strangers(ana, bea, photos, phone_of, line):
    phone_of(ana)()
    post, page = comment_offline(ana, bea, photos, line, "Still there")
    # As when the browser has dropped the page that says what can be opened.
    page.evaluate(
        """async () => {
          for (const name of await caches.keys()) {
            if (name.startsWith("tintype-kept-")) await (await caches.open(name)).delete("/offline");
          }
        }"""
    )
    page.goto("/settings")
    ready(page)
    expect(page.get_by_text("Connect to the network, then try again.")).to_be_visible()
    line.mend(page.context)
    page.goto(f"/posts/{post}/comments")
    expect(page.locator("li[data-id]").filter(has_text="Still there")).to_have_count(1)
    assert comments(bea, post) == ["<p>Still there</p>"] and waiting(page) == []


@pytest.mark.long
def test_nothing_goes_out_under_the_name_of_who_logs_in_next(ana, bea, photos, phone_of, line):
    post = bea.share("The harbour", photos[0])
    phone_of(ana)()
    page = open_kept(ana, f"/posts/{post}/comments")
    # In another tab, while this one stays open.
    page.context.add_cookies([{"name": "tintype_session", "value": bea.cookie, "url": line.url}])
    tab = page.context.new_page()
    tab.goto("/home")
    ready(tab)
    with page.expect_response("**/api/v1/statuses") as answer:
        write_comment(page, "From ana")
    assert answer.value.status == 401
    # The page is loaded again, as that of the one who is logged in.
    expect(page.locator("html")).to_have_attribute("data-account", bea.id)
    assert comments(bea, post) == [] and waiting(page) == []


@pytest.mark.long
def test_a_page_that_somebody_left_open_shows_nothing_of_who_logs_in_next(ana, bea, phone_of, line):
    phone_of(ana)()
    page = open_kept(ana, "/home")
    expect(page.locator("html")).to_have_attribute("data-live", "on")
    page.context.add_cookies([{"name": "tintype_session", "value": bea.cookie, "url": line.url}])
    ana.again().log_out_others()
    # The stream ends with the log-in, and the browser listens again by itself, as the one who is logged in now.
    expect(page.locator("html")).to_have_attribute("data-account", bea.id, timeout=SECONDS)


def test_a_comment_written_offline_survives_a_restart_and_goes_out_once(ana, bea, photos, phone_of, line):
    post = bea.share("The harbour", photos[0])
    path = f"/posts/{post}/comments"
    start = phone_of(ana)
    context = start()
    page = open_kept(ana, path)
    wait_until_kept(page, path)
    line.cut(context)
    page = open_offline(ana, path)
    for words in ["First", "Second", "Never"]:
        if words == "Second":
            page.get_by_role("switch", name="Cover until tapped").check()
            page.get_by_label("Why it is covered").fill("The end")
        write_comment(page, words)
        expect(waiting_rows(page).filter(has_text=words)).to_contain_text("Waiting for the network")
    waiting_rows(page).filter(has_text="Never").get_by_role("button", name="Cancel").click()
    expect(waiting_rows(page)).to_have_count(2)
    expect(page.get_by_label("Comment", exact=True)).to_have_value("")
    context.close()

    context = start()
    line.cut(context)
    page = open_offline(ana, path)
    expect(waiting_rows(page)).to_have_count(2)
    assert comments(bea, post) == []
    line.mend(context)
    expect(waiting_rows(page)).to_have_count(0, timeout=SECONDS)
    expect(page.locator("li[data-id]").filter(has_text="Second")).to_have_count(1)
    assert comments(bea, post) == ["<p>First</p>", "<p>Second</p>"] and waiting(page) == []
    thread = bea.get(f"/api/v1/statuses/{post}/context")["descendants"]
    assert [one["spoiler_text"] for one in thread] == ["", "The end"]
    page.reload()
    ready(page)
    assert len(comments(bea, post)) == 2


@pytest.mark.long
def test_likes_saves_and_follows_wait(ana, bea, server, photos, phone_of, line):
    post, carl = bea.share("The harbour", photos[0]), server.person(f"carl{uuid.uuid4().hex[:8]}")
    start = phone_of(ana)
    context = start()
    page = open_kept(ana, "/home")
    page.goto(f"/@{carl.username}")
    ready(page)
    wait_until_kept(page, "/home", f"/@{carl.username}")
    line.cut(context)
    page = open_offline(ana, f"/@{carl.username}")
    carl_s = page.locator(f"follow-button[data-account='{carl.id}']").get_by_role("button")
    carl_s.click()
    expect(page.get_by_text("Waiting for the network")).to_be_visible()
    expect(carl_s).to_have_text("Following")
    page = open_offline(ana, "/home")
    card = page.locator("post-card").first
    like, save = card.get_by_role("button", name="Like"), card.get_by_role("button", name="Save")
    like.click()
    acknowledged(like)
    for _ in range(3):
        save.click()
        acknowledged(save)
    expect(save).to_have_attribute("aria-pressed", "true")
    # The last of each counts.
    assert len(waiting(page)) == 3
    context.close()

    context = start()
    line.cut(context)
    page = open_offline(ana, "/home")
    card = page.locator("post-card").first
    expect(card.get_by_role("button", name="Like")).to_have_attribute("aria-pressed", "true")
    line.mend(context)
    page.wait_for_selector("html[data-live=on]", state="attached")
    expect_nothing_waits(page)
    assert bea.get(f"/api/v1/statuses/{post}")["favourites_count"] == 1
    assert [one["id"] for one in ana.get("/api/v1/bookmarks")] == [post]
    assert ana.get(f"/api/v1/accounts/relationships?id[]={carl.id}")[0]["following"]


@pytest.mark.long
def test_a_post_of_a_library_photo_and_a_file_waits_and_goes_out_once(ana, photos, phone_of, line):
    ana.upload(photos[0])
    start = phone_of(ana)
    context = start()
    page = open_kept(ana, "/home")
    page.goto("/posts/new")
    ready(page)
    wait_until_kept(page, "/home", "/posts/new")
    line.cut(context)
    page = open_offline(ana, "/posts/new")
    page.get_by_role("checkbox").first.check()
    page.get_by_label("Choose photos").set_input_files(photos[1])
    chosen = page.get_by_role("list", name="Chosen photos, in order").get_by_role("listitem")
    expect(chosen).to_have_count(2)
    page.get_by_label("Description of photo 2").fill("A file")
    words = uuid.uuid4().hex
    page.get_by_label("Caption").fill(words)
    page.get_by_role("combobox", name="Language").select_option("Euskara")
    page.get_by_role("button", name="Share").click()
    expect(waiting_rows(page)).to_contain_text(words)
    context.close()

    context = start()
    line.cut(context)
    page = open_offline(ana, "/home")
    expect(waiting_rows(page)).to_contain_text("Waiting for the network")
    line.mend(context)
    expect(waiting_rows(page)).to_have_count(0, timeout=SECONDS)
    expect(page.get_by_text("Your post was sent.")).to_be_visible()
    [post] = ana.get(f"/api/v1/accounts/{ana.id}/statuses")
    assert words in post["content"] and post["language"] == "eu"
    assert [one["description"] for one in post["media_attachments"]][1] == "A file"
    assert len(ana.get("/api/v1/photos")) == 2


@pytest.mark.long
def test_a_file_that_waits_is_edited_offline_and_the_edited_one_goes_out(ana, photos, line):
    page = open_kept(ana, "/home")
    page.goto("/posts/new")
    ready(page)
    wait_until_kept(page, "/home", "/posts/new")
    line.cut(page.context)
    page = open_offline(ana, "/posts/new")
    page.get_by_label("Choose photos").set_input_files(photos[:2])
    chosen = page.get_by_role("list", name="Chosen photos, in order").get_by_role("listitem")
    expect(chosen).to_have_count(2)
    page.get_by_label("Description of photo 1").fill("Turned round")
    edit(page, "Edit photo 1")
    assert is_mirrored(chosen.first.locator("img"))
    expect(page.get_by_label("Description of photo 1")).to_have_value("Turned round")
    page.get_by_role("button", name="Edit photo 2").click()
    page.get_by_role("radio", name="Text", exact=True).check(force=True)
    # The server's fonts are kept, too.
    page.wait_for_function("() => [...document.fonts].filter(({ status }) => status === 'loaded').length === 4")
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_label("Caption").fill("Edited on the way")
    page.get_by_role("button", name="Share").click()
    expect(waiting_rows(page)).to_contain_text("Edited on the way")
    line.mend(page.context)
    expect(waiting_rows(page)).to_have_count(0, timeout=SECONDS)
    [post] = ana.get(f"/api/v1/accounts/{ana.id}/statuses")
    pictures = post["media_attachments"]
    assert [picture["description"] for picture in pictures] == ["Turned round", None]
    assert is_file_mirrored(page, ana.bytes(f"/photos/{pictures[0]['id']}/large"))
    assert len(ana.get("/api/v1/photos")) == 2, "the file as it was chosen has gone nowhere"


@pytest.mark.long
def test_what_the_server_refuses_says_why_and_stays(ana, bea, photos, line):
    post, page = comment_offline(ana, bea, photos, line, "Too late")
    bea._answer("DELETE", f"/api/v1/statuses/{post}")
    line.mend(page.context)
    expect(waiting_rows(page)).to_contain_text("Not sent:", timeout=SECONDS)
    expect(waiting_rows(page)).to_contain_text("Too late")
    waiting_rows(page).get_by_role("button", name="Delete").click()
    expect(waiting_rows(page)).to_have_count(0)
    assert waiting(page) == []


@pytest.mark.long
def test_a_lost_answer_makes_no_second_comment(ana, bea, photos):
    keys = []

    class Loser(Line):
        def pass_on(self, handler, answer):
            if (handler.command, handler.path) != ("POST", "/api/v1/statuses"):
                return super().pass_on(handler, answer)
            keys.append(handler.headers["Idempotency-Key"])
            data = answer.read()
            if len(keys) == 1:
                return handler.connection.close()  # The first answer is lost.
            handler.wfile.write(data)

    post = bea.share("The harbour", photos[0])
    with Loser(ana.server) as proxy:
        page = open_kept(ana, f"{proxy.url}/posts/{post}/comments")
        write_comment(page, "Once")
        expect(page.locator("li[data-id]").filter(has_text="Once")).to_have_count(1)
        expect(waiting_rows(page)).to_have_count(0)
    assert len(set(keys)) == 1 and comments(bea, post) == ["<p>Once</p>"]


def test_a_message_goes_out_within_seconds_of_the_return(ana, bea, line):
    chat = chat_of(ana, bea)
    page = open_kept(ana, f"/messages/{chat}")
    wait_until_kept(page, f"/messages/{chat}")
    line.cut(page.context)
    page = open_offline(ana, f"/messages/{chat}")
    page.get_by_role("textbox", name="Message").fill("See you at eight")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Waiting for the network")).to_be_visible()
    line.mend(page.context)
    expect(page.locator("li.message[data-id]")).to_have_count(1, timeout=SECONDS)
    expect(page.get_by_text("Waiting for the network")).to_have_count(0)
    assert [one["text"] for one in bea.get(f"/api/v1/chats/{chat}/messages")] == ["See you at eight"]


@pytest.mark.long
def test_what_waits_goes_out_when_only_the_server_was_away(ana, bea, line):
    """No event of the browser says that it is back."""
    chat = chat_of(ana, bea)
    page = open_kept(ana, f"/messages/{chat}")
    line.is_cut = True
    page.get_by_role("textbox", name="Message").fill("Still there?")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Still there?")).to_be_visible()
    line.is_cut = False
    expect(page.locator("li.message[data-id]")).to_have_count(1, timeout=20_000)


@pytest.mark.long
def test_what_may_be_seen_once_never_waits_on_the_device(ana, bea, photos, line):
    chat = chat_of(ana, bea)
    page = open_kept(ana, f"/messages/{chat}")
    wait_until_kept(page, f"/messages/{chat}")
    line.cut(page.context)
    page.get_by_label("Choose photos").set_input_files(photos[0])
    page.get_by_role("textbox", name="Message").fill("Only for you")
    page.get_by_role("switch", name="View once").check()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_text("Photos to be seen once need a network.")).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("Only for you")
    expect(page.locator("[data-tray] > li")).to_have_count(1)
    assert waiting(page) == []
    line.mend(page.context)
    page.get_by_role("button", name="Send").click()
    expect(page.locator("li.message[data-id]")).to_have_count(2)


@pytest.mark.long
@pytest.mark.parametrize("end", ["ended elsewhere", "another person"])
def test_what_waits_goes_with_its_log_in(end, ana, bea, photos, line):
    post, page = comment_offline(ana, bea, photos, line, "Mine alone")
    page.goto("about:blank")
    if end == "ended elsewhere":
        ana.again().log_out_others()
    else:
        page.context.add_cookies(
            [{"name": "tintype_session", "value": bea.cookie, "url": ana.server.url, "sameSite": "Lax"}]
        )
    line.mend(page.context)
    page.goto(line.url + "/home")
    until(page, f"(paths) => !paths.includes('/posts/{post}/comments')")
    expect_nothing_waits(page)
    assert comments(bea, post) == []
