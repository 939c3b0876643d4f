"""Making and accepting a contract step by step, with and without scripts, and what is kept when something is wrong."""

import random

import pytest
from playwright.sync_api import expect

from contracts import PROMISE, Deal, add_witness, agree, first_name, state
from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1000000"]


def step_on(page, times=1):
    for _ in range(times):
        page.get_by_role("link", name="Next").click()


def step_back(page, times):
    for _ in range(times):
        page.get_by_role("link", name="Back", exact=True).click()


def stake(page, photo):
    page.locator("input[name=file]").set_input_files(photo)
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()


def test_a_contract_is_made_and_accepted_step_by_step(friends, people, photos):
    ana, bea = friends
    cleo = add_witness(people, ana, bea)
    page = ana.open("/contracts")
    page.get_by_role("link", name="Make a contract").first.click()
    page.get_by_placeholder("Search friends").fill(bea.username)
    page.get_by_role("link", name=bea.username).click()
    expect(page.get_by_text("Step 1 of 7")).to_be_visible()
    ready(page)
    # A step that isn't filled in doesn't lead on.
    step_on(page)
    expect(page.get_by_text("Step 1 of 7")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_text("Write what you promise.")
    assert "#" not in page.url
    page.get_by_label("The promise").fill(PROMISE)
    step_on(page)
    expect(page.get_by_label("Rule 2", exact=True)).to_be_hidden()
    page.get_by_label("Rule 1", exact=True).fill("Calls don’t count.")
    page.get_by_label("Rule 2", exact=True).fill("Restaurants count.")
    step_on(page)
    page.get_by_label("30 days").check()
    step_on(page)
    page.locator("input[name=file]").set_input_files(photos[0])
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()
    # Back shows the step before, and nothing is lost.
    page.go_back()
    expect(page.get_by_label("30 days")).to_be_checked()
    page.go_forward()
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()
    step_on(page)
    page.get_by_label(first_name(cleo)).check()
    step_on(page)
    page.get_by_label("With these words").fill("I lost a bet.")
    step_on(page)
    expect(page.get_by_text("your photo is published at once")).to_be_visible()
    agree(page)
    page.get_by_role("button", name=f"Send to {first_name(bea)}").click()
    expect(state(page)).to_contain_text("Proposed")
    # The photo never became one of the library.
    assert ana.get("/api/v1/photos") == []
    made = ana.get("/api/v1/contracts")[0]
    assert made["rules"] == ["Calls don’t count.", "Restaurants count."]
    assert made["witness"]["id"] == cleo.id and made["breach_text"] == "I lost a bet."
    # Back leads neither to the form nor to the choice of the friend.
    page.locator("header a.back").click()
    expect(page.get_by_role("link", name=PROMISE)).to_be_visible()
    assert page.url.endswith("/contracts")
    page.get_by_role("link", name=PROMISE).click()

    cleo.post(f"/api/v1/contracts/{made['id']}/witness")
    there = bea.open(f"/contracts/{made['id']}")
    there.get_by_role("link", name="Accept…").click()
    there.locator("input[name=file]").set_input_files(photos[1])
    expect(there.get_by_text("Your photo is uploaded.")).to_be_visible()
    step_on(there)
    expect(there.get_by_label("As a post here")).to_be_checked()
    step_on(there)
    expect(there.get_by_role("heading", name="Accept this contract?")).to_be_visible()
    agree(there)
    there.get_by_role("button", name="Accept and stake my photo").click()
    expect(state(there)).to_have_text("Active · 30 days left")
    expect(state(page)).to_have_text("Active · 30 days left")


@pytest.mark.long
def test_each_step_checks_itself(friends, photos):
    ana, bea = friends
    page = ana.open(f"/contracts/new/{bea.id}")
    step = page.locator(".contract-step:visible")

    def expect_to_stay(number, *sentences):
        expect(step.get_by_role("alert").locator("visible=true")).to_have_text(sentences)
        expect(step).to_contain_text(f"Step {number} of 7")

    page.get_by_label("The promise").fill("   ")
    step_on(page)
    expect_to_stay(1, "Write what you promise.")
    page.get_by_label("The promise").fill(PROMISE)
    step_on(page, 2)
    page.get_by_label("Until a date").check()
    date = page.get_by_label("Date and time")
    for typed, sentence in [
        ("", "Say until when the promise holds."),
        ("2001-02-03T18:00", "The end is at least an hour from now."),
        ("2101-02-03T18:00", "The end is at most a year from now."),
    ]:
        date.fill(typed)
        step_on(page)
        expect_to_stay(3, sentence)
    page.get_by_label("One week").check()
    step_on(page, 2)
    expect_to_stay(4, "Choose the photo that you stake.")
    stake(page, photos[0])
    expect(step.get_by_role("alert")).to_have_count(0)
    step_on(page, 2)
    page.get_by_label("As a post here").uncheck()
    step_on(page)
    expect_to_stay(6, "Choose where a breach is published.")
    page.get_by_label("As a post here").check()
    step_on(page)
    send = page.get_by_role("button", name="Send to")
    send.click()
    consent = "Say that you agree to what can happen to your photo."
    age = "Contracts are for adults. Say that you are 18 or older."
    expect_to_stay(7, consent, age)
    page.get_by_label("I agree that my photo is published").check()
    send.click()
    expect_to_stay(7, age)
    # What was taken away since is asked for where it is missing.
    step_back(page, 6)
    page.get_by_label("The promise").fill("")
    page.goto(f"/contracts/new/{bea.id}#step-consent")
    ready(page)
    agree(page)
    send.click()
    expect_to_stay(1, "Write what you promise.")
    assert ana.get("/api/v1/contracts") == []


def test_a_refused_form_comes_back_at_the_step_in_error_and_loses_nothing(friends, photos):
    ana, bea = friends
    page = ana.open(f"/contracts/new/{bea.id}")
    page.get_by_label("The promise").fill(PROMISE)
    step_on(page)
    page.get_by_label("Rule 1", exact=True).fill("Calls don’t count.")
    step_on(page, 2)
    stake(page, photos[0])
    step_on(page, 2)
    page.get_by_label("With these words").fill("I lost a bet.")
    step_on(page)
    # What the script would have noticed.
    page.evaluate(
        """() => {
          const form = document.querySelector("contract-form form");
          form.querySelector("[value=date]").checked = true;
          form.elements.end_date.value = "2001-02-03T18:00";
          form.submit();
        }"""
    )
    step = page.locator(".contract-step:visible")
    expect(step).to_contain_text("Step 3 of 7")
    ready(page)
    expect(page.get_by_text("The end is at least an hour from now.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") < 1000
    expect(page.get_by_label("Date and time")).to_have_value("2001-02-03T18:00")
    page.get_by_label("One week").check()
    step_on(page)
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()
    step_on(page, 2)
    expect(page.get_by_label("With these words")).to_have_value("I lost a bet.")
    step_on(page)
    expect(page.get_by_text("Say that you agree to what can happen to your photo.")).to_be_visible()
    step_back(page, 5)
    expect(page.get_by_label("Rule 1", exact=True)).to_have_value("Calls don’t count.")
    step_back(page, 1)
    expect(page.get_by_label("The promise")).to_have_value(PROMISE)
    step_on(page, 6)
    agree(page)
    page.get_by_role("button", name="Send to").click()
    expect(state(page)).to_have_text("Proposed · 7 days left")
    assert len(ana.get("/api/v1/contracts")) == 1


@pytest.mark.long
def test_the_end_is_told_in_the_readers_own_time_zone(friends, phone, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, accepted=False)
    with ana.server.database() as database:
        # 2030-06-01T22:30:00Z
        database.execute("UPDATE contracts SET ends_at = 1906583400000 WHERE id = ?", (int(deal.id),))
    there = phone(bea, timezone_id="Asia/Tokyo").open(deal.path)
    expect(there.get_by_text("Holds until 2 June 2030 at 07:30")).to_be_visible()
    there.get_by_role("link", name="Accept…").click()
    stake(there, photos[1])
    step_on(there, 2)
    expect(there.get_by_text("Until 2 June 2030 at 07:30.")).to_be_visible()
    expect(ana.open(deal.path).get_by_text("Holds until 1 June 2030 at 23:30")).to_be_visible()


def test_what_is_typed_is_kept_until_it_is_sent(friends):
    ana, bea = friends
    page = ana.open(f"/contracts/new/{bea.id}")
    page.get_by_label("The promise").fill(PROMISE)
    step_on(page)
    page.get_by_label("Rule 1", exact=True).fill("Calls don’t count.")
    page = ana.open("/home")
    page = ana.open(f"/contracts/new/{bea.id}")
    expect(page.get_by_label("The promise")).to_have_value(PROMISE)
    step_on(page)
    expect(page.get_by_label("Rule 1", exact=True)).to_have_value("Calls don’t count.")


@pytest.mark.long
def test_what_was_typed_outlives_an_answer_without_the_form(friends, people, photos):
    ana, bea = friends
    cleo = add_witness(people, ana, bea)
    form = f"/contracts/new/{bea.id}"
    page = ana.open(form)
    page.get_by_label("The promise").fill(PROMISE)
    step_on(page)
    page.get_by_label("Rule 1", exact=True).fill("Calls don’t count.")
    step_on(page, 2)
    stake(page, photos[0])
    step_on(page)
    page.get_by_label(first_name(cleo)).check()
    step_on(page)
    page.get_by_label("With these words").fill("I lost a bet.")
    step_on(page)
    agree(page)
    page.route(f"**{form}", lambda route: route.fulfill(status=429, content_type="text/html", body="Too often."))
    page.get_by_role("button", name="Send to").click()
    expect(page.get_by_text("Too often.")).to_be_visible()
    page.unroute_all()
    page = ana.open(form)
    expect(page.get_by_label("The promise")).to_have_value(PROMISE)
    step_on(page)
    expect(page.get_by_label("Rule 1", exact=True)).to_have_value("Calls don’t count.")
    step_on(page, 2)
    stake(page, photos[0])
    step_on(page)
    expect(page.get_by_label(first_name(cleo))).to_be_checked()
    step_on(page)
    expect(page.get_by_label("With these words")).to_have_value("I lost a bet.")
    step_on(page)
    agree(page)
    page.get_by_role("button", name="Send to").click()
    expect(state(page)).to_contain_text("Proposed")
    ready(page)
    # The server has it: the next contract begins empty.
    assert "#" not in page.url
    page = ana.open(form)
    expect(page.get_by_label("The promise")).to_have_value("")


def test_a_photo_of_the_library_is_staked_as_a_sealed_copy(friends, photos):
    ana, bea = friends
    photo = ana.upload(photos[2], "Harbour")
    page = ana.open(f"/contracts/new/{bea.id}")
    page.get_by_label("The promise").fill(PROMISE)
    for _ in range(3):
        step_on(page)
    page.get_by_role("radio", name="Harbour").check(force=True)
    for _ in range(3):
        step_on(page)
    agree(page)
    page.get_by_role("button", name="Send to").click()
    expect(state(page)).to_contain_text("Proposed")
    ana.call("DELETE", f"/api/v1/photos/{photo}")
    page.reload()
    assert page.locator(".contract-stakes img").evaluate("(image) => image.decode().then(() => image.naturalWidth > 0)")


@pytest.mark.long
def test_without_scripts_a_contract_is_made_accepted_and_broken(friends, phone, photos):
    _, bea = friends
    page, there = [phone(person, java_script_enabled=False).page for person in friends]
    page.goto(f"/contracts/new/{bea.id}")
    page.get_by_label("The promise").fill(PROMISE)
    step_on(page)
    expect(page.get_by_label("The promise")).to_be_hidden()
    step_on(page)
    step_on(page)
    page.locator("input[name=file]").set_input_files(photos[0])
    for _ in range(3):
        step_on(page)
    page.get_by_label("I agree that my photo is published").check()
    page.get_by_role("button", name="Send to").click()
    # The age is missing: the last step alone comes back. The photo came with the form, and stays.
    expect(page.get_by_text("Say that you are 18 or older.")).to_be_visible()
    expect(page.get_by_label("The promise")).to_be_hidden()
    step_back(page, 3)
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()
    step_on(page, 3)
    page.get_by_label("I am 18 or older.").check()
    page.get_by_role("button", name="Send to").click()
    expect(state(page)).to_contain_text("Proposed")

    there.goto("/contracts")
    there.get_by_role("link", name=PROMISE).click()
    there.get_by_role("link", name="Accept…").click()
    there.locator("input[name=file]").set_input_files(photos[1])
    step_on(there)
    step_on(there)
    agree(there)
    there.get_by_role("button", name="Accept and stake my photo").click()
    expect(state(there)).to_contain_text("Active")
    there.get_by_role("button", name="I broke it…").click()
    there.get_by_role("dialog").get_by_role("button", name="I broke it. Publish my photo").click()
    expect(state(there)).to_have_text("Broken")
    expect(there.locator("[data-publication]")).to_have_text("Your photo is published.")


def test_a_photo_is_shot_and_staked_and_never_becomes_one_of_the_library(friends, photos):
    ana, bea = friends
    page = ana.open(f"/contracts/new/{bea.id}")
    page.get_by_label("The promise").fill(PROMISE)
    for _ in range(3):
        step_on(page)
    camera = page.get_by_label("Take a photo")
    expect(camera).to_be_visible()
    assert camera.get_attribute("capture") == "environment"
    camera.set_input_files(photos[1])
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()
    expect(page.locator("[data-stake] img")).to_have_js_property("naturalWidth", 900)
    for _ in range(3):
        step_on(page)
    agree(page)
    page.get_by_role("button", name="Send to").click()
    expect(state(page)).to_contain_text("Proposed")
    assert ana.get("/api/v1/photos") == []


LETTER = {"name": "letter.png", "mimeType": "image/png", "buffer": b"Dear Ana"}


@pytest.mark.long
def test_the_photo_that_is_shown_is_the_one_that_is_staked(friends, photos):
    ana, bea = friends
    page = ana.open(f"/contracts/new/{bea.id}")
    page.get_by_label("The promise").fill(PROMISE)
    for _ in range(3):
        step_on(page)
    held = []

    def hold_first(route):
        held.append(route) if not held else route.continue_()

    page.route("**/api/v2/media", hold_first)
    shown = page.locator("[data-stake] img")
    files = page.locator("input[name=file]")
    with page.expect_request("**/api/v2/media"):
        files.set_input_files(photos[0])
    # Another that is chosen meanwhile arrives first, and a third is refused.
    files.set_input_files(photos[1])
    expect(shown).to_have_js_property("naturalWidth", 900)
    files.set_input_files(LETTER)
    expect(page.get_by_text("This file isn’t a picture.")).to_be_visible()
    expect(shown).to_have_js_property("naturalWidth", 900)
    held[0].continue_()
    expect(shown).to_have_js_property("naturalWidth", 1200)
    for _ in range(3):
        step_on(page)
    agree(page)
    page.get_by_role("button", name="Send to").click()
    expect(state(page)).to_contain_text("Proposed")
    sides = page.locator(".contract-stakes img").evaluate(
        "(image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight])"
    )
    assert sides[0] > sides[1]


@pytest.mark.long
def test_without_scripts_the_photo_chosen_last_is_staked(friends, phone, photos):
    ana, bea = friends
    ana.upload(photos[2], "Harbour")
    page = phone(ana, java_script_enabled=False).page
    page.goto(f"/contracts/new/{bea.id}")
    page.get_by_label("The promise").fill(PROMISE)
    step_on(page, 3)
    harbour = page.get_by_role("radio", name="Harbour")
    send = page.get_by_role("button", name="Send to")
    page.locator("input[name=file]").set_input_files(photos[0])
    step_on(page, 3)
    send.click()
    expect(page.get_by_text("Say that you are 18 or older.")).to_be_visible()
    step_back(page, 3)
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()
    expect(harbour).not_to_be_checked()
    # A photo of the library takes the upload's place.
    harbour.check(force=True)
    step_on(page, 3)
    send.click()
    expect(page.get_by_text("Say that you are 18 or older.")).to_be_visible()
    step_back(page, 3)
    expect(harbour).to_be_checked()
    expect(page.get_by_text("Your photo is uploaded.")).to_have_count(0)
    # A file that is refused isn't replaced by what was chosen before it.
    page.locator("input[name=file]").set_input_files(LETTER)
    step_on(page, 3)
    send.click()
    expect(page.get_by_text("Choose your photo again. It wasn’t kept.")).to_be_visible()
    expect(harbour).not_to_be_checked()
    harbour.check(force=True)
    step_on(page, 3)
    agree(page)
    page.get_by_role("button", name="Send to").click()
    expect(state(page)).to_contain_text("Proposed")
    expect(page.locator(".contract-stakes img")).to_have_attribute("alt", "Harbour")


@pytest.mark.long
def test_people_who_are_no_friends_cannot_begin_one(ana, people):
    stranger = people(f"dora{random.randrange(10**8)}")
    page = ana.open(f"/contracts/new/{stranger.id}")
    expect(page.get_by_role("status").filter(has_text="people who follow you")).to_be_visible()
    assert page.url.endswith("/contracts")


@pytest.mark.long
def test_an_offer_that_was_taken_back_cannot_be_accepted(friends, photos):
    ana, bea = friends
    deal = Deal(ana, bea, photos, accepted=False)
    page = bea.open(f"{deal.path}/accept")
    page.locator("input[name=file]").set_input_files(photos[1])
    expect(page.get_by_text("Your photo is uploaded.")).to_be_visible()
    step_on(page)
    step_on(page)
    deal.move(ana, "withdraw")
    agree(page)
    page.get_by_role("button", name="Accept and stake my photo").click()
    expect(page.get_by_role("status").filter(has_text="This contract was withdrawn.")).to_be_visible()
    expect(state(page)).to_have_text("Withdrawn")
