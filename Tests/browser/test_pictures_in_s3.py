"""A server that keeps its pictures in a store with S3's interface: what people see of it, and what is gone."""

import os
import time
import uuid

import boto3
import pytest
from playwright.sync_api import expect

from conftest import PATIENCE
from people import befriend
from proxies import Handler, Proxy
from snaps import close, expect_gone, open_first

ENDPOINT = os.environ.get("TINTYPE_S3", "")

pytestmark = pytest.mark.skipif(not ENDPOINT, reason="./test starts the store")


class StoreHandler(Handler):
    def forward(self):
        if self.server.is_down:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_error(503)
        else:
            super().forward()

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = forward


class Store(Proxy):
    """The store behind a proxy that can be as good as down, and what is in a server's bucket."""

    def __init__(self):
        super().__init__(type("Place", (), {"url": ENDPOINT.replace("127.0.0.1", "localhost")}))
        self.RequestHandlerClass = StoreHandler
        self.is_down = False
        self.bucket = f"browser-{uuid.uuid4()}"
        self._client = boto3.client("s3", endpoint_url=ENDPOINT, region_name="us-east-1")
        self._client.create_bucket(Bucket=self.bucket)
        self.flags = ["--sign-up", "open", "--blobs", f"s3://{self.bucket}?endpoint={self.url}"]

    def objects(self):
        found = self._client.list_objects_v2(Bucket=self.bucket)
        return {one["Key"] for one in found.get("Contents", [])}


@pytest.fixture
def store():
    with Store() as store:
        yield store


@pytest.fixture
def friends(store, start, phone, tmp_path):
    server = start(tmp_path / "data", *store.flags)
    ana, ben = (phone(server.person(name)) for name in ("ana", "ben"))
    befriend(ana, ben)
    return ana, ben


def shown(person, path):
    """A page of the test's own server."""
    person.page.goto(person.server.url + path)
    return person.page


def wait_for(is_so):
    end = time.monotonic() + PATIENCE / 1_000
    while not is_so():
        assert time.monotonic() < end, "it isn't so after a while"


def test_a_post_is_seen_and_a_snap_is_gone_from_the_store_once_it_was_seen(friends, store, photos):
    ana, ben = friends
    photo = ana.upload(photos[0])
    ana.post("/api/v1/statuses", status="From the store", media_ids=[photo])
    kept = store.objects()
    assert kept
    page = shown(ben, "/home")
    picture = page.get_by_role("article").locator("img[src*='/photos/'], img[srcset*='/photos/']").first
    expect(picture).to_be_visible()
    assert picture.evaluate("async image => { await image.decode(); return image.naturalWidth }") > 100
    ana.post("/api/v1/snaps", media_id=ana.upload(photos[1], purpose="snap"), feed_id="memes")
    assert store.objects() - kept
    page = shown(ben, "/snaps")
    open_first(page)
    close(page)
    expect_gone(page)
    wait_for(lambda: store.objects() == kept)
    ana.call("DELETE", f"/api/v1/photos/{photo}?force=true")
    wait_for(lambda: not store.objects())


def test_while_the_store_is_down_pages_go_on_and_an_upload_says_so_and_succeeds_later(friends, store, photos):
    ana, _ = friends
    store.is_down = True
    page = shown(ana, "/home")
    expect(page.get_by_role("main")).to_be_visible()
    with pytest.raises(Exception, match="503"):
        ana.upload(photos[0])
    store.is_down = False
    assert ana.upload(photos[0])
    assert store.objects()
