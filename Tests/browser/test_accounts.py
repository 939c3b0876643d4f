"""Signing up, logging in and out, and finding people."""

import re

import pytest
from playwright.sync_api import expect

from looks import accessibility_problems
from people import acknowledged, ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-log-ins", "1000", "--limit-sign-ups", "1000"]

# Checking a password takes long on purpose, and longer in a debug build beside other tests.
PASSWORD_TIMEOUT = 60_000


def fill_sign_up(page, username, name, password):
    page.get_by_label("Username").fill(username)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password").fill(password)


def test_a_refused_sign_up_keeps_what_was_typed_and_the_portrait(server, page, photos):
    server.person("taken")
    page.goto("/signup")
    ready(page)
    page.get_by_label("Portrait").set_input_files(photos[1])
    expect(page.get_by_role("slider", name="Zoom")).to_be_visible()
    fill_sign_up(page, "Taken", "Nour 🌿 نور", "correct horse")
    page.get_by_role("button", name="Create Account").click()
    username = page.get_by_label("Username")
    expect(username).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#username-error")).to_contain_text("taken")
    expect(username).to_have_value("Taken")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Nour 🌿 نور")
    expect(page.get_by_role("slider", name="Zoom")).to_be_visible()
    username.fill("nour")
    page.get_by_role("button", name="Create Account").click()
    expect(page).to_have_url(re.compile("/home$"), timeout=PASSWORD_TIMEOUT)
    expect(page.get_by_text("Welcome, Nour 🌿 نور.")).to_be_visible()
    assert "/portraits/" in server.person("onlooker").get("/api/v1/accounts/lookup?acct=nour")["avatar"]


def test_a_short_password_is_explained_in_the_apps_own_line(page):
    page.goto("/signup")
    ready(page)
    fill_sign_up(page, "shorty", "Shorty", "short")
    page.get_by_role("button", name="Create Account").click()
    expect(page.locator("#password-error")).to_have_text("Use at least 8 characters.")
    expect(page.get_by_label("Password")).to_have_value("short")


@pytest.mark.long
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_place_of_a_portrait_shows_a_person(stranger, scheme):
    page = stranger(color_scheme=scheme)
    page.goto("/signup")
    assert page.locator(".portrait-picker > .portrait").evaluate(CONTRAST) >= 3


# The contrast of a symbol with its background (WCAG 2.2, 1.4.11), including what shines through the background.
CONTRAST = """(ground) => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d");
  const luminance = (...colours) => {
    for (const colour of colours) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => linear(byte / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const grounds = [getComputedStyle(document.body), getComputedStyle(ground)].map((one) => one.backgroundColor);
  const symbol = luminance(...grounds, getComputedStyle(ground.querySelector("svg")).fill);
  const [less, more] = [symbol, luminance(...grounds)].sort((one, other) => one - other);
  return (more + 0.05) / (less + 0.05);
}"""


@pytest.mark.long
def test_without_scripts_a_refused_sign_up_keeps_the_names(stranger):
    page = stranger(java_script_enabled=False)
    page.goto("/signup")
    fill_sign_up(page, "has spaces", "Ida", "correct horse")
    page.get_by_role("button", name="Create Account").click()
    expect(page.locator("#username-error")).to_be_visible()
    expect(page.get_by_label("Username")).to_have_value("has spaces")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Ida")


def test_a_wrong_password_is_explained_a_right_one_leads_back_and_log_out_ends_it(server, page):
    server.person("lou", password="correct horse")
    page.goto("/library")
    expect(page).to_have_url(re.compile("/login"))
    page.get_by_label("Username").fill("LOU")
    page.get_by_label("Password").fill("wrong horse")
    page.get_by_role("button", name="Log In").click()
    expect(page.get_by_role("alert")).to_be_visible(timeout=PASSWORD_TIMEOUT)
    expect(page.get_by_label("Username")).to_have_value("LOU")
    assert accessibility_problems(page) == []
    page.get_by_label("Password").fill("correct horse")
    page.get_by_role("button", name="Log In").click()
    expect(page).to_have_url(re.compile("/library$"), timeout=PASSWORD_TIMEOUT)
    ready(page)
    page.goto("/home")
    ready(page)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Log Out").click()
    expect(page).to_have_url(re.compile("/login$"))
    page.go_back()
    expect(page).to_have_url(re.compile("/login"))


def test_people_are_found_while_one_types_without_accents_and_followed_by_a_tap(server, people):
    ana = people("ana.search")
    zoe, _ = server.person("zoe.m", "Zoë Müller"), server.person("quentin", "Quentin")
    page = ana.open("/users")
    page.get_by_role("searchbox").press_sequentially("muller")
    row = page.get_by_role("listitem").filter(has_text="Zoë Müller")
    expect(row).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text="Quentin")).to_be_hidden()
    follow = row.get_by_role("button")
    follow.click()
    acknowledged(follow)
    expect(follow).to_have_attribute("aria-pressed", "true")
    assert [one["username"] for one in ana.get(f"/api/v1/accounts/{ana.id}/following")] == ["zoe.m"]
    zoe_id = zoe.id
    assert ana.get(f"/api/v1/accounts/relationships?id[]={zoe_id}")[0]["following"] is True


def test_a_profile_shows_its_posts_in_a_grid_that_opens_them(people, photos):
    ben = people("ben.grid")
    for index, path in enumerate(photos):
        ben.share(f"Number {index}", path)
    page = ben.open("/@ben.grid")
    expect(page.locator(".grid a")).to_have_count(3)
    page.locator(".grid a").first.click()
    expect(page.locator(".caption")).to_contain_text("Number 2")
