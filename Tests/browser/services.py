"""What `./test` starts for all tests (.ci/postgres, .ci/s3): a PostgreSQL server and a store with S3's interface."""

import contextlib
import os
import subprocess
import threading
import urllib.parse
import uuid

import boto3
import pytest

from proxies import Handler, Proxy

POSTGRES = os.environ.get("TINTYPE_POSTGRES", "")
ENDPOINT = os.environ.get("TINTYPE_S3", "")

needs_store = pytest.mark.skipif(not ENDPOINT, reason="./test starts the store")
needs_services = pytest.mark.skipif(
    not (ENDPOINT and POSTGRES), reason="./test starts the database and the store"
)


def psql(program, *arguments):
    """Runs one of PostgreSQL's programs on the tests' server."""
    subprocess.run(_command(program, *arguments), check=True, stdout=subprocess.DEVNULL)


def selected(database, statement):
    """Returns the values of a statement that selects one column of one of the server's databases."""
    name = database.split("/")[3].split("?")[0]
    command = _command("psql", "--no-psqlrc", "--tuples-only", "--no-align", "--command", statement, name)
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()


def _command(program, *arguments):
    host = urllib.parse.parse_qs(urllib.parse.urlsplit(POSTGRES).query)["host"][0]
    return [program, "--host", host, "--username", "postgres", *arguments]


@contextlib.contextmanager
def locked(database, table):
    """Lets everyone wait who reads or writes a table of a database."""
    name = database.split("/")[3].split("?")[0]
    command = _command("psql", "--no-psqlrc", name)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as session:
        session.stdin.write(f"BEGIN; LOCK TABLE {table};\n")
        session.stdin.flush()
        assert [session.stdout.readline() for _ in range(2)] == ["BEGIN\n", "LOCK TABLE\n"]
        yield
        # The transaction ends with the session.
        session.stdin.close()


class StoreHandler(Handler):
    def forward(self):
        self.server.has_been_asked.set()
        # A store that is slow lets everyone wait until the test says otherwise.
        self.server.may_answer.wait(60)
        if self.server.is_down:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_error(503)
        else:
            super().forward()

    do_GET = do_PUT = do_POST = do_HEAD = do_DELETE = forward


class Store(Proxy):
    """The store behind a proxy that can be as good as down or slow, and what is in a server's bucket."""

    def __init__(self):
        super().__init__(type("Place", (), {"url": ENDPOINT.replace("127.0.0.1", "localhost")}))
        self.RequestHandlerClass = StoreHandler
        self.is_down = False
        self.has_been_asked, self.may_answer = threading.Event(), threading.Event()
        self.may_answer.set()
        self.bucket = f"browser-{uuid.uuid4()}"
        self._client = boto3.client("s3", endpoint_url=ENDPOINT, region_name="us-east-1")
        self._client.create_bucket(Bucket=self.bucket)
        self.flags = ["--sign-up", "open", "--blobs", f"s3://{self.bucket}?endpoint={self.url}"]

    def objects(self):
        found = self._client.list_objects_v2(Bucket=self.bucket)
        return {one["Key"] for one in found.get("Contents", [])}
