"""What the browser tests share: a server per file, people, and a phone.

Environment: TINTYPE_BINARY is the built `tintype`. Nothing here sleeps: tests wait for states.
"""

import base64
import itertools
import os
import random
import tempfile
import time
import uuid

import pytest
from playwright.sync_api import Page, expect

import app_answers
from cluster import Cluster
from people import Person, befriend
from pngs import encoded
from push_service import PushService
from servers import BINARY, Server
from services import POSTGRES, Store, psql

# Chromium without its windows takes half the time of the whole one.
CHROMIUM = "/usr/bin/chromium-headless-shell"
WHOLE_CHROMIUM = "/usr/bin/chromium"
PHONE = {"width": 390, "height": 844}

# Hashing passwords as for real takes seconds in a debug build, and half of all the tests' time.
os.environ["TINTYPE_PASSWORD_COST"] = "10"
# All people of a server sign up from the same address.
os.environ["TINTYPE_LIMIT_SIGN_UPS"] = "1000000"
# No test asks the real Wikimedia Commons; those that need a source have one of their own.
os.environ["TINTYPE_COMMONS_URL"] = ""

# Two tests share two processors with the server, and a debug build is slow.
PATIENCE = 30_000
expect.set_options(timeout=PATIENCE)


def long(*values):
    """A variant of a test, by the values of its parameters, that runs with ./test --full alone."""
    return pytest.param(*values, marks=pytest.mark.long)


def pytest_collection_modifyitems(items):
    for item in items:
        if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(900))


def pytest_runtest_setup(item):
    """Leaves out long tests for which there is no time: CI ends a run that takes too long, and then nothing counts."""
    if item.get_closest_marker("long") and time.time() > float(os.environ.get("TINTYPE_DEADLINE", "inf")):
        pytest.skip("no time is left for long tests")


# What people's calls are answered with is what apps get, too.
Person.see = app_answers.see


@pytest.fixture(autouse=True)
def apps_can_read_every_answer():
    """Fails a test in which an answer came that an app can't read (app_answers.py)."""
    yield
    problems = app_answers.taken()
    assert problems == []


# ---------------------------------------------------------------- the server


@pytest.fixture(scope="module")
def server(request):
    """A running server with an empty data folder; a file of tests has one of its own.

    A file may change its settings: `SERVER_FLAGS = ["--sign-up", "invitation"]`.
    """
    if not BINARY:
        pytest.exit("TINTYPE_BINARY must name the built program", returncode=2)
    with tempfile.TemporaryDirectory(prefix="tintype-browser-") as folder:
        server = Server(f"{folder}/data", *getattr(request.module, "SERVER_FLAGS", ["--sign-up", "open"]))
        yield server
        server.stop()


@pytest.fixture
def start():
    """Starts servers of the test's own: `start(data, "--sign-up", "open")`. None outlives the test."""
    servers = []

    def start(data, *flags, **options):
        servers.append(Server(data, *flags, **options))
        return servers[-1]

    yield start
    for server in servers:
        if server.process:
            server.stop()


# ---------------------------------------------------------------- the browser


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    return {
        **browser_type_launch_args,
        "executable_path": CHROMIUM,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--force-color-profile=srgb",
            "--use-fake-device-for-media-stream",
        ],
    }


@pytest.fixture(scope="session")
def whole_chromium(browser_type_launch_args):
    """What launches Chromium with its windows, for what the other lacks: cameras, and pages kept for Back."""
    return {**browser_type_launch_args, "executable_path": WHOLE_CHROMIUM}


@pytest.fixture
def bare_browser(browser_type, whole_chromium):
    """A browser on a device without a camera."""
    arguments = [one for one in whole_chromium["args"] if "fake-device" not in one]
    browser = browser_type.launch(**{**whole_chromium, "args": arguments})
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def whole_browser(browser_type, whole_chromium):
    browser = browser_type.launch(**whole_chromium)
    yield browser
    browser.close()


@pytest.fixture
def browser_context_args(browser_context_args, server):
    """A phone in portrait with touch, without motion."""
    return {
        **browser_context_args,
        "base_url": server.url,
        "viewport": PHONE,
        "has_touch": True,
        "is_mobile": True,
        "locale": "en-GB",
        "timezone_id": "Europe/London",
        "reduced_motion": "reduce",
        # What a service worker asks for, `page.route` doesn't see. test_offline.py allows it.
        "service_workers": "block",
    }


