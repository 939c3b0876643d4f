"""What tests of push do with a server: subscribe devices, write, and wait until all is sent."""

import threading
import time

from push_service import FORM

SERVER_FLAGS = [
    "--sign-up", "open", "--private-addresses", "yes", "--limit-writes", "100000", "--limit-reads", "100000",
    "--limit-uploads", "100000", "--limit-log-ins", "1000",
]  # fmt: skip
SUBSCRIPTION = "/api/v1/push/subscription"
# Seconds within which something is announced to a phone in reach.
SOON = 10


def subscribe(person, service, **form):
    """Subscribes a new device of somebody, as their browser's page does."""
    device = service.device()
    device.server_key = person.call("POST", SUBSCRIPTION, device.form(**form), FORM)["server_key"]
    return device


def write(person, chat, text):
    """Sends a message; its id."""
    return person.post(f"/api/v1/chats/{chat}/messages", text=text)["id"]


def unread(person):
    """How many notifications somebody hasn't seen."""
    return person.get("/api/v1/notifications/unread_count")["count"]


def until(condition, patience=60):
    """Waits until something is so that only asking can find out."""
    end, pause = time.monotonic() + patience, threading.Event()
    while not condition():
        assert time.monotonic() < end
        pause.wait(0.1)


def settled(person, patience=60):
    """Waits until nothing is left to be pushed to somebody's devices."""

    def is_settled():
        with person.server.database() as database:
            [left] = database.execute(
                "SELECT count(*) FROM push_messages WHERE account_id = ? AND state <> 'shown'", (int(person.id),)
            ).fetchone()
        return left == 0

    until(is_settled, patience)


def held_until(person):
    """When the next push to somebody's only device is due, once one waits for longer than a minute."""
    found = []

    def look():
        with person.server.database() as database:
            [moment] = database.execute(
                "SELECT max(j.run_at) FROM jobs j JOIN push_subscriptions s ON j.payload LIKE s.id || ' %'"
                " WHERE j.kind = 'push' AND j.leased_by IS NULL AND s.account_id = ?",
                (int(person.id),),
            ).fetchone()
        found[:] = [(moment or 0) / 1000]
        return found[0] > time.time() + 60

    until(look)
    return found[0]
