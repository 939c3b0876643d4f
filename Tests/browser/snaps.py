"""What people do with snaps in a browser, and what a test looks for there."""

import urllib.error
import urllib.request

from playwright.sync_api import expect

from people import befriend


def two_friends(people, names, **context_args):
    """Two new people who follow each other, with a phone each."""
    one, other = (people(name, **context_args) for name in names)
    befriend(one, other)
    return one, other


def still_no_more(page):
    """Waits until the list may change again, some time after a snap was closed."""
    page.wait_for_selector("snap-list:not([data-still])", state="attached")


def snap(person, feed="memes", sample="memes-1"):
    """Posts a predefined picture; the snap's id."""
    return person.post("/api/v1/snaps", sample_id=sample, feed_id=feed)["id"]


def status(person, method, path, headers=None):
    """The status that a call of the JSON interface answers with."""
    request = urllib.request.Request(
        person.server.url + path, method=method, headers={**(headers or {}), **person.credentials}
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def viewer(page):
    return page.locator("dialog.snap-viewer")


def open_first(page):
    """Taps the first unread snap and waits for its picture."""
    page.locator("[data-open]").first.click()
    expect(viewer(page).locator("img")).to_be_visible()


def close(page):
    """Taps the picture away, and waits until the server knows that it is closed."""
    with page.expect_response("**/close") as answer:
        viewer(page).click()
    assert answer.value.ok


def address_of_the_picture(page):
    """Taps the first unread snap, and waits until its picture is being asked for: from where."""
    with page.expect_request("**/snap_views/*") as asked:
        page.locator("[data-open]").first.click()
    return asked.value.url


def expect_gone(page):
    """The snap shows nowhere, and its row is read."""
    expect(viewer(page)).to_have_count(0)
    expect(page.get_by_role("img", name="Read", exact=True)).to_have_count(1)
    expect(page.locator("[data-open]")).to_have_count(0)


def hide(page):
    """Lets the page hear that it is hidden."""
    page.evaluate(
        """() => {
          Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
          delete document.visibilityState;
        }"""
    )
