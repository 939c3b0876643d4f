"""A page with all chats of somebody, which is kept up to date by its stream of events."""

import collections
import http.client
import json
import random
import threading
import time
import urllib.error

from chats import history
from groups_model import kind
from load import NO_ANSWER
from nodes import wait_for


class Screen(threading.Thread):
    """A page that loads only what an event asks for."""

    def __init__(self, life, dweller):
        super().__init__(daemon=True)
        self.life, self.dweller = life, dweller
        # By chat, the messages by their ids.
        self._shown = collections.defaultdict(dict)
        # The chats and numbers of all messages that the stream has brought since the last rest.
        self._heard = set()
        self._last, self._is_stale = None, True
        self.connected, self.is_closed = threading.Event(), threading.Event()
        self.resumed = self.reset = 0
        self._lock = threading.Lock()

    def run(self):
        while not self.is_closed.is_set():
            try:
                self._listen()
            except NO_ANSWER:
                self.is_closed.wait(0.05)
            except Exception as error:
                self.life.model.blame(f"the page of {self.dweller.id} has failed: {error!r}")
                return

    def reload(self, *chats):
        """Loads some chats or all, for what no event says."""
        with self._lock:
            for chat in chats or self.life.chats_of(self.dweller.id):
                self._load(chat)

    def _listen(self):
        # A line that ends of itself after a while, as that of a phone does.
        end = time.monotonic() + random.uniform(0.5, 5)
        connection = http.client.HTTPConnection("localhost", random.choice(self.life.nodes).port, timeout=2)
        headers = {**self.dweller.person.credentials, **({"Last-Event-ID": self._last} if self._last else {})}
        connection.request("GET", "/api/v1/events", headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise http.client.HTTPException(f"{answer.status}")
        self.resumed += 1
        if self._is_stale:
            self.reload()
            self._is_stale = False
        self.connected.set()
        event = {}
        while not self.is_closed.is_set() and time.monotonic() < end and (line := answer.readline()):
            name, _, value = line.decode().rstrip("\r\n").partition(":")
            if name:
                event[name] = value.removeprefix(" ")
            elif event:
                with self._lock:
                    self._take(event.get("event"), event.get("data"))
                # An event of which only a part has come is asked for again.
                self._last = event.get("id", self._last)
                event = {}
        connection.close()

    def _take(self, name, data):
        if name == "reset":
            self.reset += 1
            self._is_stale = True
            for chat in self.life.chats_of(self.dweller.id):
                self._load(chat)
            self._is_stale = False
        if name not in ("tintype.message", "tintype.message.deleted", "tintype.message.reaction", "tintype.chat"):
            return
        content = json.loads(data)
        shown = self._shown[content["chat_id"]]
        if name == "tintype.message":
            self.life.model.saw(content)
            self._heard.add((content["chat_id"], content["number"]))
            shown[content["id"]] = content
        elif name == "tintype.message.deleted":
            shown.pop(content["id"], None)
        elif name == "tintype.message.reaction":
            if content["id"] in shown:
                shown[content["id"]]["reactions"] = content["reactions"]
        else:
            _ = self.life.model.chats[content["chat_id"]]
            self._load(content["chat_id"])

    def _load(self, chat):
        try:
            self._shown[chat] = {one["id"]: one for one in history(self.dweller.at(), chat)}
        except urllib.error.HTTPError as error:
            if error.code != 404:
                raise
            self._shown[chat] = {}

    def check(self, views):
        """Waits until the page shows what is there."""
        model, id = self.life.model, self.dweller.id
        for chat in model.pairs:
            # Nothing is sent when somebody can be reached again.
            if id in model.pairs[chat] and model.pairs[chat] & model.has_blocked:
                self.reload(chat)
        for chat, person in model.has_cleared:
            if person == id:
                self.reload(chat)
        try:
            wait_for(lambda: not self._differences(views))
        except AssertionError:
            for difference in self._differences(views)[:3]:
                model.blame(f"the page of {id} after {self.resumed} connections, {self.reset} resets: {difference}")
        with self._lock:
            heard, self._heard = self._heard, set()
        for chat, number in heard:
            if not model.may_have_heard(id, chat, number):
                model.blame(f"the stream of {id} has brought the message {number} of {chat}")

    def _differences(self, views):
        with self._lock:
            found = []
            for chat, view in views.items():
                there = {one["id"]: summary(one) for one in view.messages}
                here = {one: summary(message) for one, message in self._shown[chat].items()}
                if here != there:
                    found.append(
                        f"{chat} lacks {[there[one] for one in there if one not in here]}, has "
                        f"{[here[one] for one in here if one not in there]}, differs in "
                        f"{[(here[one], there[one]) for one in here if one in there and here[one] != there[one]]}"
                    )
            return found


def summary(message):
    """What a page shows of a message."""
    reactions = {one["account_id"]: one["emoji"] for one in message["reactions"]}
    return (message["number"], message["text"], kind(message), message["opened_by"], sorted(reactions.items()))
