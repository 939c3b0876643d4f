"""Contracts between two people, from the offer to each end, live on both phones."""

import random
import urllib.error

import pytest
from playwright.sync_api import expect

from conftest import long
from contracts import (
    PROMISE, Deal, add_witness, answer, first_name, posts_of, question_while_the_other_offers, state,
)  # fmt: skip
from chats import open_chat
from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000"]


@pytest.fixture
def cleo(people, friends):
    return add_witness(people, *friends)


def test_both_see_the_promise_the_stakes_and_the_time(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, rules=["Calls don’t count.", "Restaurants count."], hours=80)
    page = deal.open(ana)
    expect(page.get_by_role("heading", name=PROMISE)).to_be_visible()
    expect(state(page)).to_have_text("Active · 3 days left")
    expect(page.get_by_text("Restaurants count.")).to_be_visible()
    expect(page.get_by_role("img", name="A lamp").first).to_be_visible()
    expect(page.locator("figcaption")).to_have_text(["Yours", f"{first_name(bea)}’s"])
    for image in page.locator(".contract-stakes img").all():
        assert image.evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")
    page.get_by_role("button", name="Show your photo").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    page.goto("/contracts")
    expect(page.get_by_role("link", name=PROMISE)).to_contain_text("With Bea")


def test_a_promise_is_kept(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    page = deal.open(ana)
    deal.let_pass(49)
    page.reload()
    expect(state(page)).to_contain_text("Over, claims are possible")
    deal.let_pass(24)
    # The server's own clock brings it, and the page hears of it.
    expect(state(page)).to_have_text("Kept")
    expect(page.get_by_text("It was kept.")).to_be_visible()
    assert posts_of(ana) == posts_of(bea) == []
    page.get_by_role("button", name="Put it in my library").click()
    expect(page.get_by_role("status").filter(has_text="Your photo is in your library.")).to_be_visible()
    assert len(ana.get("/api/v1/photos")) == 1
    there = deal.open(bea)
    answer(there, "Erase it", "Erase it")
    expect(there.get_by_role("heading", name="Your photo", exact=True)).to_have_count(0)
    assert bea.get("/api/v1/photos") == []


def test_who_admits_a_breach_sees_their_own_photo_published(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    there = deal.open(bea)
    page = deal.open(ana)
    page.get_by_role("button", name="I broke it…").click()
    question = page.get_by_role("dialog")
    expect(question).to_contain_text("Your photo is published at once, as a post here in your name, for your followers")
    expect(question).to_contain_text("“I lost a bet.”")
    question.get_by_role("button", name="Cancel").click()
    assert deal.state == "active"
    answer(page, "I broke it…", "I broke it. Publish my photo")
    expect(state(page)).to_have_text("Broken")
    expect(state(there)).to_have_text("Broken")
    page.get_by_role("link", name="See the post").click()
    expect(page.get_by_text("I lost a bet.")).to_be_visible()
    assert len(posts_of(ana)) == 1 and posts_of(bea) == []


def test_a_claim_is_admitted(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, rules=["Calls don’t count.", "Restaurants count."])
    there = deal.open(bea)
    page = deal.open(ana)
    page.get_by_role("link", name="broke it…").click()
    page.get_by_label("What happened?").fill("I saw it under the table.")
    say = page.get_by_role("button", name="Say that Bea")
    expect(page.get_by_text("has 72 hours to admit or dispute it")).to_be_visible()
    # The promise itself is chosen until a rule is.
    expect(page.get_by_label("The promise itself")).to_be_checked()
    page.get_by_label("Restaurants count.").check()
    say.click()
    expect(state(page)).to_contain_text("Claimed · 3 days left")
    expect(there.get_by_text("says that you broke it. The rule: “Restaurants count.”")).to_be_visible()
    expect(there.get_by_text("I saw it under the table.")).to_be_visible()
    expect(there.locator("[data-badge=contracts]")).to_contain_text("1")
    answer(there, "Admit that I broke it…", "I broke it. Publish my photo")
    expect(state(page)).to_have_text("Broken")
    assert posts_of(ana) == [] and len(posts_of(bea)) == 1


@pytest.mark.parametrize(("verdict", "end"), [("broke it…", "Broken"), long("didn’t break it…", "Active")])
def test_a_witness_decides_a_dispute_and_sees_no_photo(friends, cleo, photos, verdict, end):
    ana, bea = friends
    deal = Deal(ana, bea, photos, witness=cleo)
    deal.move(ana, "claim", note="I saw it.")
    there = deal.open(bea)
    there.get_by_role("link", name="Dispute it…").click()
    expect(there.get_by_text("never sees a photo")).to_be_visible()
    there.get_by_label("What happened?").fill("It was a watch.")
    there.get_by_role("button", name="Dispute it").click()
    expect(state(there)).to_contain_text("Disputed")
    witness = deal.open(cleo)
    expect(witness.get_by_text("It was a watch.")).to_be_visible()
    expect(witness.get_by_text("You decide.")).to_be_visible()
    expect(witness.locator(".contract-stakes")).to_have_count(0)
    assert "stakes/" not in witness.content()
    for party in (ana, bea):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            cleo.bytes(f"{deal.path}/stakes/{party.id}")
    name = first_name(bea)
    answer(witness, f"{name} {verdict}", f"{name} {verdict.rstrip('…')}")
    expect(state(there)).to_contain_text(end)
    assert len(posts_of(bea)) == (1 if end == "Broken" else 0)


@pytest.mark.long
def test_a_dispute_without_a_witness_publishes_nothing(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    page = deal.open(ana)
    deal.move(ana, "claim")
    there = deal.open(bea)
    there.get_by_role("link", name="Dispute it…").click()
    expect(there.get_by_text("the contract ends unresolved at once")).to_be_visible()
    there.get_by_role("button", name="Dispute it").click()
    expect(state(page)).to_have_text("Unresolved")
    assert posts_of(ana) == posts_of(bea) == []


@pytest.mark.long
def test_silence_counts_as_disputing_and_a_silent_witness_publishes_nothing(friends, cleo, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, witness=cleo, hours=1000)
    deal.move(ana, "claim")
    page = deal.open(ana)
    deal.let_pass(72)
    expect(state(page)).to_contain_text("Disputed")
    expect(page.get_by_text("Nobody answered within 72 hours")).to_be_visible()
    deal.let_pass(72)
    expect(state(page)).to_have_text("Unresolved")
    assert posts_of(bea) == []


@pytest.mark.long
def test_calling_it_off_ends_it_and_both_see_who_did(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    there = deal.open(bea)
    page = deal.open(ana)
    page.get_by_role("link", name="Call it off…").click()
    expect(page.get_by_text("you see that it was you who called it off")).to_be_visible()
    page.get_by_label("What happened?").fill("Too hard.")
    page.get_by_role("button", name="Call it off").click()
    expect(state(page)).to_have_text("Called off")
    expect(there.get_by_text("called it off. Nothing is published.")).to_be_visible()
    expect(there.get_by_text("Too hard.")).to_be_visible()
    assert posts_of(ana) == posts_of(bea) == []


def test_the_witness_agrees_before_the_partner_can_accept(friends, cleo, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, witness=cleo, accepted=False)
    page, there, witness = deal.open(ana), deal.open(bea), deal.open(cleo)
    for phone in (page, there):
        expect(phone.get_by_text(f"{first_name(cleo)} is asked first to be the witness.")).to_be_visible()
    expect(there.get_by_role("button", name="Decline…")).to_be_visible()
    expect(there.get_by_role("link", name="Accept…")).to_have_count(0)
    expect(witness.locator("[data-badge=contracts]").first).to_contain_text("1")
    answer(witness, "Be the witness…", "Be the witness")
    expect(witness.get_by_text("You agreed to be the witness.", exact=True)).to_be_visible()
    # Both phones hear of it.
    expect(page.get_by_text("hasn’t answered. Until then you can take it back.")).to_be_visible()
    expect(there.get_by_role("link", name="Accept…")).to_be_visible()


@pytest.mark.long
def test_a_refused_offer_is_proposed_again(friends, cleo, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, witness=cleo, accepted=False, rules=["Restaurants count."])
    page = deal.open(ana)
    answer(deal.open(cleo), "Decline…", "Decline")
    expect(page.get_by_text("declined to be the witness. You get your photo back.")).to_be_visible()
    page.get_by_role("link", name="Propose it again…").click()
    expect(page.get_by_label("The promise")).to_have_value(PROMISE)
    page.get_by_role("link", name="Next").click()
    expect(page.get_by_label("Rule 1", exact=True)).to_have_value("Restaurants count.")


@pytest.mark.long
def test_both_release_each_other(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    there = deal.open(bea)
    page = deal.open(ana)
    answer(page, "Release both", "Offer it")
    expect(page.get_by_text("hasn’t agreed.")).to_be_visible()
    expect(there.get_by_text("offers to end it without publishing anything")).to_be_visible()
    answer(there, "Agree to release both", "Agree and end it")
    expect(state(page)).to_have_text("Released")


@pytest.mark.long
def test_an_offer_lapses(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, hours=1000, accepted=False)
    page = deal.open(ana)
    expect(state(page)).to_contain_text("Proposed · 7 days left")
    deal.let_pass(7 * 24)
    expect(state(page)).to_have_text("Lapsed")
    there = bea.open("/contracts?list=waiting")
    expect(there.get_by_text("Nothing waits for your answer.")).to_be_visible()


@pytest.mark.long
def test_an_offer_is_taken_back_or_declined(friends, photos):
    ana, bea = friends
    first = Deal(ana, bea, photos, accepted=False)
    answer(first.open(ana), "Take it back…", "Take it back")
    expect(state(ana.page)).to_have_text("Withdrawn")
    second = Deal(ana, bea, photos, accepted=False)
    page = second.open(ana)
    answer(second.open(bea), "Decline…", "Decline")
    expect(state(page)).to_have_text("Declined")


@pytest.mark.long
def test_a_move_that_came_too_late_says_so_and_keeps_what_was_typed(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    page = ana.open(f"{deal.path}/claim")
    page.get_by_label("What happened?").fill("I saw it.")
    deal.move(bea, "forfeit")
    page.get_by_role("button", name="Say that Bea").click()
    expect(page.get_by_role("alert")).to_contain_text("This contract was called off.")
    expect(page.get_by_label("What happened?")).to_have_value("I saw it.")
    page.goto(f"{deal.path}/claim")
    expect(state(page)).to_have_text("Called off")


@pytest.mark.long
def test_an_open_question_stays_while_the_other_moves(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    page = deal.open(ana)
    question = question_while_the_other_offers(deal, page)
    expect(question).to_be_visible()
    question.get_by_role("button", name="Cancel").click()
    expect(page.get_by_role("button", name="Agree to release both")).to_be_visible()


def test_a_chat_shows_the_open_contract_and_begins_one(friends, photos):
    ana, bea = friends
    chat = ana.post("/api/v1/chats", account_id=bea.id)["id"]
    page = open_chat(ana, chat)
    card = page.locator(".chat-card")
    expect(card).to_have_count(0)
    deal = Deal(bea, ana, photos, accepted=False)
    expect(card).to_contain_text("asks you")
    deal.accept()
    expect(card).to_contain_text("Contract · Active · 2 days left")
    card.click()
    expect(state(page)).to_be_visible()
    open_chat(ana, chat).get_by_role("link", name="Make a contract").click()
    expect(page.get_by_role("heading", name="What do you and Bea")).to_be_visible()


@pytest.mark.long
def test_a_long_promise_above_a_chat_moves_nothing_off_the_screen(friends, photos):
    ana, bea = friends
    chat = ana.post("/api/v1/chats", account_id=bea.id)["id"]
    Deal(bea, ana, photos, accepted=False, promise="Out with the dogs before eight, every day of the week, in any weather.")
    page = open_chat(ana, chat)
    expect(page.locator(".chat-card")).to_contain_text("Out with the dogs")
    for control in [page.get_by_role("button", name="Send"), page.get_by_role("link", name="Make a contract")]:
        expect(control).to_be_in_viewport(ratio=1)


def test_notifications_and_the_menu_lead_to_what_waits(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, accepted=False)
    page = bea.open("/notifications")
    page.get_by_role("link", name="proposes a contract to you.").click()
    expect(state(page)).to_contain_text("Proposed")
    page = bea.open("/home")
    page.get_by_role("button", name="Menu").click()
    link = page.get_by_role("link", name="Contracts")
    expect(link.locator(".badge")).to_contain_text("1")
    link.click()
    expect(page.get_by_role("link", name="Waiting for you · 1")).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("link", name=PROMISE)).to_contain_text("asks you")
    deal.move(ana, "withdraw")
    expect(page.get_by_text("Nothing waits for your answer.")).to_be_visible()


@pytest.mark.long
def test_friends_counts_the_contracts_that_wait(friends, photos):
    ana, bea = friends
    page = bea.open("/friends")
    page.wait_for_selector("html[data-live=on]", state="attached")
    chip = page.get_by_role("link", name="Contracts").and_(page.locator(".chip"))
    expect(chip).to_have_accessible_name("Contracts")
    deal = Deal(ana, bea, photos, accepted=False)
    expect(chip).to_have_accessible_name("Contracts · 1")
    deal.move(ana, "withdraw")
    expect(chip).to_have_accessible_name("Contracts")


def test_nobody_else_sees_a_contract(friends, people, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    dora = people(f"dora{random.randrange(10**8)}")
    for path in ["", "/claim", "/accept", "/report", f"/stakes/{ana.id}"]:
        answered = dora.page.goto(deal.path + path)
        assert answered.status == 404, path
    ready(dora.page)
