"""Collages that friends fill together, and what their chat shows of them."""

import http.client
import threading
import urllib.parse

import pytest
from playwright.sync_api import expect

from collages import Desk, cell, note, saved
from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000"]


def test_two_friends_fill_a_collage_live(friends, photos):
    ana, bea = friends
    desk = Desk(ana, photos, filled=1, people=[bea])
    theirs = bea.upload(photos[2], "Harbour")
    bea.open("/messages")
    bea.page.get_by_role("link", name=ana.username).first.click()
    card = bea.page.locator("collage-card")
    expect(card).to_contain_text("1 of 3 cells filled")
    page = desk.page()
    page.wait_for_selector("html[data-live=on]", state="attached")
    card.get_by_role("link").click()
    ready(bea.page)
    bea.page.wait_for_selector("html[data-live=on]", state="attached")
    expect(bea.page.get_by_role("button", name="Share collage")).to_have_count(0)
    cell(bea.page, 1).tap()
    expect(note(bea.page)).to_have_text("This is somebody else’s photo.")
    cell(bea.page, 2).tap()
    bea.page.get_by_role("dialog").get_by_role("button", name="Harbour").click()
    saved(bea.page)
    expect(cell(page, 2)).to_have_accessible_name("Cell 2 of 3: Harbour")
    # The network of one goes off and on: what happened meanwhile is there.
    bea.page.context.set_offline(True)
    desk.fill(2, desk.photos[2])
    desk.set(spacing=30)
    bea.page.context.set_offline(False)
    expect(cell(bea.page, 3)).to_have_accessible_name("Cell 3 of 3: Square")
    page.get_by_role("button", name="Share collage").click()
    sheet = page.get_by_role("dialog", name="Saved to your library")
    expect(sheet).to_be_visible()
    expect(note(bea.page)).to_contain_text("The picture is in your library.")
    # It is finished, and both still see it as it is.
    sheet.get_by_role("button", name="Done").click()
    for one in (page, bea.page):
        expect(cell(one, 1)).to_have_accessible_name("Cell 1 of 3: Bridge")
        expect(cell(one, 2)).to_have_accessible_name("Cell 2 of 3: Harbour")
        expect(one.locator(".window image")).to_have_count(3)
        expect(one.get_by_role("button", name="Undo")).to_be_hidden()
    cell(page, 1).tap()
    expect(note(page)).to_have_text("This collage is finished. The picture is in your library.")
    page.get_by_role("button", name="Share collage").click()
    expect(sheet).to_be_visible()
    assert len(ana.get("/api/v1/photos?kind=collage")) == 1
    bea.page.goto("/library?show=collages")
    expect(bea.page.locator("ul.grid a")).to_have_count(1)
    assert theirs


@pytest.mark.long
def test_each_edits_a_copy_of_a_finished_collage(friends, photos):
    ana, bea = friends
    desk = Desk(ana, photos, filled=2, people=[bea])
    desk.fill(2, bea.upload(photos[2], "Harbour"), by=bea)
    page = desk.page()
    page.get_by_role("button", name="Share collage").click()
    page.get_by_role("dialog", name="Saved to your library").get_by_role("button", name="Done").click()
    page.get_by_role("link", name="Edit a copy").click()
    expect(note(page)).to_have_text("This is your own copy. The finished collage stays as it is.")
    expect(cell(page, 3)).to_have_accessible_name("Cell 3 of 3: Harbour")
    # A friend does so from the library.
    there = bea.open("/notifications")
    there.get_by_role("link", name="finished a collage with your photo").click()
    there.get_by_role("link", name="Edit collage").click()
    expect(cell(there, 1)).to_have_accessible_name("Cell 1 of 3: Bridge")
    ready(there)
    cell(there, 1).tap()
    there.get_by_role("button", name="Replace photo").click()
    there.get_by_role("dialog").get_by_role("button", name="Harbour").click()
    saved(there)
    expect(cell(there, 1)).to_have_accessible_name("Cell 1 of 3: Harbour")
    there.get_by_role("button", name="Share collage").click()
    expect(there.get_by_role("dialog", name="Saved to your library")).to_be_visible()
    assert len(bea.get("/api/v1/photos?kind=collage")) == 2
    expect(cell(page, 1)).to_have_accessible_name("Cell 1 of 3: Bridge")


def path_of(link):
    return urllib.parse.urlsplit(link).path


