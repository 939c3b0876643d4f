"""Apps that people let in: Mastodon.py and toot, and the page that asks."""

import functools
import json
import os
import pathlib
import queue
import subprocess
import sys

import mastodon
import requests

import app_answers
from proxies import AppProxy

OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
SCOPES = ["read", "write", "follow", "push"]


def code_for(page, url):
    """The code that the page shows, once the person who is logged in has let the app in."""
    page.goto(url)
    page.get_by_role("button", name="Allow").click()
    return page.get_by_label("Code").input_value()


def watched():
    """A session of requests whose answers have to be what apps can read."""
    session = requests.Session()
    session.hooks["response"].append(app_answers.see_response)
    return session


def library(url, **credentials):
    """Mastodon.py on the server at an address."""
    return mastodon.Mastodon(
        api_base_url=url, ratelimit_method="throw", request_timeout=120, session=watched(), **credentials
    )


def register(url, name, scopes=SCOPES, **more):
    """Registers an app with Mastodon.py: Mastodon.py with the app's identifier, and nobody logged in."""
    identifier, secret = mastodon.Mastodon.create_app(
        name, scopes=list(scopes), api_base_url=url, session=watched(), **more
    )
    return library(url, client_id=identifier, client_secret=secret)


def client(page, url, scopes=SCOPES):
    """Mastodon.py on the server at an address, logged in by the person whose browser is given."""
    api = register(url, "Mastodon.py", scopes, website="https://github.com/halcy/Mastodon.py")
    code = code_for(page, api.auth_request_url(scopes=scopes, allow_http=True))
    api.log_in(code=code, scopes=scopes, allow_http=True)
    return api


class WatchedListener(mastodon.StreamListener):
    """Listens to a stream of Mastodon.py, whose events have to be what apps can read."""

    def _dispatch(self, event):
        if event:
            app_answers.see_event(event.get("event"), event.get("data", ""))
        super()._dispatch(event)

    def handle_websocket_message(self, message):
        # The library has read the frame's JSON already.
        app_answers.see_frame(json.dumps(message))
        super().handle_websocket_message(message)


class Listener(WatchedListener):
    """Puts what comes through a stream of Mastodon.py into a queue."""

    def __init__(self):
        self.heard = queue.Queue()

    def handle_heartbeat(self):
        self.heard.put(("heartbeat", None))

    def on_abort(self, error):
        self.heard.put(("abort", error))

    def on_any_event(self, name, data, for_stream=None):
        self.heard.put((name, data))

    def next(self, name):
        """What the next event of a name says; others before it are left out."""
        while True:
            found, data = self.heard.get(timeout=30)
            assert found != "abort", data
            if found == name:
                return data


@functools.cache
def _proxy():
    """The address of the proxy by which toot asks, which runs as long as the tests."""
    return AppProxy(app_answers.see).__enter__().url


class Toot:
    """toot, the command-line app, with a configuration of its own."""

    def __init__(self, folder):
        self._folder = pathlib.Path(folder)
        self.program = str(pathlib.Path(sys.executable).parent / "toot")
        self.environment = {
            **os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_CACHE_HOME": str(folder), "COLUMNS": "200",
            "http_proxy": _proxy(), "no_proxy": "", "NO_PROXY": "",
        }  # fmt: skip

    def __call__(self, *arguments, **options):
        done = self.try_to(*arguments, **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def try_to(self, *arguments, **options):
        return subprocess.run(
            [self.program, *arguments],
            capture_output=True,
            text=True,
            env=self.environment,
            timeout=120,
            check=False,
            **options,
        )

    def json(self, *arguments):
        return json.loads(self(*arguments, "--json"))

    @property
    def config(self):
        """The file in which it keeps who is logged in."""
        return self._folder / "toot" / "config.json"

    def log_in(self, url, let_in):
        """Logs in as a person does at the server at an address: `let_in` gets the address that toot prints, and returns the code."""
        process = subprocess.Popen(
            [self.program, "login", "--instance", url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=self.environment,
        )  # fmt: skip
        for line in process.stdout:
            if line.startswith("http"):
                break
        else:
            raise AssertionError("toot printed no address")
        rest, _ = process.communicate(f"n\n{let_in(line.strip())}\n", timeout=120)
        assert process.returncode == 0, rest
        assert "Successfully logged in" in rest
