"""A note about somebody on their profile, which only its author sees."""

import pytest
from playwright.sync_api import expect

from looks import accessibility_problems, scrolls_sideways

SERVER_FLAGS = ["--sign-up", "open"]


def test_a_note_on_a_profile_is_written_changed_and_removed_in_place_and_only_its_author_sees_it(people):
    ana, ben = people("note.ana"), people("note.ben")
    page = ana.open("/@note.ben")
    page.get_by_text("Add a note").click()
    field = page.get_by_label("Note about Note.Ben")
    field.fill("Met at the harbour.\nOwes me a print.")
    expect(page.get_by_text("Only you see it.")).to_be_visible()
    assert accessibility_problems(page) == []
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_role("status")).to_have_text("Your note is saved.")
    note = page.locator("summary", has_text="Owes me a print.")
    expect(note).to_be_visible()
    expect(page.get_by_role("button", name="Save note")).to_be_hidden()
    assert accessibility_problems(page) == []
    assert not scrolls_sideways(page)

    for path in ["/@note.ben", "/@note.ana"]:
        ben.open(path)
        expect(ben.page.get_by_role("heading", level=1)).to_be_visible()
        expect(ben.page.get_by_text("Owes me")).to_have_count(0)

    note.click()
    field.fill("")
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_role("status")).to_have_text("Your note is gone.")
    expect(page.get_by_text("Add a note")).to_be_visible()


@pytest.mark.long
def test_without_scripts_a_note_that_is_too_long_comes_back_as_it_was_typed(people):
    ana = people("plain.ana", java_script_enabled=False)
    people("plain.ben")
    page = ana.page
    page.goto("/@plain.ben")
    page.get_by_text("Add a note").click()
    page.get_by_label("Note about Plain.Ben").fill("x" * 2_001)
    page.get_by_role("button", name="Save note").click()
    expect(page.get_by_text("the limit is 2,000")).to_be_visible()
    expect(page.get_by_label("Note about Plain.Ben")).to_have_value("x" * 2_001)
    page.get_by_label("Note about Plain.Ben").fill("Short")
    page.get_by_role("button", name="Save note").click()
    expect(page.locator("summary", has_text="Short")).to_be_visible()
