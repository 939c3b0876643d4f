"""How long a message takes from one client to another over Tintype, over Prosody, an XMPP server that keeps its archive
in files, and over a relay that does nothing but write and confirm: the same client for all, one pair, a pause after each
message. Prosody's archive is written and not synced, so that a message it has delivered can be lost with the power;
Tintype's is on the disk."""
import base64
import contextlib
import multiprocessing
import os
import pathlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterator

PAUSE = 0.005


class Line:
    """A connection that is read up to some text."""

    def __init__(self, port: int):
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=30)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, text: str) -> None:
        self._socket.sendall(text.encode())

    def read(self, until: str) -> None:
        received, end = b"", until.encode()
        while end not in received:
            piece = self._socket.recv(65536)
            assert piece, f"the server closed the connection before {until}: {received[-300:]}"
            received += piece


def milliseconds(send: Callable[[str], None], arrive: Callable[[str], None], done: Callable[[], None],
                 seconds: float) -> list[float]:
    """What each message takes until it has arrived, ascending."""
    times, end, number = [], time.perf_counter() + seconds, 0
    while time.perf_counter() < end:
        number += 1
        text = f"m{number}-"
        began = time.perf_counter()
        send(text)
        arrive(text)
        times.append((time.perf_counter() - began) * 1000)
        done()
        time.sleep(PAUSE)
    return sorted(times)


def over_tintype(port: int, sender: str, receiver: str, chat: str, seconds: float) -> list[float]:
    """Arrivals at the event stream of `receiver`; both are session cookies."""
    stream, requests = Line(port), Line(port)
    stream.send(f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nCookie: tintype_session={receiver}\r\n\r\n")
    stream.read("tintype.counts")

    def send(text: str) -> None:
        body = f'{{"text":"{text}"}}'
        requests.send(
            f"POST /api/v1/chats/{chat}/messages HTTP/1.1\r\nHost: localhost\r\nCookie: tintype_session={sender}\r\n"
            "Sec-Fetch-Site: same-origin\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}")

    return milliseconds(
        send, lambda text: stream.read(f'"text":"{text}"'), lambda: requests.read('"idempotency_key"'), seconds)


@contextlib.contextmanager
def prosody(folder: pathlib.Path) -> Iterator[int]:
    """Runs Prosody with accounts `ana` and `bea`; its port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    accounts = folder / "data/localhost/accounts"
    accounts.mkdir(parents=True)
    for name in ("ana", "bea"):
        (accounts / f"{name}.dat").write_text('return { ["password"] = "secret" };\n')
    (folder / "prosody.cfg.lua").write_text(f"""
        run_as_root = true
        pidfile = "{folder}/pid"
        data_path = "{folder}/data"
        log = {{ error = "{folder}/log" }}
        interfaces = {{ "127.0.0.1" }}
        c2s_ports = {{ {port} }}
        modules_enabled = {{ "saslauth", "roster", "mam" }}
        modules_disabled = {{ "s2s" }}
        c2s_require_encryption = false
        allow_unencrypted_plain_auth = true
        authentication = "internal_plain"
        storage = "internal"
        default_archive_policy = true
        VirtualHost "localhost"
        """)
    server = subprocess.Popen(["prosody", "-F", "--config", str(folder / "prosody.cfg.lua")], stdout=subprocess.DEVNULL)
    try:
        while True:
            with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                break
            assert server.poll() is None, "Prosody has ended"
            time.sleep(0.05)
        yield port
    finally:
        server.terminate()
        server.wait(timeout=30)


def logged_in(port: int, name: str) -> Line:
    """An XMPP stream (RFC 6120, 6121) of somebody who is present."""
    line = Line(port)
    opening = "<stream:stream to='localhost' xmlns='jabber:client' xmlns:stream='http://etherx.jabber.org/streams' version='1.0'>"
    password = base64.b64encode(f"\0{name}\0secret".encode()).decode()
    for text, answer in (
        (opening, "</stream:features>"),
        (f"<auth xmlns='urn:ietf:params:xml:ns:xmpp-sasl' mechanism='PLAIN'>{password}</auth>", "<success"),
        (opening, "</stream:features>"),
        ("<iq type='set' id='bind'><bind xmlns='urn:ietf:params:xml:ns:xmpp-bind'/></iq>", "</iq>"),
        ("<presence/>", "<presence"),
    ):
        line.send(text)
        line.read(answer)
    return line


def over_prosody(folder: pathlib.Path, seconds: float) -> list[float]:
    """Arrivals at a client of Prosody."""
    with prosody(folder) as port:
        sender, receiver = logged_in(port, "ana"), logged_in(port, "bea")
        return milliseconds(
            lambda text: sender.send(
                f"<message to='bea@localhost' type='chat' id='{text}'><body>{text}</body></message>"),
            lambda text: receiver.read(f"<body>{text}</body>"), lambda: None, seconds)


# What the log of Tintype's database grows by with one message: nine pages with their headers.
RELAY_BYTES = 9 * 4120


def relay(listener: socket.socket, path: pathlib.Path) -> None:
    """Passes on what one connection sends to another, each time after a write to the disk was confirmed."""
    sender, receiver = (listener.accept()[0] for _ in range(2))
    receiver.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with open(path, "wb", buffering=0) as file:
        while message := sender.recv(65536):
            file.write(bytes(RELAY_BYTES))
            os.fdatasync(file.fileno())
            receiver.sendall(message)


def over_relay(path: pathlib.Path, seconds: float) -> list[float]:
    """Arrivals over a program of one thread that does nothing but ``relay``: the least that the machine takes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        process = multiprocessing.Process(target=relay, args=(listener, path), daemon=True)
        process.start()
        sender, receiver = (Line(listener.getsockname()[1]) for _ in range(2))
        try:
            return milliseconds(sender.send, receiver.read, lambda: None, seconds)
        finally:
            process.terminate()
            process.join()
