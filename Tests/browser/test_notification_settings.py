"""Settings → Notifications, and muted chats."""

import re

import pytest
from playwright.sync_api import expect

from chats import chat_of, open_chat
from devices import PERMISSION, SUBSCRIBING
from looks import accessibility_problems, scrolls_sideways
from people import ready

SERVER_FLAGS = ["--sign-up", "open", "--limit-sign-ups", "1000"]

PATH = "/settings/notifications"


def write(person, chat, text):
    return person.post(f"/api/v1/chats/{chat}/messages", text=text)


def save(page):
    page.get_by_role("button", name="Save").click()
    ready(page)


def test_a_topic_is_switched_off_hours_are_quiet_and_a_chat_is_muted(phone, ana, bea):
    here = phone(ana, timezone_id="Asia/Kathmandu").page
    here.goto("/settings")
    ready(here)
    here.get_by_role("main").get_by_role("link", name="Notifications").click()
    ready(here)
    likes, hours = here.get_by_role("switch", name="Likes"), here.get_by_role("switch", name="Quiet hours")
    expect(likes).to_be_checked()
    expect(here.get_by_label("From")).to_be_hidden()
    likes.uncheck()
    hours.check()
    # The browser knows where the person is.
    expect(here.get_by_label("Time zone")).to_have_value(re.compile("^Asia/Kat"))
    here.get_by_label("From").fill("22:30")
    here.get_by_label("To").fill("22:30")
    save(here)
    expect(here.get_by_text("Quiet hours can’t end at the time at which they begin.")).to_be_visible()
    expect(likes).not_to_be_checked()
    here.get_by_label("To").fill("06:45")
    save(here)
    expect(here.locator("flash-message")).to_have_text("Saved.")
    expect(likes).not_to_be_checked()
    expect(here.get_by_label("From")).to_have_value("22:30")
    expect(here.get_by_label("To")).to_have_value("06:45")
    assert accessibility_problems(here) == []

    # A chat is muted for an hour, which another tab shows at once.
    chat = chat_of(ana, bea)
    write(bea, chat, "Hello")
    tab = here.context.new_page()
    tab.goto("/messages")
    tab.wait_for_selector("html[data-live=on]", state="attached")
    row, badge = tab.locator(f"main li[data-id='{chat}']"), tab.locator(".tabs [data-badge=friends]")
    expect(badge).to_have_text(re.compile("^1"))
    here.goto(f"/messages/{chat}")
    here.wait_for_selector("html[data-live=on]", state="attached")
    here.get_by_role("button", name="Mute", exact=True).click()
    sheet = here.get_by_role("dialog", name="Mute this chat?")
    sheet.get_by_role("button", name="Mute for an hour").click()
    expect(sheet).to_be_hidden()
    expect(here.locator("flash-message")).to_have_text("Muted for an hour.")
    expect(here.get_by_role("button", name="Muted", exact=True)).to_be_focused()
    expect(row.get_by_text("Muted")).to_be_attached()
    # What was open is read.
    expect(row.locator(".badge")).to_be_hidden()
    here.goto("/home")
    write(bea, chat, "Are you there?")
    expect(row.get_by_text("Are you there?")).to_be_visible()
    expect(row.locator(".badge")).to_have_text(re.compile("^1"))
    expect(badge).to_be_hidden()
    assert accessibility_problems(tab) == []

    here.goto(f"/messages/{chat}")
    ready(here)
    here.get_by_role("button", name="Muted", exact=True).click()
    sheet = here.get_by_role("dialog", name="This chat is muted")
    expect(sheet).to_contain_text(re.compile(r"Until \d+ \w+ \d{4} at \d\d:\d\d\."))
    sheet.get_by_role("button", name="Unmute").click()
    expect(here.get_by_role("button", name="Mute", exact=True)).to_be_focused()
    expect(row.get_by_text("Muted")).to_have_count(0)