@pytest.fixture
def page(page: Page):
    """The phone's page; an uncaught error in a script fails the test."""
    errors = watch(page)
    yield page
    assert not errors, errors


def watch(page):
    """The list into which the page's uncaught errors go."""
    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors


@pytest.fixture
def stranger(browser, browser_context_args):
    """Gives a page on a phone that nobody is logged in on: `stranger().goto("/login")`."""
    contexts, errors = [], []

    def give(browser=browser, **context_args):
        context = browser.new_context(**{**browser_context_args, **context_args})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        errors.append(watch(page))
        return page

    yield give
    for context in contexts:
        context.close()
    assert not any(errors), errors


@pytest.fixture
def phone(server, stranger):
    """Gives someone a phone that is logged in: `phone(ana).page.goto("/home")`."""

    def give(person, **context_args):
        person.page = stranger(**context_args)
        person.page.context.add_cookies(
            [{"name": "tintype_session", "value": person.cookie, "url": server.url, "sameSite": "Lax"}]
        )
        return person

    return give


@pytest.fixture
def people(server, phone):
    """Signs people up and gives each a phone: `ana = people("ana")`, then `ana.page.goto("/home")`."""
    return lambda username, **context_args: phone(server.person(username), **context_args)


@pytest.fixture
def ana(people):
    """Someone who talks with bea. People of a server stay, so that each test has its own."""
    return people(f"ana{random.randrange(10**8)}")


@pytest.fixture
def bea(people, ana):
    bea = people(f"bea{random.randrange(10**8)}")
    befriend(ana, bea)
    return bea


@pytest.fixture
def cleo(people, ana, bea):
    """A friend of both."""
    cleo = people(f"cleo{random.randrange(10**8)}")
    for other in [ana, bea]:
        befriend(cleo, other)
    return cleo


@pytest.fixture
def friends(ana, bea):
    """Two friends with a phone each."""
    return ana, bea


@pytest.fixture
def accounts(server):
    """Signs people up who have no phone in the test and are friends of each other: `ana, bea = accounts("ana", "bea")`."""

    def accounts(*names):
        made = [server.person(f"{name}{random.randrange(10**8)}") for name in names]
        for one, other in itertools.combinations(made, 2):
            befriend(one, other)
        return made

    return accounts


@pytest.fixture
def database():
    """The address of a PostgreSQL database of the test's own."""
    name = f"nodes_{uuid.uuid4().hex}"
    psql("createdb", "--template", "template0", name)
    yield POSTGRES.replace("/postgres?", f"/{name}?")
    psql("dropdb", "--force", name)


@pytest.fixture(scope="session")
def cluster():
    """PostgreSQL on three machines. Tests that use it run alone, one after the other, and leave it whole."""
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
def store():
    """A bucket of the test's own in the store with S3's interface."""
    with Store() as store:
        yield store


@pytest.fixture
def shared_flags(database, store, tmp_path):
    """What servers with one database and one store have in common."""
    key = tmp_path / "secrets-key"
    key.write_bytes(base64.b64encode(os.urandom(32)))
    key.chmod(0o600)
    return [*store.flags, "--database", database, "--secrets-key-file", str(key)]


@pytest.fixture
def push_service():
    """A push service that checks what comes (push_service.py)."""
    with PushService() as service:
        yield service


# ---------------------------------------------------------------- pictures


@pytest.fixture(scope="session")
def photos(tmp_path_factory):
    """Three pictures to upload, as paths."""
    folder = tmp_path_factory.mktemp("photos")
    paths = []
    for index, (width, height) in enumerate([(1200, 900), (900, 1200), (800, 800)]):
        path = folder / f"photo-{index}.png"
        path.write_bytes(png(width, height, index))
        paths.append(path)
    return paths


def png(width, height, seed=0):
    """A picture of soft colours (PNG)."""
    row = bytearray(3 * width)
    row[0::3] = bytes((x * 255 // width + 90 * seed) % 256 for x in range(width))
    row[2::3] = bytes([(180 + 60 * seed) % 256]) * width
    rows = []
    for y in range(height):
        row[1::3] = bytes([y * 255 // height]) * width
        rows.append(bytes(row))
    return encoded(width, height, rows)
