"""The Debian package: made, looked at, and in a Debian of its own installed, upgraded, downgraded, removed and purged."""

import contextlib
import os
import pathlib
import re
import subprocess
import threading
import time

import pytest

from conftest import png
from machine import APT, Machine, NoMachine, is_possible

# The folder with the programs.
BUILT = os.environ.get("TINTYPE_BUILT")

# Alone: it says how long a start takes.
pytestmark = [
    pytest.mark.long, pytest.mark.alone, pytest.mark.timeout(3000),
    pytest.mark.skipif(not BUILT or not is_possible(), reason="needs TINTYPE_BUILT=FOLDER, root, debootstrap and systemd-nspawn"),
]

ROOT = pathlib.Path(__file__).parents[2]
URL = "http://127.0.0.1:8080"
NEXT = "99.0.0"
# How large an installed package may be, in kB. Swift's libraries take half of it, Foundation and ICU most of that.
LIMIT = 85_000


def make(folder, *options):
    """Makes the packages; their files."""
    # Otherwise it is the time of the last commit, and somebody may commit meanwhile.
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1790000000"}
    done = subprocess.run(
        [str(ROOT / "package"), "--from", BUILT, "--to", str(folder), *options], capture_output=True, text=True,
        check=False, env=environment,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return sorted(folder.glob("*.deb"))


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """The packages, and those of a later version."""
    folder = tmp_path_factory.mktemp("packages")
    make(folder)
    make(folder, "--version", NEXT)
    return folder


def package(packages, next=False, name="tintype"):
    [found] = [file for file in packages.glob(f"{name}_*.deb") if (f"_{NEXT}_" in file.name) == next]
    return found


@pytest.fixture(scope="module")
def machine(tmp_path_factory, packages):
    with contextlib.ExitStack() as stack:
        try:
            machine = Machine(tmp_path_factory.mktemp("debian"), packages)
            machine.fetch(package(packages))
            stack.enter_context(machine)
        except NoMachine as reason:
            if "TINTYPE_MACHINE" in os.environ:
                raise
            pytest.skip(f"no Debian can be booted here: {reason}")
        yield machine


def test_the_same_programs_make_the_same_bytes(packages, tmp_path):
    for file in make(tmp_path):
        assert file.read_bytes() == (packages / file.name).read_bytes(), file.name


def test_lintian_finds_no_error(packages):
    files = [str(package(packages)), str(package(packages, name="tintype-dbgsym"))]
    done = subprocess.run(
        ["lintian", "--profile", "debian", "--fail-on", "error", *files], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(pathlib.Path(BUILT or "").name == "debug", reason="a debug build is large: ./test --package")
def test_it_is_small(packages):
    file = package(packages)
    size = subprocess.run(["dpkg-deb", "--field", file, "Installed-Size"], capture_output=True, text=True, check=True)
    assert int(size.stdout) <= LIMIT


def test_the_symbols_are_apart(packages):
    symbols = package(packages, name="tintype-dbgsym")
    listed = subprocess.run(["dpkg-deb", "--contents", symbols], capture_output=True, text=True, check=True)
    assert "./usr/lib/debug/usr/lib/tintype/tintype.debug" in listed.stdout


class Visitor:
    """Someone who asks for a page again and again: `with Visitor(machine) as visitor:`; the answers are in `answers`."""

    def __init__(self, machine):
        self._machine, self.answers, self._is_done = machine, [], threading.Event()
        self._thread = threading.Thread(target=self._visit)

    def _visit(self):
        while not self._is_done.is_set():
            code, answer = self._ask()
            # A connection whose request hasn't come yet may be closed at any time (RFC 9112, 9.5): browsers ask again. Refused,
            # which is 7, is something else.
            if code in (52, 56):
                code, answer = self._ask()
            self.answers.append(answer if code == 0 else f"curl ended with {code}")

    def _ask(self):
        return self._machine.try_curl("--output", "/dev/null", "--write-out", "%{http_code}", f"{URL}/login")

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_done.set()
        self._thread.join()


def is_served(machine):
    return machine.curl(f"{URL}/healthz", timeout=5) == "ok\n"


def as_tintype(machine, *command):
    """Runs one of the operator's commands as the server's user."""
    return machine.run("setpriv", "--reuid=tintype", "--regid=tintype", "--init-groups", "tintype", *command)


def install(machine, file, *options):
    """Installs a package as an operator does; what apt prints."""
    return machine.run("apt-get", *APT, "install", "-y", "-q", "--no-install-recommends", *options, f"/packages/{file.name}",
                       timeout=600)


def main_process(machine):
    return machine.run("systemctl", "show", "--property=MainPID", "--value", "tintype")


def upload(machine, token, photo):
    """Uploads a photo; the answer of the interface."""
    return machine.curl(
        "--header", f"Authorization: Bearer {token}", "--form", f"file=@{photo};type=image/png", f"{URL}/api/v2/media"
    )


def test_it_is_installed_upgraded_downgraded_removed_and_purged(machine, packages, tmp_path):
    first, later = package(packages), package(packages, next=True)
    photo = tmp_path / "photo.png"
    photo.write_bytes(png(1200, 900, 1))

    # Installed, and served within a minute.
    assert "sudo tintype setup" in install(machine, first)
    begin = time.monotonic()
    machine.wait(lambda: is_served(machine))
    assert time.monotonic() < begin + 60
    show = machine.run("systemctl", "show", "--property=ActiveState,User,Type,NRestarts", "tintype")
    assert {"ActiveState=active", "User=tintype", "Type=notify", "NRestarts=0"} <= set(show.splitlines())
    # 2.0 of 10 at most.
    machine.run("systemd-analyze", "security", "--threshold=20", "tintype.service")
    assert machine.run("systemctl", "show", "--property=LimitNOFILE", "--value", "tintype") == "65536"
    assert (machine.root / "usr/share/man/man1/tintype.1.gz").exists()

    # Set up: the link lets its owner in, once.
    words = machine.run("tintype", "setup", "--public-url", URL, "--administrator", "ana", "--display-name", "Ana")
    [link] = re.findall(r"http\S+/login/new-password\S+", words)
    assert f'"public-url" : "{URL}"' in (machine.root / "etc/tintype/tintype.json").read_text()
    machine.run("systemctl", "restart", "tintype")
    form = ["--data-urlencode", f"code={link.split('=')[1]}", "--data-urlencode", "password=correct horse"]
    choose = [*form, "--output", "/dev/null", "--write-out", "%{http_code}", f"{URL}/login/new-password"]
    assert machine.curl(*choose) == "303"
    assert machine.curl(*choose) == "410"
    refused = machine.run("tintype", "token", "create", "ana", check=False)
    assert "belongs to tintype. Run this command as tintype: sudo -u tintype tintype" in refused

    # Pictures are decoded: the cage can be entered inside of what the unit leaves.
    token = as_tintype(machine, "token", "create", "ana")
    id = re.search(r'"id":"(\d+)"', upload(machine, token, photo))[1]
    original = f"{URL}/api/v1/photos/{id}/original"
    known = ["--header", f"Authorization: Bearer {token}", "--output", "/dev/null", "--write-out", "%{http_code}", original]
    assert machine.curl(*known) == "200"

    # Nobody is refused while it starts again.
    with Visitor(machine) as visitor:
        for _ in range(3):
            machine.run("systemctl", "restart", "tintype")
    assert visitor.answers and set(visitor.answers) == {"200"}

    # One that hangs is started again.
    (machine.root / "etc/systemd/system/tintype.service.d").mkdir(exist_ok=True)
    (machine.root / "etc/systemd/system/tintype.service.d/test.conf").write_text("[Service]\nWatchdogSec=6s\n")
    machine.run("systemctl", "daemon-reload")
    machine.run("systemctl", "restart", "tintype")
    hanging = main_process(machine)
    machine.run("systemctl", "kill", "--kill-whom=main", "--signal=STOP", "tintype")
    machine.wait(lambda: main_process(machine) not in (hanging, "0"), 60)
    machine.wait(lambda: is_served(machine))

    # Upgraded: nobody is refused, and everything is there.
    with Visitor(machine) as visitor:
        install(machine, later)
        machine.wait(lambda: is_served(machine))
    assert set(visitor.answers) == {"200"}
    assert NEXT in machine.run("dpkg-query", "--show", "tintype")
    assert machine.curl(*known) == "200"
    assert as_tintype(machine, "check") == "No problems found."

    # Back again.
    install(machine, first, "--allow-downgrades")
    machine.wait(lambda: is_served(machine))
    assert NEXT not in machine.run("dpkg-query", "--show", "tintype")
    assert machine.curl(*known) == "200"

    # Stopped within its time, while somebody listens to events and so never ends by themselves.
    begin = time.monotonic()
    machine.run("systemctl", "stop", "tintype.service", "tintype.socket")
    assert time.monotonic() < begin + 25
    assert "Result=success" in machine.run("systemctl", "show", "--property=Result", "tintype")

    # Removed: settings and photos stay.
    machine.run("apt-get", "remove", "-y", "-q", "tintype")
    assert not is_served(machine)
    assert (machine.root / "etc/tintype/tintype.json").exists()
    assert not (machine.root / "usr/lib/tintype").exists()
    # Installed again: as before.
    install(machine, first)
    machine.wait(lambda: is_served(machine))
    assert machine.curl(*known) == "200"
    # Purged: the photos stay until the operator deletes them.
    assert "still in /var/lib/tintype" in machine.run("apt-get", "purge", "-y", "-q", "tintype")
    assert not (machine.root / "etc/tintype").exists()
    assert (machine.root / "var/lib/tintype/tintype.sqlite").exists()
    assert not list((machine.root / "etc/systemd/system").rglob("tintype.socket"))
