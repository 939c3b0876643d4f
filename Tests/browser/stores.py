"""A store with S3's interface between a server and what `./test` has started (.ci/s3)."""

import os
import time
import uuid

import boto3

from conftest import PATIENCE
from proxies import Handler, Proxy

ENDPOINT = os.environ.get("TINTYPE_S3", "")


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


def shown(person, path):
    """A page of the person's own server."""
    person.page.goto(person.server.url + path)
    return person.page


def wait_for(is_so):
    """Asks again and again until something is so."""
    end = time.monotonic() + PATIENCE / 1_000
    while not is_so():
        assert time.monotonic() < end, "it isn't so after a while"
