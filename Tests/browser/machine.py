"""A Debian of the test's own, with systemd, in a container with a network of its own. Needs root."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

MIRROR = "http://deb.debian.org/debian"
PROGRAMS = ["/usr/sbin/debootstrap", "/usr/bin/systemd-nspawn"]
# The clock of a machine for tests may be far from that of its mirror.
APT = ["-o", "Acquire::Check-Valid-Until=false", "-o", "Acquire::Check-Date=false"]


def is_possible():
    return os.geteuid() == 0 and all(map(os.path.exists, PROGRAMS))


class NoMachine(Exception):
    """Here no Debian can be made, or booted: nothing of Tintype is in it yet."""


class Machine:
    """`with Machine(folder, packages) as machine:` makes and boots it; the packages are in `/packages` there."""

    def __init__(self, folder, packages):
        self.root = pathlib.Path(folder, "machine")
        self._packages = packages
        made = subprocess.run(
            ["debootstrap", "--variant=minbase", "--include=systemd,systemd-sysv,dbus,ca-certificates,adduser", "bookworm",
             str(self.root), MIRROR],
            check=False, capture_output=True, text=True,
        )
        if made.returncode != 0:
            raise NoMachine(f"debootstrap: {made.stdout[-500:]}{made.stderr[-500:]}")
        # Debian's folders for logs and packages stay, its documentation as well: a package is looked at as it is installed.
        (self.root / "packages").mkdir()
        self._process = self._leader = None

    def fetch(self, package):
        """Downloads what a package depends on: in the container there is no way out."""
        shutil.copy(package, self.root / "tmp" / "wanted.deb")
        apt = ["chroot", str(self.root), "apt-get", *APT]
        subprocess.run([*apt, "update", "-qq"], check=True)
        subprocess.run(
            [*apt, "install", "-qq", "--download-only", "--no-install-recommends", "-y", "/tmp/wanted.deb"], check=True,
            stdout=subprocess.DEVNULL,
        )

    def __enter__(self):
        self._process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", "systemd-nspawn", "--quiet", f"--directory={self.root}", "--register=no",
             "--keep-unit", "--private-network", f"--bind-ro={self._packages}:/packages", "--boot"],
            stdin=subprocess.DEVNULL, stdout=open(self.root.with_suffix(".log"), "wb"), stderr=subprocess.STDOUT,
        )
        try:
            self.wait(lambda: self._find_leader() and self._state() != "offline")
            self.wait(lambda: self._state() in ("running", "degraded"))
        except (AssertionError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
            raise NoMachine(f"systemd-nspawn: {self.root.with_suffix('.log').read_text(errors='replace')[-1000:]}") from None
        return self

    def __exit__(self, *_):
        # What systemd takes as an order to shut down.
        os.kill(self._leader, signal.SIGRTMIN + 4)
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _state(self):
        return self.run("systemctl", "is-system-running", check=False)

    def _find_leader(self):
        """The first process of the container: the child of the program that keeps it."""
        path = pathlib.Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        children = path.read_text().split()
        self._leader = int(children[0]) if children else None
        return self._leader

    def run(self, *command, check=True, timeout=300):
        """Runs a command in the container as root; what it prints."""
        # Only some variables: those of the tests mean nothing there.
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(
            ["nsenter", f"--target={self._leader}", "--all", *command], capture_output=True, text=True, timeout=timeout,
            env=environment, check=False,
        )
        assert not check or done.returncode == 0, f"{command}:\n{done.stdout}\n{done.stderr}\n{self.journal()}"
        return (done.stdout + ("" if check else done.stderr)).strip()

    def journal(self):
        """The last lines of the service."""
        return self.run("journalctl", "--no-pager", "--lines=60", "--unit=tintype", check=False)

    def curl(self, *arguments, timeout=60):
        """What curl prints, from the container's network; None if it fails."""
        code, printed = self.try_curl(*arguments, timeout=timeout)
        return printed if code == 0 else None

    def try_curl(self, *arguments, timeout=60):
        """How curl ends, and what it prints."""
        done = subprocess.run(
            ["nsenter", f"--target={self._leader}", "--net", "curl", "--silent", "--show-error", "--max-time", str(timeout),
             *arguments],
            capture_output=True, text=True, check=False,
        )
        return done.returncode, done.stdout

    @staticmethod
    def wait(condition, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < end, f"after {seconds} seconds it isn't so"
            time.sleep(0.2)
