"""What the screens of contracts say before a move, during a pause, and about the publishing of a breach."""

import random
import time

import pytest
from playwright.sync_api import expect

from contracts import (
    Deal, add_witness, agree, answer, first_name, posts_of, question_while_the_other_offers, state,
)  # fmt: skip
from looks import box
from people import befriend

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000"]
HOST = "mastodon.example"


@pytest.fixture(scope="module", autouse=True)
def olga(server):
    """The first account of a server is its administrator."""
    return server.person("olga")


@pytest.fixture
def admin(olga, phone):
    """The administrator's phone."""
    return phone(olga).page


@pytest.fixture
def cleo(people, friends):
    return add_witness(people, *friends)


def expect_question(page, opener, title, explanation):
    """Opens a question, reads it, and says no."""
    page.get_by_role("button", name=opener, exact=True).click()
    question = page.get_by_role("dialog", name=title)
    expect(question.get_by_role("paragraph")).to_have_text(explanation)
    question.get_by_role("button").last.click()
    expect(question).to_be_hidden()


@pytest.mark.long
def test_contracts_are_a_column_on_a_phone_on_its_side(people, ana, photos):
    ben = people("sideways", viewport={"width": 844, "height": 390})
    befriend(ana, ben)
    deal = Deal(ana, ben, photos, accepted=False)
    for path in ["/contracts", deal.path, f"{deal.path}/accept", "/contracts/new", f"/contracts/new/{ana.id}"]:
        page = ben.open(path)
        left, _, width, _ = box(page.locator("main"))
        assert (width, left + width / 2) == (470, 422), path


# ---------------------------------------------------------------- questions


def test_questions_about_an_offer_say_what_will_happen(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, accepted=False)
    expect_question(
        deal.open(bea), "Decline…", "Decline?",
        f"{first_name(ana)} is notified and gets their photo back. Nothing is published.",
    )  # fmt: skip
    expect_question(
        deal.open(ana), "Take it back…", "Take this contract back?",
        f"{first_name(bea)} can’t accept it any more. You get your photo back.",
    )  # fmt: skip
    assert deal.state == "proposed"


