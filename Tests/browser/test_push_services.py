"""Push services that are slow, busy or gone, and a server that is killed before it has pushed."""

import json
import random
import secrets
import string
import threading
import time
import urllib.error
import urllib.request

import http_ece
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from chats import chat_of
from people import befriend
from push_service import Answer, PushService, decoded, encoded
from pushes import SERVER_FLAGS as SERVER_FLAGS
from pushes import SOON, settled, subscribe, write

# The devices of a push service that doesn't answer.
STUCK = 70
# The rounds of a random test, and the messages whose encryption is compared.
KILLS = 8
COMPARED = 50


# ---------------------------------------------------------------- slow, busy, failing


@pytest.mark.long
@pytest.mark.parametrize("code", [429, 503])
def test_a_push_waits_for_as_long_as_it_was_told(push_service, accounts, code):
    ana, bea = accounts("ana", "bea")
    device = subscribe(ana, push_service)
    device.answers.append(Answer(code, retry_after=4))
    write(bea, chat_of(ana, bea), "In a while")
    assert device.next().data["body"] == "In a while"
    first, second = device.tries
    assert 4 <= second.at - first.at < 15


@pytest.mark.long
@pytest.mark.parametrize("answer", [Answer(500), Answer(502), Answer(None)])
def test_a_push_is_tried_again_after_a_failure(push_service, accounts, answer):
    ana, bea = accounts("ana", "bea")
    device = subscribe(ana, push_service)
    device.answers.extend([answer, answer])
    write(bea, chat_of(ana, bea), "At the third go")
    assert device.next(60).data["body"] == "At the third go"
    assert len(device.tries) == 3


@pytest.mark.long
def test_a_push_that_is_refused_as_too_large_is_given_up_and_the_next_one_goes_out(push_service, accounts):
    ana, bea = accounts("ana", "bea")
    chat = chat_of(ana, bea)
    device = subscribe(ana, push_service)
    device.answers.append(Answer(413))
    write(bea, chat, "Too large")
    device.wait_for_tries(1)
    settled(ana)
    write(bea, chat, "Small")
    assert device.next(SOON).data["body"] == "Small"
    assert len(device.tries) == 2


@pytest.mark.long
def test_a_slow_push_service_holds_up_no_other(push_service, accounts):
    ana, bea = accounts("ana", "bea")
    chat = chat_of(ana, bea)
    goes = threading.Event()
    with PushService() as slow:
        # More devices than the server pushes to at once, and some of them are hers.
        owners = [ana.again() for _ in range(5)]
        for _ in range(STUCK):
            owners += accounts("friend")
            befriend(ana, owners[-1])
        stuck = [subscribe(owner, slow) for owner in owners]
        for device in stuck:
            device.answer = Answer(after=goes)
        for owner in owners[5:]:
            write(ana, chat_of(ana, owner), "Who is there?")
        slow.wait_for_tries(1)
        device = subscribe(ana, push_service)
        for number in range(5):
            began = time.monotonic()
            write(bea, chat, f"Number {number}")
            push = device.until(lambda push, number=number: push.data["body"] == f"Number {number}", SOON)[-1]
            assert push.at - began < SOON
        assert not any(one.pushes for one in stuck)
        goes.set()
        for one in stuck[5:]:
            assert one.next(120).data["body"] == "Who is there?"


# ---------------------------------------------------------------- kills


@pytest.fixture
def killed(tmp_path, start, push_service):
    """A server to be killed, with a friend who writes, the chat, and the device on which that is announced."""
    server = start(tmp_path / "data", *SERVER_FLAGS, "--log-level", "error")
    ana, bea = server.person("ana"), server.person("bea")
    befriend(ana, bea)
    return server, ana, bea, chat_of(ana, bea), subscribe(ana, push_service)


@pytest.mark.long
def test_a_message_is_announced_after_a_kill_when_the_push_service_was_away(killed, push_service):
    server, ana, bea, chat, device = killed
    push_service.close()
    write(bea, chat, "Still there")
    server.kill()
    push_service.open_again()
    server.start()
    assert device.next(60).data["body"] == "Still there"
    settled(ana)
    assert len(device.pushes) <= 2


@pytest.mark.long
def test_a_message_is_announced_after_a_kill_when_the_push_service_had_not_answered(killed):
    server, ana, bea, chat, device = killed
    over = threading.Event()
    device.answer = Answer(None, after=over)
    write(bea, chat, "Still there")
    device.wait_for_tries(1)
    server.kill()
    device.answer = Answer()
    over.set()
    server.start()
    assert device.next(60).data["body"] == "Still there"
    settled(ana)
    assert len(device.pushes) <= 2


