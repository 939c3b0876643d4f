"""Forms that the server refuses, on a server that takes one change in five minutes from each network."""

from playwright.sync_api import expect

from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-writes", "1"]


def test_what_the_server_says_instead_of_the_form_is_told_and_the_form_stays(page):
    page.goto("/signup")
    ready(page)
    page.get_by_label("Username").fill("has spaces")
    page.get_by_label("Name", exact=True).fill("Ida")
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Create Account").click()
    expect(page.locator("#username-error")).to_contain_text("Use letters")
    page.get_by_label("Username").fill("ida")
    page.get_by_role("button", name="Create Account").click()
    expect(page.get_by_text("Too many requests. Try again in a moment.")).to_be_visible()
    expect(page.get_by_label("Username")).to_have_value("ida")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Ida")
    expect(page.get_by_label("Password")).to_have_value("correct horse")
