"""A push service for tests (RFC 8030): it checks each push as those of browsers do, decrypts it, and answers as it should.

    with PushService() as service:
        phone = service.device()
        subscription = ana.call("POST", "/api/v1/push/subscription", phone.form(), FORM)
        phone.server_key = subscription["server_key"]
        assert phone.next().data["title"] == "ben"

It shares no code with the server under test: it checks tokens with `cryptography` and decrypts with `http_ece`. What is
wrong with a push is answered as browsers' services answer it, and is an error at the end of the `with`.
"""

import base64
import binascii
import collections
import dataclasses
import http.server
import json
import re
import secrets
import socket
import threading
import time
import urllib.parse

import http_ece
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

FORM = "application/x-www-form-urlencoded"
# Seconds until a test gives up on a push that should come.
PATIENCE = 30
# The largest body that every push service takes (RFC 8030, section 7.2), and the longest life of a token (RFC 8292).
LARGEST = 4096
TOKEN_LIFE = 24 * 3600
URGENCIES = {"very-low", "low", "normal", "high"}

# How a device's service answers. Without a status, the connection ends without an answer. `after` is an event that the
# answer waits for.
Answer = collections.namedtuple("Answer", "status retry_after after", defaults=(201, None, None))
# A request for a device: when it came (`time.monotonic()`), and the status of its answer.
Try = collections.namedtuple("Try", "at status")


class Refused(Exception):
    """Something that no push service takes."""

    def __init__(self, status, reason):
        super().__init__(reason)
        self.status = status


@dataclasses.dataclass
class Push:
    """A message that the service took, decrypted."""

    at: float
    headers: dict
    # As it came, and decrypted.
    body: bytes
    text: bytes

    @property
    def data(self):
        return json.loads(self.text)

    @property
    def topic(self):
        return self.headers.get("topic")

    @property
    def ttl(self):
        return int(self.headers["ttl"])


