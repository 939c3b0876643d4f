"""PostgreSQL on three machines with automatic failover, and HAProxy before servers: by the files of Deployment/.

Each machine is a network namespace with two links: `cluster` leads to the other two machines, `servers` to the servers of
Tintype, which run outside. A link that is down swallows what is sent, as a cable that is pulled out does.
"""

import contextlib
import grp
import http.client
import itertools
import json
import os
import pathlib
import pwd
import random
import shutil
import signal
import string
import subprocess
import tempfile
import time

import pytest

from servers import Server, free_port

DEPLOYMENT = pathlib.Path(__file__).parents[2] / "Deployment"
PROGRAMS = ["/usr/bin/patroni", "/usr/bin/etcd", "/usr/sbin/haproxy"]

needs_cluster = pytest.mark.skipif(
    os.geteuid() != 0 or not all(map(os.path.exists, PROGRAMS)),
    reason="network namespaces need root, and ./test installs Patroni, etcd and HAProxy",
)

# How long the cluster may take for a step: two other tests and busy loops may run beside it.
PATIENCE = 120

# Times that are shorter than an operator's: a failover is over in ten seconds rather than forty.
HASTE = {
    "ttl": 8,
    "loop_wait": 1,
    "retry_timeout": 3,
    "postgresql": {
        "parameters": {
            "fsync": "off",
            "wal_sender_timeout": "4s",
            "wal_receiver_timeout": "4s",
            "wal_retrieve_retry_interval": "500ms",
        }
    },
}

STREAMING = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'"


def ip(*arguments, check=True):
    return subprocess.run(["ip", *arguments], check=check, capture_output=True, text=True)


def wait_until(is_so, what):
    """Asks again and again until something is so; the answer."""
    end = time.monotonic() + PATIENCE
    while not (answer := is_so()):
        assert time.monotonic() < end, f"not after {PATIENCE} seconds: {what}"
        time.sleep(0.1)
    return answer


def filled(name, places):
    """One of the operator's files with its places filled in."""
    return string.Template((DEPLOYMENT / name).read_text()).substitute(places)


class Certificates:
    """An authority of the test's own, and certificates that it signs."""

    def __init__(self, folder):
        self.folder = folder
        self.authority = folder / "ca.pem"
        self._openssl(
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=Tests", "-keyout", folder / "ca.key", "-out", self.authority,
        )

    def issue(self, name, addresses):
        """Makes a key and a certificate for addresses; the folder with both and the authority."""
        folder = self.folder / name
        folder.mkdir()
        shutil.copy(self.authority, folder)
        (folder / "names").write_text(f"subjectAltName={','.join(f'IP:{one}' for one in addresses)}")
        self._openssl(
            "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}",
            "-keyout", folder / "machine.key", "-out", folder / "request",
        )
        self._openssl(
            "x509", "-req", "-in", folder / "request", "-CA", self.authority, "-CAkey", self.folder / "ca.key",
            "-CAcreateserial", "-days", "2", "-extfile", folder / "names", "-out", folder / "machine.pem",
        )
        return folder

    @staticmethod
    def _openssl(*arguments):
        subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Networks:
    """The two networks, of addresses that are for tests (RFC 2544)."""

    def __init__(self):
        for _ in range(100):
            self.number = random.randrange(1, 255)
            # A bridge's name is taken by one test at a time.
            if ip("link", "add", f"tts{self.number}", "type", "bridge", check=False).returncode == 0:
                break
        ip("link", "add", f"ttc{self.number}", "type", "bridge")
        self.cluster, self.servers = f"198.18.{self.number}", f"198.19.{self.number}"
        for bridge in self._bridges:
            ip("link", "set", bridge, "up")
        ip("address", "add", f"{self.servers}.254/24", "dev", self._bridges[0])

    @property
    def _bridges(self):
        return [f"tts{self.number}", f"ttc{self.number}"]

    def remove(self):
        for bridge in self._bridges:
            ip("link", "delete", bridge)