@pytest.mark.long
def test_copy_link_makes_a_guest_link_that_can_be_revoked(friends, photos, page):
    ana, _ = friends
    desk = Desk(ana, photos)
    here = desk.page()
    here.context.grant_permissions(["clipboard-read", "clipboard-write"])
    here.get_by_role("button", name="Share collage").click()
    sheet = here.get_by_role("dialog", name="Saved to your library")
    # The sheet comes with the answer, and its script after it. Until then the link leads to the screen of guest links.
    here.wait_for_selector("guest-link:defined", state="attached")
    sheet.get_by_role("link", name="Copy link").click()
    expect(here.get_by_text("Link copied.")).to_be_visible()
    expect(sheet.get_by_text("Works until")).to_be_visible()
    link = path_of(here.evaluate("navigator.clipboard.readText()"))
    assert link.startswith("/guest/")
    # Anybody has it, without an account.
    assert page.goto(link).status == 200
    picture = page.get_by_role("main").locator("li img")
    expect(picture).to_be_visible()
    assert picture.evaluate("(image) => image.decode().then(() => image.naturalWidth)") > 0
    sheet.get_by_role("button", name="Revoke link").click()
    expect(here.get_by_text("The link no longer works.")).to_be_visible()
    expect(sheet.get_by_text("Works until")).to_be_hidden()
    assert page.goto(link).status == 404
    # Every photo of the library has it in its menu, and a screen for it where there are no scripts.
    sheet.get_by_role("button", name="Done").click()
    [picture] = ana.get("/api/v1/photos?kind=collage")
    here.goto(f"/library/{picture['id']}")
    here.get_by_role("button", name="Share", exact=True).click()
    menu = here.get_by_role("dialog", name="Share")
    menu.get_by_role("link", name="Copy link").click()
    expect(menu.get_by_role("button", name="Revoke link")).to_be_visible()
    menu.get_by_role("button", name="Revoke link").click()
    expect(here.get_by_text("The link no longer works.")).to_be_visible()
    here.goto(f"/library/{picture['id']}/guest-link")
    here.get_by_role("button", name="Make a guest link").click()
    expect(here.get_by_text("7 days left")).to_be_visible()
    again = path_of(here.get_by_role("textbox", name="Guest link").input_value())
    assert page.goto(again).status == 200
    here.get_by_role("button", name="Revoke").click()
    expect(here.get_by_role("button", name="Make a guest link")).to_be_visible()
    assert page.goto(again).status == 404


def test_inviting_and_leaving(friends, photos):
    ana, bea = friends
    desk = Desk(ana, photos, filled=1)
    page = desk.page()
    page.get_by_role("link", name="People and more").click()
    page.get_by_role("checkbox", name=bea.username).check()
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_role("status")).to_contain_text("Invited")
    page.get_by_label("Cell 2").select_option(label=bea.get("/api/v1/accounts/verify_credentials")["display_name"])
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    assert desk.draft["cells"][1]["assigned_to"]["id"] == bea.id
    there = bea.open(f"/collage/{desk.id}/together")
    there.get_by_role("button", name="Leave collage").click()
    there.get_by_role("dialog").get_by_role("button", name="Leave collage").click()
    there.wait_for_url("**/create")
    assert desk.draft["accounts"] == []


@pytest.mark.long
def test_a_collage_begins_in_a_chat(friends):
    ana, bea = friends
    chat = ana.post("/api/v1/chats", account_id=bea.id)["id"]
    page = ana.open(f"/messages/{chat}")
    page.get_by_role("button", name="Photos").click()
    page.get_by_role("link", name="Collage together").click()
    page.get_by_role("button", name="Begin").click()
    ready(page)
    bea.open(f"/messages/{chat}")
    expect(bea.page.locator("collage-card")).to_contain_text("3 cells to fill")


@pytest.mark.long
def test_nothing_acknowledged_is_lost_when_the_server_is_killed(tmp_path, start, photos):
    """During a fill and during a render: what was answered is there, and nothing half made is."""
    server = start(tmp_path / "data", "--sign-up", "open")
    ana = server.person("ana")
    desk = Desk(ana, photos, filled=2)
    picture = ana.upload(photos[2])
    for moment in (0.005, 0.02, 0.1, 0.3, 0.6):
        answers = []

        def work(answers=answers):
            try:
                desk.fill(2, picture)
                answers.append("filled")
                ana.post(f"{desk.path}/finish", size=4096)
                answers.append("finished")
            except (OSError, http.client.HTTPException):
                pass

        thread = threading.Thread(target=work)
        thread.start()
        thread.join(moment)
        server.kill()
        thread.join()
        server.start()
        draft = desk.draft
        if "filled" in answers:
            assert draft["cells"][2]["photo"]["id"] == picture
        kept = ana.get("/api/v1/photos?kind=collage")
        assert len(kept) == (1 if draft["photo"] else 0)
        if "finished" in answers:
            assert draft["is_rendered"]
        if draft["photo"]:
            assert ana.bytes(f"/api/v1/photos/{draft['photo']['id']}/original")[:2] == b"\xff\xd8"
        desk.set(spacing=int(moment * 40))