class Device:
    """A browser or an app with a subscription: its keys, and what has come for it."""

    def __init__(self, service, private_key, secret):
        self.private_key, self.secret = private_key, secret
        self.endpoint = f"{service.url}/push/{secrets.token_urlsafe(16)}"
        # The only key whose tokens the service takes; until it is set, any.
        self.server_key = None
        # The answers to the next requests, one each, and to all after them.
        self.answers, self.answer = collections.deque(), Answer()
        self.pushes, self.tries = [], []
        self._changed, self._taken = threading.Condition(), 0
        self._waiting = []

    @property
    def p256dh(self):
        return encoded(self.private_key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    @property
    def auth(self):
        return encoded(self.secret)

    def form(self, is_standard=True, **alerts):
        """The form that subscribes it: `device.form(favourite=False)`."""
        return urllib.parse.urlencode({
            "subscription[endpoint]": self.endpoint, "subscription[keys][p256dh]": self.p256dh,
            "subscription[keys][auth]": self.auth, "subscription[standard]": str(is_standard).lower(),
            **{f"data[alerts][{name}]": str(value).lower() for name, value in alerts.items()},
        }).encode()

    def next(self, timeout=PATIENCE):
        """The next push, once it is there."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.pushes) > self._taken, timeout), f"no push; {self.tries}"
            self._taken += 1
            return self.pushes[self._taken - 1]

    def until(self, condition, timeout=PATIENCE):
        """Takes pushes until one meets a condition; all that were taken, that one last."""
        taken = []
        while not taken or not condition(taken[-1]):
            taken.append(self.next(timeout))
        return taken

    def wait_for_tries(self, count, timeout=PATIENCE):
        """Waits until so many requests were answered, or are being held."""
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.tries) >= count, timeout), self.tries

    def collect(self):
        """What has come since it was last collected, as a phone gets it that was out of reach: the last of each topic."""
        with self._changed:
            waiting, self._waiting = self._waiting, []
            self._taken = len(self.pushes)
            return waiting

    def next_answer(self):
        with self._changed:
            return self.answers.popleft() if self.answers else self.answer

    def note(self, at, status):
        with self._changed:
            self.tries.append(Try(at, status))
            self._changed.notify_all()

    def accept(self, push):
        with self._changed:
            # RFC 8030, section 5.4: a message replaces one of the same topic.
            if push.topic:
                self._waiting = [one for one in self._waiting if one.topic != push.topic]
            self._waiting.append(push)
            self.pushes.append(push)
            self._changed.notify_all()


class PushService(http.server.ThreadingHTTPServer):
    """The service, on loopback. `with PushService() as service:` runs it. Servers bound what they send to one host, so
    each has its own address."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        # Linux has all of 127.0.0.0/8 on loopback.
        host = f"127.{secrets.randbelow(255) + 1}.{secrets.randbelow(256)}.{secrets.randbelow(254) + 1}"
        super().__init__((host, 0), Handler)
        self.url = f"http://{host}:{self.server_port}"
        self.problems = []
        self._devices, self._is_open = {}, True

    def device(self, private_value=None, secret=None):
        """A new device. An app may have made its keys itself: a number, and 16 bytes."""
        key = ec.derive_private_key(private_value, ec.SECP256R1()) if private_value else None
        device = Device(self, key or ec.generate_private_key(ec.SECP256R1()), secret or secrets.token_bytes(16))
        self._devices[device.endpoint.removeprefix(self.url)] = device
        return device

    @property
    def devices(self):
        """All devices, the oldest first."""
        return list(self._devices.values())

    def wait_for_tries(self, count):
        """Waits until so many of its devices have been sent something."""
        end, pause = time.monotonic() + PATIENCE, threading.Event()
        while sum(bool(device.tries) for device in self.devices) < count:
            assert time.monotonic() < end
            pause.wait(0.05)

    def find(self, path):
        return self._devices.get(path)

    def __enter__(self):
        self._run()
        return self

    def __exit__(self, failure, *_):
        for device in self.devices:
            for answer in [device.answer, *device.answers]:
                if answer.after:
                    answer.after.set()
        if self._is_open:
            self.close()
        assert failure or not self.problems, self.problems

    def close(self):
        """Refuses connections."""
        self._is_open = False
        self.shutdown()
        self.server_close()

    def open_again(self):
        """Takes connections again, at the same address."""
        self.socket = socket.socket(self.address_family, self.socket_type)
        self.server_bind()
        self.server_activate()
        self._is_open = True
        self._run()

    def _run(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def is_open(self):
        return self._is_open

    def handle_error(self, request, client_address):
        """A server that is killed breaks its connections, which is nothing to report."""


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        at = time.monotonic()
        device = self.server.find(self.path)
        length = self.headers["Content-Length"]
        if not length or not self.server.is_open:
            self.close_connection = True
        elif device is None:
            self.rfile.read(int(length))
            self.reply(404)
        else:
            self.take(device, at, self.rfile.read(int(length)))

    def take(self, device, at, body):
        headers = {name.lower(): value for name, value in self.headers.items()}
        try:
            check_form(headers, body)
            check_token(headers, self.server.url, device.server_key)
            text = decrypt(headers, body, device)
        except Refused as problem:
            self.server.problems.append(str(problem))
            device.note(at, problem.status)
            return self.reply(problem.status, text=str(problem))
        answer = device.next_answer()
        if answer.after and not answer.after.is_set():
            device.note(at, None)
            answer.after.wait()
        else:
            device.note(at, answer.status)
        if answer.status is None:
            self.close_connection = True
            return
        # What is announced twice must not be seen as once: it counts before the answer, which may be lost.
        if answer.status == 201:
            device.accept(Push(at, headers, body, text))
        self.reply(answer.status, answer.retry_after)

    def reply(self, status, retry_after=None, text=""):
        body = text.encode()
        self.send_response(status)
        if status == 201:
            self.send_header("Location", f"{self.server.url}/message/{secrets.token_urlsafe(16)}")
        if retry_after is not None:
            self.send_header("Retry-After", str(retry_after))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


# ---------------------------------------------------------------- what a push must be


def check_form(headers, body):
    """Checks all but the token and the encryption (RFC 8030, sections 5.2 to 5.4)."""
    if not re.fullmatch(r"\d{1,10}", headers.get("ttl", "")):
        raise Refused(400, f"TTL is {headers.get('ttl')!r}")
    if "topic" in headers and not re.fullmatch(r"[A-Za-z0-9_-]{1,32}", headers["topic"]):
        raise Refused(400, f"Topic is {headers['topic']!r}")
    if headers.get("urgency", "normal") not in URGENCIES:
        raise Refused(400, f"Urgency is {headers['urgency']!r}")
    if len(body) > LARGEST:
        raise Refused(413, f"a body of {len(body)} bytes")


def check_token(headers, origin, server_key):
    """Checks who pushes (RFC 8292; for `aesgcm` in the form of its first draft, as Mastodon's apps know it)."""
    scheme, _, credentials = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "vapid":
        parts = parameters(credentials, ",")
        token, key = parts.get("t", ""), parts.get("k", "")
    elif scheme == "WebPush" and headers.get("content-encoding") == "aesgcm":
        token, key = credentials, parameters(headers.get("crypto-key", ""), ";").get("p256ecdsa", "")
    else:
        raise Refused(401, f"Authorization is {scheme!r} for {headers.get('content-encoding')!r}")
    if server_key and key.rstrip("=") != server_key.rstrip("="):
        raise Refused(403, "signed by a key that isn't the subscription's")
    signed, _, signature = token.rpartition(".")
    try:
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(key))
        raw = decoded(signature)
        if len(raw) != 64:
            raise Refused(403, f"a signature of {len(raw)} bytes")
        numbers = (int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        point.verify(utils.encode_dss_signature(*numbers), signed.encode(), ec.ECDSA(hashes.SHA256()))
        head, claims = (json.loads(decoded(part)) for part in signed.split("."))
    except (InvalidSignature, ValueError) as error:
        raise Refused(403, f"not a signed token: {error!r}") from None
    if head.get("alg") != "ES256" or head.get("typ", "JWT") != "JWT":
        raise Refused(403, f"a token with the head {head}")
    if claims.get("aud") != origin:
        raise Refused(403, f"a token for {claims.get('aud')!r}, not {origin}")
    left = claims.get("exp", 0) - time.time()
    if not 0 < left <= TOKEN_LIFE:
        raise Refused(403, f"a token for another {left:.0f} s")
    if not re.match(r"(mailto:[^@\s]+@[^@\s]+|https?://[^\s/]+\S*)$", str(claims.get("sub"))):
        raise Refused(403, f"a token of {claims.get('sub')!r}")


def decrypt(headers, body, device):
    """The plain text (RFC 8291; for `aesgcm`, its fourth draft)."""
    encoding = headers.get("content-encoding")
    keys = {"private_key": device.private_key, "auth_secret": device.secret}
    try:
        if encoding == "aes128gcm":
            # RFC 8291, section 4: one record, and an uncompressed point as the name of the key.
            if len(body) < 86 or body[20] != 65 or len(body) - 86 > int.from_bytes(body[16:20]):
                raise Refused(400, "not one record of aes128gcm with a key of 65 bytes")
            return http_ece.decrypt(body, version=encoding, **keys)
        if encoding == "aesgcm":
            salt = decoded(parameters(headers.get("encryption", ""), ";").get("salt", ""))
            key = decoded(parameters(headers.get("crypto-key", ""), ";").get("dh", ""))
            return http_ece.decrypt(body, salt=salt, dh=key, version=encoding, **keys)
    except (http_ece.ECEException, ValueError) as error:
        raise Refused(400, f"doesn't decrypt: {error!r}") from None
    raise Refused(415, f"Content-Encoding is {encoding!r}")


def parameters(text, separator):
    """What a header says in the form `name=value`."""
    pairs = (one.strip().partition("=") for one in text.split(separator))
    return {name: value for name, _, value in pairs}


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    """The bytes of base64url (RFC 4648, section 5), for which padding is optional."""
    text = text.rstrip("=")
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise binascii.Error(f"{text!r} is not base64url")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