class Machine:
    """One of the three: its etcd, its Patroni with PostgreSQL, and its links."""

    def __init__(self, number, networks, folder, certificates):
        self.name = f"db{number}"
        self.number = number
        self.address = f"{networks.servers}.{number}"
        self.cluster_address = f"{networks.cluster}.{number}"
        self.folder = folder / self.name
        self.folder.mkdir()
        self._space = f"tintype{networks.number}-{number}"
        self._network = networks.number
        self._processes = {}
        self._certificates = certificates.issue(self.name, [self.address, self.cluster_address])
        ip("netns", "add", self._space)
        ip("-n", self._space, "link", "set", "lo", "up")
        for kind, address in [("servers", self.address), ("cluster", self.cluster_address)]:
            ip("link", "add", self._port(kind), "type", "veth", "peer", "name", kind, "netns", self._space)
            ip("link", "set", self._port(kind), "master", f"tt{kind[0]}{networks.number}", "up")
            ip("-n", self._space, "address", "add", f"{address}/24", "dev", kind)
            ip("-n", self._space, "link", "set", kind, "up")

    def _port(self, link):
        """The outer end of a link."""
        return f"tt{link[0]}{self._network}.{self.number}"

    def prepare(self, machines, networks):
        """Writes the files of Deployment/ with this machine's places."""
        places = {
            "NAME": self.name,
            "CLUSTER_ADDRESS": self.cluster_address,
            "CLUSTER_NETWORK": f"{networks.cluster}.0/24",
            "SERVER_NETWORK": f"{networks.servers}.0/24",
            "ETCD_HOSTS": ",".join(f"{one.cluster_address}:2379" for one in machines),
            "ETCD_PEERS": ",".join(f"{one.name}=https://{one.cluster_address}:2380" for one in machines),
            "ETCD_FOLDER": self.folder / "etcd",
            "FOLDER": self.folder,
            "SOCKETS": self.folder,
            "CERTIFICATES": self._certificates,
            "REPLICATION_PASSWORD": "replication",
            "REWIND_PASSWORD": "rewinding",
        }
        (self.folder / "patroni.yml").write_text(filled("patroni.yml", places))
        lines = filled("etcd.env", places).splitlines()
        self._etcd = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
        for folder in (self.folder, self._certificates):
            for path in [folder, *folder.iterdir()]:
                shutil.chown(path, "postgres", "postgres")
                path.chmod(0o700 if path.is_dir() else 0o600)

    def start(self):
        self._run("etcd", "etcd", environment=self._etcd)
        self.start_patroni()

    def start_patroni(self):
        self._run("patroni", "/usr/bin/patroni", str(self.folder / "patroni.yml"))

    def _inside(self, *command):
        """A command on the machine, of the user postgres."""
        user, group = pwd.getpwnam("postgres").pw_uid, grp.getgrnam("postgres").gr_gid
        return [
            "ip", "netns", "exec", self._space, "setpriv", "--reuid", str(user), "--regid", str(group), "--clear-groups",
            "--pdeathsig", "KILL", *command,
        ]

    def _run(self, name, *command, environment=()):
        with open(self.folder / f"{name}.log", "ab") as log:
            self._processes[name] = subprocess.Popen(
                self._inside(*command), stdout=log, stderr=log, cwd="/",
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "HOME": str(self.folder), **dict(environment)},
            )

    def patronictl(self, *arguments):
        """Runs Patroni's command for operators; what it prints."""
        command = self._inside("patronictl", "-c", str(self.folder / "patroni.yml"), *arguments)
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd="/", check=False)
        return done.stdout if done.returncode == 0 else ""

    def psql(self, sql, database="postgres", timeout=10):
        """The answer of the machine's own PostgreSQL; None without one."""
        command = self._inside(
            "psql", "--no-psqlrc", "-qAt", "-h", str(self.folder), "-U", "postgres", "-c", sql, database
        )
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, timeout=timeout, cwd="/", check=False,
                env={**os.environ, "PGCONNECT_TIMEOUT": "3"},
            )
        except subprocess.TimeoutExpired:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    @property
    def is_primary(self):
        return self.psql("SELECT pg_is_in_recovery()") == "f"

    # What happens to machines.

    def kill_database(self):
        """Ends Patroni and PostgreSQL at once, as a loss of power does."""
        self._processes.pop("patroni").kill()
        for pid in self._pids():
            with contextlib.suppress(OSError):
                if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() != "etcd":
                    os.kill(pid, signal.SIGKILL)
        wait_until(lambda: self.psql("SELECT 1") is None, "the end of PostgreSQL")

    def _pids(self):
        return map(int, ip("netns", "pids", self._space, check=False).stdout.split())

    def cut(self, link):
        """Pulls a cable out."""
        ip("link", "set", self._port(link), "down")

    def mend(self, link):
        ip("link", "set", self._port(link), "up")

    def slow(self, link, rate):
        """Lets so many bits a second through, such as "200kbit", in both directions."""
        shaping = ["root", "tbf", "rate", rate, "burst", "4kb", "latency", "300ms"]
        subprocess.run(["tc", "qdisc", "replace", "dev", self._port(link), *shaping], check=True)
        subprocess.run(["tc", "-n", self._space, "qdisc", "replace", "dev", link, *shaping], check=True)

    def hasten(self, link):
        subprocess.run(["tc", "qdisc", "delete", "dev", self._port(link), "root"], check=True)
        subprocess.run(["tc", "-n", self._space, "qdisc", "delete", "dev", link, "root"], check=True)

    def remove(self):
        while pids := list(self._pids()):
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        for process in self._processes.values():
            process.wait()
        ip("netns", "delete", self._space)


