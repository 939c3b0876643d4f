"""What a phone's screen has to hold: long words, its landscape, and what the camera frames."""

import random

import pytest
from playwright.sync_api import expect

from conftest import long
from looks import box, scrolls_sideways
from people import ready

LONG = "Donaudampfschiff" * 11


@pytest.mark.long
def test_a_long_word_widens_nothing(people, photos):
    ana = people(f"long{random.randrange(10**8)}")
    post = ana.share(LONG, photos[0])
    ana.call("PATCH", "/api/v1/accounts/update_credentials", f'{{"note": "{LONG}"}}'.encode(), "application/json")
    ana.post("/api/v1/statuses", status=LONG, in_reply_to_id=post)
    screens = ["/home", f"/posts/{post}", f"/posts/{post}/comments", f"/posts/{post}/options", f"/posts/{post}/share",
               "/settings/profile", f"/@{ana.username}", "/posts/new"]
    for path in screens:
        page = ana.open(path)
        if path == "/posts/new":
            page.get_by_label("Choose photos").set_input_files(photos[:1])
            page.get_by_label("Caption").fill(LONG)
            page.get_by_label("Description of photo 1").fill(LONG)
        assert not scrolls_sideways(page), path
        for field in page.locator("textarea:visible").all():
            assert field.evaluate("field => field.getBoundingClientRect().right <= innerWidth"), path


def test_previews_of_a_new_post_load_at_any_address(people, photos):
    ana = people(f"previews{random.randrange(10**8)}")
    ana.upload(photos[1])
    # The setting `public-url` says localhost.
    address = ana.server.url.replace("localhost", "127.0.0.1")
    assert address != ana.server.url
    ana.page.context.add_cookies([{"name": "tintype_session", "value": ana.cookie, "url": address}])
    page = ana.open(f"{address}/posts/new")
    page.get_by_label("Choose photos").set_input_files(photos[:1])
    preview = page.get_by_role("list", name="Chosen photos, in order").locator("img")
    expect(preview).to_have_js_property("complete", True)
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=preview.element_handle())
    # The draft as well, which a later visit takes up.
    page.reload()
    ready(page)
    page.wait_for_function("image => image.complete && image.naturalWidth > 0", arg=preview.element_handle())


@pytest.mark.parametrize("size", [(844, 390), long((932, 430)), long((667, 375))])
def test_a_phone_on_its_side_has_the_phones_layout(people, photos, size):
    ana = people(f"side{random.randrange(10**8)}", viewport={"width": size[0], "height": size[1]})
    ana.share("Harbour", photos[0], photos[1])
    page = ana.open("/home")
    assert box(page.locator("[data-photo] img").first)[::2] == (0, size[0])
    assert box(page.locator("nav.tabs"))[::2] == (0, size[0])
    assert abs(box(page.locator("nav.tabs"))[1] + 49 - size[1]) <= 1
    expect(page.get_by_role("button", name="Menu")).to_be_visible()
    page.get_by_role("button", name="Menu").click()
    expect(page.locator("#menu").get_by_role("link", name="Users")).to_be_in_viewport()
    for path in ["/friends", "/library", "/snaps", "/posts/new", "/settings"]:
        ana.open(path)
        assert not scrolls_sideways(page), path


@pytest.fixture(scope="module")
def wide_seeing_browser(browser_type, whole_chromium, tmp_path_factory):
    """A browser whose camera sees grey in the middle third, and white at both sides."""
    width, height = 96, 64
    luma = (b"\xeb" * 32 + b"\x80" * 32 + b"\xeb" * 32) * height
    frame = b"FRAME\n" + luma + b"\x80" * (width * height // 2)
    file = tmp_path_factory.mktemp("camera") / "thirds.y4m"
    file.write_bytes(f"YUV4MPEG2 W{width} H{height} F10:1 Ip C420\n".encode() + frame * 10)
    arguments = [*whole_chromium["args"], f"--use-file-for-fake-video-capture={file}"]
    browser = browser_type.launch(**{**whole_chromium, "args": arguments})
    yield browser
    browser.close()


@pytest.mark.long
def test_the_camera_keeps_what_it_frames(server, wide_seeing_browser, phone):
    ana = phone(server.person(f"framer{random.randrange(10**8)}"), browser=wide_seeing_browser, permissions=["camera"])
    page = ana.open("/snaps/camera")
    expect(page.locator("snap-camera")).to_have_attribute("data-state", "live")
    shown = page.locator("video").evaluate("video => video.clientWidth / video.clientHeight")
    page.get_by_role("button", name="Take the picture").click()
    page.get_by_role("button", name="Use").click()
    width, height, edges = page.get_by_role("img", name="The picture you chose").evaluate(
        """async (image) => {
          await image.decode();
          const { naturalWidth: width, naturalHeight: height } = image;
          const canvas = new OffscreenCanvas(width, height).getContext("2d");
          canvas.drawImage(image, 0, 0);
          const at = (x) => canvas.getImageData(x, height / 2, 1, 1).data[1];
          return [width, height, [at(1), at(width - 2)]];
        }"""
    )
    assert abs(width / height - shown) < 0.05, (width, height)
    # The white sides were out of the frame.
    assert max(edges) < 200, edges