@pytest.mark.long
def test_a_device_is_turned_on_tried_and_removed_on_another(phone, ana):
    def subscribed(person):
        person = phone(person, service_workers="allow")
        person.page.add_init_script(f"({PERMISSION})('granted')")
        person.page.add_init_script(SUBSCRIBING)
        person.open(PATH).wait_for_selector("html[data-sw=on]", state="attached")
        switch = person.page.get_by_role("switch", name="Notifications on this device")
        expect(person.page.get_by_role("button", name="Send a test")).to_have_count(0)
        switch.check()
        expect(person.page.locator("push-switch")).to_have_attribute("data-state", "on")
        return person.page, switch

    here, _ = subscribed(ana)
    here.get_by_role("button", name="Send a test").click()
    expect(here.locator("flash-message")).to_have_text("Sent. Your device shows it in a moment.")
    listed = here.get_by_role("region", name="Devices with notifications").get_by_role("listitem")
    expect(listed).to_have_count(1)
    expect(listed).to_contain_text("this device")
    assert accessibility_problems(here) == []
    assert not scrolls_sideways(here)

    there, switch = subscribed(ana.again())
    here.goto(PATH)
    expect(listed).to_have_count(2)
    here.get_by_role("button", name="Remove").click()
    expect(here.get_by_role("status").filter(has_text="No more notifications on that device.")).to_be_visible()
    expect(listed).to_have_count(1)
    # The removed device turns itself off, and not on again.
    there.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(switch).not_to_be_checked()
    there.get_by_role("switch", name="Notifications on this device").check()
    expect(there.locator("push-switch")).to_have_attribute("data-state", "on")
    here.goto(PATH)
    expect(listed).to_have_count(2)


@pytest.mark.long
def test_everything_is_chosen_without_scripts(phone, ana, bea):
    page = phone(ana, java_script_enabled=False).page
    page.goto(PATH)
    page.get_by_role("switch", name="Snaps").uncheck()
    page.get_by_role("switch", name="Show what a message says").uncheck()
    page.get_by_role("switch", name="Quiet hours").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Choose your time zone.")).to_be_visible()
    expect(page.get_by_role("switch", name="Snaps")).not_to_be_checked()
    page.get_by_label("Time zone").select_option("Europe/Madrid")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_label("Time zone")).to_have_value("Europe/Madrid")
    expect(page.get_by_role("switch", name="Snaps")).not_to_be_checked()
    expect(page.get_by_role("switch", name="Show what a message says")).not_to_be_checked()

    chat = chat_of(ana, bea)
    write(bea, chat, "Hello")
    page.goto(f"/messages/{chat}")
    page.get_by_role("button", name="Mute", exact=True).click()
    page.get_by_role("button", name="Mute until you unmute").click()
    page.get_by_role("button", name="Muted", exact=True).click()
    page.get_by_role("button", name="Unmute").click()
    expect(page.get_by_role("button", name="Mute", exact=True)).to_be_visible()


@pytest.mark.long
def test_a_chat_that_is_muted_elsewhere_shows_it_in_its_bar(ana, bea):
    chat = chat_of(ana, bea)
    write(bea, chat, "Hello")
    page = open_chat(ana, chat)
    ana.post(f"/api/v1/chats/{chat}/mute", duration=3_600)
    expect(page.get_by_role("button", name="Muted", exact=True)).to_be_visible()
    # An open sheet stays until it is answered.
    page.get_by_role("button", name="Muted", exact=True).click()
    sheet = page.get_by_role("dialog", name="This chat is muted")
    ana.call("DELETE", f"/api/v1/chats/{chat}/mute")
    expect(page.locator("chat-list").get_by_text("Muted")).to_have_count(0)
    expect(sheet).to_be_visible()
    sheet.get_by_role("button", name="Unmute").click()
    expect(page.get_by_role("button", name="Mute", exact=True)).to_be_visible()


@pytest.mark.long
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_a_long_name_leaves_room_for_the_bell(people, width):
    ana, ben = people(f"wide{width}.ana", viewport={"width": width, "height": 844}), people(f"wide{width}.ben")
    ben.call("PATCH", "/api/v1/accounts/update_credentials", b"display_name=Maximiliane+Wolkenstein-Trostburg",
             "application/x-www-form-urlencoded")
    chat = chat_of(ana, ben)
    write(ana, chat, "Hello")
    page = ana.open(f"/messages/{chat}")
    assert not scrolls_sideways(page)
    bar = page.locator(".chat-bar")
    peer, bell = bar.locator(".peer").bounding_box(), bar.get_by_role("button", name="Mute").bounding_box()
    assert peer["x"] + peer["width"] <= bell["x"]
    assert accessibility_problems(page) == []


def test_the_sheet_that_mutes_a_chat_takes_the_focus_and_gives_it_back(ana, bea):
    here = ana.open(f"/messages/{chat_of(ana, bea)}")
    button = here.get_by_role("button", name="Mute", exact=True)
    sheet = here.get_by_role("dialog", name="Mute this chat?")
    for leave in [lambda: here.keyboard.press("Escape"), lambda: sheet.get_by_role("button", name="Cancel").click()]:
        # A tap gives a button no focus in Safari.
        button.evaluate("(button) => { button.click(); button.blur(); }")
        expect(sheet.get_by_role("button").first).to_be_focused()
        leave()
        expect(sheet).to_be_hidden()
        expect(button).to_be_focused()