class Cluster:
    """Three machines, of which one takes writes. `with Cluster() as cluster:` starts and removes them."""

    def __init__(self):
        self._ends = contextlib.ExitStack()
        folder = pathlib.Path(self._ends.enter_context(tempfile.TemporaryDirectory(prefix="tt-", dir="/tmp")))
        folder.chmod(0o755)
        self.folder = folder
        try:
            self._build(folder)
        except BaseException:
            self._ends.close()
            raise

    def _build(self, folder):
        (folder / "tls").mkdir()
        (folder / "tls").chmod(0o755)
        self.certificates = Certificates(folder / "tls")
        networks = Networks()
        self._ends.callback(networks.remove)
        self.machines = []
        for number in (1, 2, 3):
            self.machines.append(Machine(number, networks, folder, self.certificates))
            self._ends.callback(self.machines[-1].remove)
        for machine in self.machines:
            machine.prepare(self.machines, networks)
            machine.start()
        primary = wait_until(lambda: self.primary, "a primary")
        (folder / "haste.json").write_text(json.dumps(HASTE))
        (folder / "haste.json").chmod(0o644)
        wait_until(
            lambda: primary.patronictl("edit-config", "--force", "--apply", str(folder / "haste.json")), "its settings"
        )
        self.wait_until_whole()
        # As Operating.md says.
        assert primary.psql("CREATE USER tintype PASSWORD 'the password'") is not None
        self.empty()
        self.address = self.address_at(*self.machines)
        self.certificates.authority.chmod(0o644)

    def empty(self):
        """Makes the database again, for the next test."""
        for sql in [
            "DROP DATABASE IF EXISTS tintype WITH (FORCE)",
            "CREATE DATABASE tintype OWNER tintype TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'",
        ]:
            assert self.primary.psql(sql, timeout=PATIENCE) is not None
        # libpq looks at no further machine when one says that there is no such database.
        oid = self.primary.psql("SELECT oid FROM pg_database WHERE datname = 'tintype'")
        has = f"SELECT 1 FROM pg_database WHERE oid = {oid}"
        wait_until(lambda: all(one.psql(has) for one in self.machines), "the database on all machines")

    def address_at(self, *machines):
        """The address of the database at some of the machines."""
        hosts = ",".join(one.address for one in machines)
        return f"postgres://tintype@{hosts}/tintype?sslrootcert={self.certificates.authority}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ends.close()

    @property
    def primary(self):
        """The machine that takes writes, for as much as all machines together say; None when none does."""
        return next((one for one in self.machines if one.is_primary), None)

    @property
    def members(self):
        """What Patroni's command says of the machines, by their names; empty without an answer."""
        for machine in self.machines:
            if answer := machine.patronictl("list", "--format", "json"):
                return {one["Member"]: one for one in json.loads(answer)}
        return {}

    @property
    def synchronous(self):
        """The standby that may take over; None without one."""
        members = self.members
        return next((one for one in self.machines if members.get(one.name, {}).get("Role") == "Sync Standby"), None)

    @property
    def is_whole(self):
        """Whether one machine takes writes, both others have all of them, and one may take over."""
        members = self.members.values()
        return (
            sorted(one["Role"] for one in members) == ["Leader", "Replica", "Sync Standby"]
            and all(one["State"] in ("running", "streaming") for one in members)
            # One that has just come back has none yet.
            and len({one.get("TL") for one in members}) == 1
            and any(one.psql(STREAMING) == "2" for one in self.machines)
        )

    def wait_until_whole(self):
        wait_until(lambda: self.is_whole, "two standbys, one of which may take over")


class Front:
    """HAProxy before three servers, where people go as to a server."""

    enter = Server.enter

    def __init__(self, folder, nodes):
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        places = {"BIND": f"127.0.0.1:{self.port}"}
        for name, node in zip(("ONE", "TWO", "THREE"), itertools.chain(nodes), strict=True):
            places[name] = f"127.0.0.1:{node.port}"
        self._file = folder / "haproxy.cfg"
        self._file.write_text(filled("haproxy.cfg", places))
        with open(folder / "haproxy.log", "wb") as log:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "/usr/sbin/haproxy", "-db", "-f", str(self._file)], stdout=log, stderr=log
            )
        wait_until(self._answers, "an answer from HAProxy")

    def _answers(self):
        assert self._process.poll() is None, "HAProxy has ended"
        connection = http.client.HTTPConnection("localhost", self.port, timeout=5)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def close(self):
        self._process.terminate()
        self._process.wait()
