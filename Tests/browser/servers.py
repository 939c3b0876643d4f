"""The program under test: its commands, and servers that run until they are stopped or killed."""

import contextlib
import http.client
import itertools
import os
import pathlib
import random
import re
import signal
import socket
import sqlite3
import subprocess
import urllib.parse
import uuid

from people import Person

BINARY = os.environ.get("TINTYPE_BINARY")


def run(*arguments, timeout=120, binary=BINARY):
    """One of the operator's commands: how it ended, and what it printed."""
    return subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=timeout, check=False)


def free_port():
    """A port that nobody listens on at the moment, for a server that has to know its own URL when it starts.

    It isn't one of those that the system gives to connections: nobody can listen on a connection's port, and for a minute
    after its end neither (ip(7), ip_local_port_range)."""
    while True:
        port = random.SystemRandom().randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port


def own_address():
    """An address for a server that has to know its own, and the flags that tell it."""
    port = free_port()
    url = f"http://localhost:{port}"
    return url, ["--port", str(port), "--public-url", url]


class Server:
    """A server on a data folder, running from the start, and what its operator can do."""

    def __init__(self, data, *flags, binary=BINARY):
        self.data = str(data)
        # The program; another version of it after an upgrade.
        self.binary = binary
        self._flags = flags
        self._is_open = "open" in flags
        # Where the rows and pictures are, which commands have to know, too.
        places = ("--database", "--blobs", "--secrets-key-file")
        self.places = [flag for pair in itertools.pairwise(flags) if pair[0] in places for flag in pair]
        self._people = 0
        self.start()

    def start(self):
        """Starts it, or after a kill once more; on another port each time."""
        with open(f"{self.data}.log", "w") as log:
            self.process = subprocess.Popen(
                # A test that hangs is ended with its process, and the server goes with that.
                ["setpriv", "--pdeathsig", "TERM", self.binary, "serve", "--data", self.data, "--port", "0", *self._flags],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.port = self._listening_port()
        self.url = f"http://localhost:{self.port}"

    def _listening_port(self):
        """The port that it says it listens on, once it does."""
        for line in self.process.stdout:
            if match := re.search(r"listening on \S*:(\d+)\)", line):
                return int(match[1])
        raise RuntimeError(f"the server ended before it listened:\n{self.log}")

    @property
    def log(self):
        return pathlib.Path(f"{self.data}.log").read_text()[-4000:]

    def stop(self):
        """Ends it as an operator does, and makes sure that nothing was wrong."""
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        assert code == 0, f"the server ended with {code}:\n{self.log}"

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process = None

    def command(self, *arguments, timeout=120):
        """What one of the operator's commands prints."""
        done = run(*arguments, "--data", self.data, *self.places, timeout=timeout, binary=self.binary)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    @contextlib.contextmanager
    def database(self):
        """A transaction in its database, for what else only time does."""
        with contextlib.closing(sqlite3.connect(f"{self.data}/tintype.sqlite")) as database, database:
            yield database

    def pictures(self):
        """The files that hold pictures, originals and renditions."""
        return {path for path in pathlib.Path(self.data, "blobs").rglob("*") if path.is_file()}

    def person(self, username, display_name=None, password="correct horse"):
        """Makes an account that is logged in: by signing up, which is quick, once somebody is there.

        The one who signs up first would be the administrator, and only where anyone may is there a form for it.
        """
        display_name = display_name or username.capitalize()
        if self._is_open and self._people:
            cookie = self.enter("/signup", username=username, display_name=display_name, password=password)
        else:
            self._create(username, display_name, password)
            cookie = self.enter("/login", username=username, password=password)
        self._people += 1
        return Person(self, username, cookie)

    def enter(self, path, **form):
        """Sends a form that logs somebody in; the value of the session cookie."""
        headers = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
        connection = http.client.HTTPConnection(urllib.parse.urlsplit(self.url).netloc, timeout=30)
        connection.request("POST", path, urllib.parse.urlencode(form), headers)
        answer = connection.getresponse()
        connection.close()
        [cookie] = re.findall(r"tintype_session=([^;]+)", answer.getheader("Set-Cookie", ""))
        return cookie

    def _create(self, username, display_name, password):
        file = pathlib.Path(self.data).parent / f"password-{uuid.uuid4()}"
        file.write_text(password)
        self.command(
            "account", "create", username, "--display-name", display_name, "--password-file", str(file)
        )
