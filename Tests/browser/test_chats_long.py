"""Conversations under duress: the server is killed while twenty people write."""

import concurrent.futures
import http.client
import json
import random
import threading
import urllib.error
import uuid

import pytest

from people import Person, befriend
from test_kills import Killable

CLIENTS = 20
SENDS = 100

# What a client sees of a server that is killed: no connection, or half an answer.
BROKEN = (urllib.error.URLError, http.client.HTTPException, OSError, json.JSONDecodeError)


def send(person, chat, key, text):
    """Sends a message with its key; its id."""
    connection = http.client.HTTPConnection(person.server.url.split("//")[1], timeout=30)
    try:
        connection.request(
            "POST", f"/api/v1/chats/{chat}/messages", json.dumps({"text": text}),
            {
                "Authorization": f"Bearer {person.token}", "Content-Type": "application/json",
                "Idempotency-Key": key,
            },
        )
        answer = connection.getresponse()
        body = json.loads(answer.read())
        assert answer.status == 201, body
        return body["id"]
    finally:
        connection.close()


def history(person, chat):
    """All messages of a chat, oldest first."""
    messages, last = [], ""
    while page := person.get(f"/api/v1/chats/{chat}/messages?limit=40{last}"):
        messages += page
        last = f"&max_id={page[-1]['id']}"
    return messages[::-1]


@pytest.mark.long
def test_a_kill_amid_two_thousand_sends_loses_nothing_and_doubles_nothing(tmp_path):
    killable = Killable(tmp_path)
    server = killable.start()
    people = [server.person(f"writer{number}") for number in range(CLIENTS)]
    pairs = list(zip(people[::2], people[1::2]))
    chats = {}
    for one, other in pairs:
        befriend(one, other)
        chats[one] = chats[other] = one.post("/api/v1/chats", account_id=other.id)["id"]
    work = {person: [(str(uuid.uuid4()), f"{person.username} {n}") for n in range(SENDS)] for person in people}
    acknowledged, unsure = {}, []
    sent = threading.Semaphore(0)

    def write(person):
        for key, text in work[person]:
            try:
                acknowledged[key] = send(person, chats[person], key, text)
                sent.release()
            except BROKEN:
                unsure.append((person, key, text))

    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        writing = [pool.submit(write, person) for person in people]
        for _ in range(random.randrange(400, 1200)):
            assert sent.acquire(timeout=60)
        killable.kill()
        for one in writing:
            one.result()
    assert unsure, "the kill came too late"

    server = killable.start()
    people_by_name = {person.username: Person(server, person.username, person.token) for person in people}
    for one, _ in pairs:
        kept = {message["id"] for message in history(people_by_name[one.username], chats[one])}
        for person in people:
            if chats[person] == chats[one]:
                assert {acknowledged[key] for key, _ in work[person] if key in acknowledged} <= kept
    for person, key, text in unsure:
        send(people_by_name[person.username], chats[person], key, text)
    for one, other in pairs:
        messages = [message["text"] for message in history(people_by_name[one.username], chats[one])]
        assert len(messages) == 2 * SENDS
        assert sorted(messages) == sorted(text for person in (one, other) for _, text in work[person])
    killable.kill()