@pytest.mark.long
def test_messages_are_announced_once_or_twice_at_whatever_moment_the_server_is_killed(killed):
    server, ana, bea, chat, device = killed
    for kill in range(KILLS):
        write(bea, chat, f"Round {kill}")
        # The moment itself is what is random here; nothing waits for it.
        time.sleep(random.uniform(0, 0.1) if kill else 0)
        server.kill()
        server.start()
        if f"Round {kill}" not in bodies(device):
            device.until(lambda push, kill=kill: push.data["body"] == f"Round {kill}", 60)
        settled(ana)
        assert 1 <= bodies(device).count(f"Round {kill}") <= 2
    server.command("check")


def bodies(device):
    return [push.data["body"] for push in device.pushes]


# ---------------------------------------------------------------- encryption


@pytest.mark.long
@pytest.mark.parametrize("is_standard", [True, False])
def test_another_implementation_decrypts_what_is_pushed(push_service, accounts, is_standard):
    """Messages of random lengths and characters, to keys of their own."""
    ana, bea = accounts("ana", "bea")
    chat, chance = chat_of(ana, bea), random.Random(29)
    for _ in range(COMPARED):
        device = subscribe(ana, push_service, is_standard=is_standard)
        text = "".join(chance.choices(string.printable.strip() + "äж’🧊", k=chance.randrange(1, 600)))
        write(bea, chat, text)
        # The message before comes again where the server knew nothing of its arrival when the next device took its place.
        pushes = device.until(lambda push, text=text: push.data["body"].removesuffix("…").strip() in text, SOON)
        assert len(pushes) <= 2
        for push in pushes:
            assert push.headers["content-encoding"] == ("aes128gcm" if is_standard else "aesgcm")
            assert len(push.text) <= 3000


# ---------------------------------------------------------------- the tests' own push service


class Sender:
    """A server that pushes as RFC 8291 and RFC 8292 say, but for what a test changes."""

    def __init__(self, service, device):
        self.service, self.device = service, device
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.point = self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        self.claims = {"aud": service.url, "exp": int(time.time()) + 3600, "sub": "mailto:ana@example.com"}
        self.headers = {"TTL": "60", "Content-Encoding": "aes128gcm", "Topic": "one", "Urgency": "high"}
        self.text, self.secret = b'{"title": "ana"}', device.secret

    def push(self):
        """The status of the answer."""
        body = http_ece.encrypt(
            self.text, private_key=ec.generate_private_key(ec.SECP256R1()), dh=decoded(self.device.p256dh),
            auth_secret=self.secret, version="aes128gcm",
        )
        signed = ".".join(
            encoded(json.dumps(part).encode()) for part in [{"typ": "JWT", "alg": "ES256"}, self.claims]
        )
        pair = utils.decode_dss_signature(self.key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        token = f"{signed}.{encoded(b''.join(number.to_bytes(32) for number in pair))}"
        headers = {"Authorization": f"vapid t={token}, k={encoded(self.point)}", **self.headers}
        request = urllib.request.Request(self.device.endpoint, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code


def test_the_push_service_of_the_tests_takes_a_good_push_and_refuses_a_bad_one():
    """What the other tests trust in."""
    now = int(time.time())
    bad = [
        (400, lambda sender: sender.headers.pop("TTL")),
        (400, lambda sender: sender.headers.update(Topic="not a topic")),
        (400, lambda sender: sender.headers.update(Topic="a" * 33)),
        (400, lambda sender: sender.headers.update(Urgency="now")),
        (400, lambda sender: setattr(sender, "secret", secrets.token_bytes(16))),
        (403, lambda sender: sender.claims.update(aud="https://example.com")),
        (403, lambda sender: sender.claims.update(exp=now - 1)),
        (403, lambda sender: sender.claims.update(exp=now + 25 * 3600)),
        (403, lambda sender: sender.claims.pop("sub")),
        (403, lambda sender: setattr(sender.device, "server_key", encoded(secrets.token_bytes(65)))),
        (403, lambda sender: setattr(sender, "key", ec.generate_private_key(ec.SECP256R1()))),
        (413, lambda sender: setattr(sender, "text", b"a" * 4010)),
        (415, lambda sender: sender.headers.update({"Content-Encoding": "gzip"})),
    ]
    with PushService() as service:
        for text in [b'{"title": "ben"}', b'{"title": "ana"}']:
            sender = Sender(service, service.devices[0] if service.devices else service.device())
            sender.text = text
            assert sender.push() == 201
        device = service.devices[0]
        assert [device.next().data["title"] for _ in range(2)] == ["ben", "ana"]
        assert [push.data["title"] for push in device.collect()] == ["ana"]
        for status, spoil in bad:
            sender = Sender(service, service.device())
            spoil(sender)
            assert sender.push() == status
            assert not sender.device.pushes
        assert len(service.problems) == len(bad)
        service.problems.clear()
        device.answers.extend([Answer(410), Answer(429, retry_after=3)])
        assert [Sender(service, device).push() for _ in range(3)] == [410, 429, 201]
        service.close()
        with pytest.raises(urllib.error.URLError):
            Sender(service, device).push()
        service.open_again()
        assert Sender(service, device).push() == 201