@pytest.mark.long
def test_questions_about_a_release_say_what_will_happen(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    page = deal.open(ana)
    expect_question(
        page, "Release both", "Offer to release both?",
        f"{first_name(bea)} is asked. If they agree, the contract ends, nothing is published, and you both get your"
        " photos back. Until then it goes on.",
    )  # fmt: skip
    deal.move(bea, "release")
    expect_question(
        page, "Agree to release both", "Release both?",
        f"{first_name(bea)} offers to end it. If you agree, it ends at once, nothing is published, and you both get"
        " your photos back.",
    )  # fmt: skip
    assert deal.state == "active"


@pytest.mark.long
def test_questions_to_the_witness_say_what_will_happen(friends, cleo, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, witness=cleo)
    deal.move(ana, "claim")
    deal.move(bea, "dispute")
    page = deal.open(cleo)
    expect_question(
        page, f"{first_name(bea)} broke it…", f"Decide that {first_name(bea)} broke it?",
        f"The photo that {first_name(bea)} staked is published at once, as both of them agreed. You never see it here."
        f" {first_name(ana)}’s photo stays sealed. This can’t be undone.",
    )  # fmt: skip
    expect_question(
        page, f"{first_name(bea)} didn’t break it…", f"Decide that {first_name(bea)} didn’t break it?",
        "Nothing is published. The contract goes on, or counts as kept if its time is over. This can’t be undone.",
    )  # fmt: skip
    assert deal.state == "disputed"


# ---------------------------------------------------------------- silence and pauses


@pytest.mark.long
def test_silence_on_a_claim_without_a_witness_publishes_nothing(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, hours=1000)
    deal.move(ana, "claim")
    there = deal.open(bea)
    expect(there.get_by_text("If you don’t answer, it counts as disputed. Then nothing is published.")).to_be_visible()
    page = deal.open(ana)
    deal.let_pass(72)
    for phone in (page, there):
        expect(state(phone)).to_have_text("Unresolved")
        expect(phone.get_by_text("Nobody answered within 72 hours, which counts as disputing.")).to_be_visible()
        expect(phone.get_by_text("Nothing is published. You get your photo back.")).to_be_visible()
    assert posts_of(ana) == posts_of(bea) == []


@pytest.mark.long
def test_a_contract_is_paused_while_a_party_is_suspended(admin, friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    page = deal.open(ana)
    expect(page.get_by_role("button", name="I broke it…")).to_be_visible()
    admin.goto(f"/administration/accounts?q={bea.username}")
    admin.get_by_role("button", name="Suspend").click()
    expect(admin.get_by_text("The account was suspended.")).to_be_visible()
    expect(state(page)).to_have_text("Paused")
    expect(page.get_by_text("One of you is suspended on this server. All deadlines wait until the suspension ends.")).to_be_visible()
    expect(page.get_by_role("button", name="I broke it…")).to_have_count(0)
    expect(page.get_by_role("link", name="Call it off…")).to_be_visible()
    admin.goto(f"/administration/accounts?q={bea.username}")
    admin.get_by_role("button", name="Restore").click()
    expect(admin.get_by_text("The account was restored.")).to_be_visible()
    expect(state(page)).to_contain_text("Active")
    expect(page.get_by_role("button", name="I broke it…")).to_be_visible()


# ---------------------------------------------------------------- open pages


@pytest.mark.long
def test_a_photo_that_is_shown_large_leaves_the_screen_at_the_end(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    page = deal.open(ana)
    page.get_by_role("button", name="Show Bea").click()
    photo = page.get_by_role("dialog", name="photo at stake")
    expect(photo).to_be_visible()
    deal.move(bea, "forfeit")
    expect(state(page)).to_have_text("Called off")
    expect(photo).to_have_count(0)


@pytest.mark.long
def test_an_open_page_says_that_the_promise_is_over(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    # A few seconds are left, in which the page opens.
    deal.let_pass(48 - 15 / 3600)
    page = deal.open(ana)
    expect(state(page)).to_contain_text("Over, claims are possible · 24 hours left")
    expect(page.get_by_text("The promise’s time is over.")).to_be_visible()


@pytest.mark.long
def test_a_contract_that_is_moved_within_the_page_stays_current(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    page = deal.open(ana)
    question_while_the_other_offers(deal, page)
    # The question goes with it, without a word.
    page.locator("contract-live").evaluate("(live) => live.parentNode.append(live)")
    expect(page.get_by_role("button", name="Agree to release both")).to_be_visible()
    deal.move(bea, "forfeit")
    expect(state(page)).to_have_text("Called off")


# ---------------------------------------------------------------- connected accounts


def connect(person):
    """Gives somebody an account on a server that isn't there, as the database has one. Returns its name."""
    number = random.getrandbits(60)
    with person.server.database() as database:
        database.execute(
            "INSERT INTO connected_servers (id, origin, client_id, sealed_secret, registered_at)"
            " VALUES (?, ?, 'client', 'c2VhbGVk', 0)",
            (number, f"https://{number}.{HOST}"),
        )
        database.execute(
            "INSERT INTO connected_accounts (id, account_id, server_id, remote_id, username, profile_url, sealed_token)"
            " VALUES (?, ?, ?, '1', 'elsewhere', ?, 'c2VhbGVk')",
            (number, int(person.id), number, f"https://{number}.{HOST}/@elsewhere"),
        )
    return f"@elsewhere@{number}.{HOST}"


def test_a_connected_account_is_offered_chosen_and_shown(friends, photos):
    ana, bea = friends
    handle = connect(ana)
    page = ana.open(f"/contracts/new/{bea.id}")
    page.get_by_label("The promise").fill("No phone at dinner.")
    step = page.get_by_role("link", name="Next")
    for _ in range(3):
        step.click()
    page.locator("input[name=file]").set_input_files(photos[0])
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()
    step.click()
    step.click()
    choice = page.get_by_label("On your connected account")
    expect(choice).not_to_be_checked()
    expect(page.get_by_text(f"For everyone on the internet, as {handle}")).to_be_visible()
    choice.check()
    step.click()
    agree(page)
    page.get_by_role("button", name="Send to").click()
    expect(state(page)).to_contain_text("Proposed")
    places = "here in {0} name, for {0} followers and on {0} connected account, for everyone there."
    expect(page.get_by_text(f"Your photo is published as a post {places.format('your')}")).to_be_visible()
    [made] = ana.get("/api/v1/contracts")
    there = bea.open(f"/contracts/{made['id']}")
    expect(there.get_by_text(f"photo is published as a post {places.format('their')}")).to_be_visible()
    # A person without such an account reads how to get one.
    there.get_by_role("link", name="Accept…").click()
    there.locator("input[name=file]").set_input_files(photos[1])
    expect(there.get_by_text("Your photo is uploaded.")).to_be_visible()
    there.get_by_role("link", name="Next").click()
    expect(there.get_by_label("On your connected account")).to_have_count(0)
    expect(there.get_by_role("link", name="connect one")).to_be_visible()


def publish_elsewhere(deal, breaker, **values):
    """Lets the publishing of a breach on the breaker's connected account be at some point, with nothing left to do."""
    now = int(time.time() * 1000)
    row = {
        "id": random.getrandbits(60), "account_id": int(breaker.id), "server": HOST, "text": "I lost a bet.",
        "reference_kind": "contract", "reference_id": int(deal.id), "description": "A lamp",
        "idempotency_key": f"key-{deal.id}", "turn": 0, "step": "upload", "ending": "", "has_mark": 0,
        "has_lost_try": 0, "attempts": 0, "polls": 0, "began_at": now, "next_at": now + 600_000, "reason": "", **values,
    }  # fmt: skip
    with breaker.server.database() as database:
        places = ", ".join("?" * len(row))
        database.execute(f"INSERT INTO cross_posts ({', '.join(row)}) VALUES ({places})", list(row.values()))
        database.execute(
            "UPDATE contract_publications SET cross_post_id = ?, state = 'pending' WHERE contract_id = ?",
            (row["id"], int(deal.id)),
        )


@pytest.mark.long
@pytest.mark.parametrize(
    ("values", "own", "others", "more"),
    [
        (
            {},
            "Your photo is being published on your connected account.",
            "photo is being published on their connected account.",
            None,
        ),
        (
            {"attempts": 3},
            "Your photo couldn’t be published on your connected account yet. The server will try again.",
            "photo couldn’t be published on their connected account yet. The server will try again.",
            "3 tries so far. Next try ",
        ),
        (
            {"ending": "failed", "reason": "The server refused the picture."},
            "Your photo couldn’t be published on your connected account, and the server has stopped trying.",
            "photo couldn’t be published on their connected account, and the server has stopped trying.",
            "The server refused the picture.",
        ),
        (
            {"ending": "revoked"},
            "Your photo isn’t published on your connected account, because Tintype has no access to it any more.",
            "photo isn’t published on their connected account, because Tintype has no access to it any more.",
            None,
        ),
        (
            {"ending": "uncertain"},
            "We don’t know whether your photo was published. Look at your account, then say what you see.",
            "photo was published. They were asked to look at their account.",
            None,
        ),
    ],
    ids=["under way", "retrying", "failed", "revoked", "uncertain"],
)
def test_how_far_the_publishing_elsewhere_is(friends, photos, values, own, others, more):
    ana, bea = friends
    deal = Deal(ana, bea, photos)
    answer(deal.open(ana), "I broke it…", "I broke it. Publish my photo")
    publish_elsewhere(deal, ana, **values)
    page, there = deal.open(ana), deal.open(bea)
    expect(page.locator("[data-publication]")).to_have_text(own)
    expect(there.locator("[data-publication]")).to_contain_text(others)
    for phone in (page, there):
        if more:
            expect(phone.get_by_role("region", name="Publishing")).to_contain_text(more)
    question = page.get_by_role("link", name="Say whether it is there")
    expect(question).to_have_count(1 if values.get("ending") == "uncertain" else 0)
    expect(there.get_by_role("link", name="Say whether it is there")).to_have_count(0)
