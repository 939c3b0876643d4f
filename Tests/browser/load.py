"""What people do at several servers at once, and a model of what must be true of it: nothing acknowledged is lost, nothing is
seen twice, and what is ended is ended at every server."""

import collections
import http.client
import itertools
import json
import random
import threading
import time
import urllib.error
import uuid

from chats import chat_of, history
from contracts import Deal
from nodes import wait_for
from people import Person, befriend

FLAGS = ["--log-level", "notice", "--limit-writes", "1000000", "--limit-uploads", "1000000"]

# What is no answer, or one that says so. A server that is busy or cut off answers 503, a proxy without a server 502 or 504.
NO_ANSWER = (urllib.error.URLError, http.client.HTTPException, OSError, json.JSONDecodeError)
UNAVAILABLE = (502, 503, 504)


class Load:
    """What people do at the servers, and what was acknowledged.

    `fronts` are where they go: the servers, or a proxy before them.
    """

    def __init__(self, nodes, people, chats, picture, fronts=None):
        self.nodes, self.people, self.chats, self.picture = nodes, people, chats, picture
        self.fronts = fronts or nodes
        self.stops = threading.Event()
        self.messages = collections.defaultdict(list)
        # When each was acknowledged.
        self.moments = {}
        self.posts, self.breaches, self.errors = [], [], []
        self.views = collections.Counter()
        self.ended = self.blocked = 0
        self._threads = []

    def at(self, person, node=None):
        """The person's log-in at one of the servers."""
        return Login(node or random.choice(self.fronts), person)

    def attempt(self, call):
        """The answer of a call, or None when there is none."""
        try:
            return call()
        except urllib.error.HTTPError as error:
            if error.code not in UNAVAILABLE:
                self._note(error)
        except NO_ANSWER:
            return None

    def _note(self, refusal):
        self.errors.append(f"{refusal.code} {refusal.url} {refusal.read()[:300]}")

    def repeat(self, step):
        def run():
            while not self.stops.is_set():
                try:
                    step()
                except Exception as error:
                    self.errors.append(repr(error))
                    return

        self._threads.append(threading.Thread(target=run))
        self._threads[-1].start()

    def insist(self, call):
        """Calls until there is an answer. A refusal after calls without one says that one of those has done it."""
        return self._until_answered(call, lambda refusal: {})

    def read(self, call):
        """Calls until there is an answer. A refusal is an error: what is read was never taken away."""
        return self._until_answered(call, self._note)

    def make(self, call):
        """Calls with one key until there is an answer, so that what is made is made once. A refusal is an error."""
        key = str(uuid.uuid4())
        return self._until_answered(lambda: call(key), self._note)

    def _until_answered(self, call, refused):
        while not self.stops.is_set():
            try:
                return call()
            except urllib.error.HTTPError as error:
                if error.code not in UNAVAILABLE:
                    return refused(error)
            except NO_ANSWER:
                pass
        return None

    def write(self, person):
        text = str(uuid.uuid4())
        chat = random.choice(self.chats[person])
        if self.attempt(lambda: self.at(person).post(f"/api/v1/chats/{chat}/messages", text=text)):
            self.messages[chat, person].append(text)
            self.moments[text] = time.strftime("%T")

    def publish(self, person):
        photo = self.attempt(lambda: self.at(person).upload(self.picture))
        if photo is None:
            return
        text = str(uuid.uuid4())
        post = self.attempt(lambda: self.at(person).post("/api/v1/statuses", status=text, media_ids=[photo]))
        if post:
            self.posts.append((person, post["id"], text, photo))

    def look(self, poster, viewer):
        """Posts a snap and opens it at all servers at the same moment."""
        media = self.make(lambda key: self.at(poster).upload(self.picture, purpose="snap", key=key))
        snap = media and self.make(
            lambda key: self.at(poster).post("/api/v1/snaps", key, media_id=media, feed_id="memes")
        )
        if snap:
            self._open(viewer, f"/api/v1/snaps/{snap['id']}/open")
            # A person has a bounded number of live snaps.
            self.insist(lambda: self.at(poster).call("DELETE", f"/api/v1/snaps/{snap['id']}"))

    def look_once(self, sender, viewer, chat):
        """Sends a photo that is seen once, and opens it at all servers at the same moment."""
        media = self.make(lambda key: self.at(sender).upload(self.picture, purpose="view_once", key=key))
        messages = f"/api/v1/chats/{chat}/messages"
        sent = media and self.make(
            lambda key: self.at(sender).post(messages, key, media_id=media, view_once=True)
        )
        if sent:
            self._open(viewer, f"{messages}/{sent['id']}/open")

    def _open(self, viewer, path):
        def open_at(node):
            if self._is_given(lambda: self.at(viewer, node).post(path), 410):
                self.views[path] += 1

        self._at_all(open_at)

    def _is_given(self, call, refusal):
        """Whether a server gives what it may have to refuse. Another refusal than the expected one is an error."""
        try:
            call()
            return True
        except urllib.error.HTTPError as error:
            if error.code not in (refusal, *UNAVAILABLE):
                self.errors.append(f"{error.code} {error.url}")
        except NO_ANSWER:
            pass
        return False

    def _at_all(self, ask):
        threads = [threading.Thread(target=ask, args=(node,)) for node in self.nodes]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def block(self, one, other):
        """Blocks somebody, who then sees nothing at any server, and lets them in again."""
        photo = self.attempt(lambda: self.at(one).upload(self.picture))
        post = photo and self.attempt(
            lambda: self.at(one).post("/api/v1/statuses", status="Soon out of sight", media_ids=[photo])
        )
        if not post:
            return
        if self.attempt(lambda: self.at(one).post(f"/api/v1/accounts/{other.id}/block")):
            self.blocked += 1

            def ask(node):
                if self._is_given(lambda: self.at(other, node).get(f"/api/v1/statuses/{post['id']}"), 404):
                    self.errors.append("a post of somebody who has blocked the viewer is shown at a server")

            self._at_all(ask)
        self.insist(lambda: self.at(one).post(f"/api/v1/accounts/{other.id}/unblock"))
        self.insist(lambda: self.at(one).follow(other) or True)
        self.insist(lambda: self.at(other).follow(one) or True)

    def break_promise(self, one, other):
        """Makes a contract and admits that it was broken, after which the stake is published."""
        text = str(uuid.uuid4())
        deal = self.make(
            lambda key: Deal(
                self.at(one), self.at(other), [self.picture, self.picture], accepted=False, breach_text=text, key=key
            )
        )
        if not deal:
            return
        self.insist(lambda: deal.accept() or True)
        deal.one = self.at(one)
        if self.insist(lambda: deal.move(deal.one, "admit")):
            self.breaches.append((one, text))

    def leave(self, person):
        """Makes a log-in, ends it at one server, and tries it at the others."""
        try:
            cookie = random.choice(self.fronts).enter("/login", username=person.username, password="correct horse")
        except (ValueError, *NO_ANSWER):
            return  # An answer without a cookie is none.
        login = Login(random.choice(self.nodes), person, cookie)
        if not self.attempt(lambda: login.form("/logout") in (200, 303)):
            return
        self.ended += 1
        for node in self.nodes:
            ended = Login(node, person, cookie)
            if self._is_given(lambda ended=ended: ended.get("/api/v1/accounts/verify_credentials"), 401):
                self.errors.append("a log-in that was ended is good at another server")

    def begin(self):
        """Starts what the people do."""
        for person in self.people:
            self.repeat(lambda person=person: self.write(person))
        one, two, three, four = self.people[:4]
        for person in (one, two):
            self.repeat(lambda person=person: self.publish(person))
        self.repeat(lambda: self.look(three, four))
        self.repeat(lambda: self.look_once(three, four, chat_of_two(self.chats, three, four)))
        # Does nothing else: of a hundred log-ins whose end is lost, the server ends the oldest itself.
        leaver = self.nodes[0].person("leaver")
        self.repeat(lambda: self.leave(leaver))

    def end(self):
        self.stops.set()
        for thread in self._threads:
            thread.join()

    def check(self):
        """Compares what was acknowledged with what is there."""
        assert not self.errors, f"{len(self.errors)} errors: {self.errors[:5]}"
        for (chat, person), sent in self.messages.items():
            texts = [message["text"] for message in history(self.at(person), chat)]
            assert [text for text in texts if text in set(sent)] == sent
        for person, post, text, photo in self.posts:
            login = self.at(person)
            found = login.get(f"/api/v1/statuses/{post}")
            assert (found["text"], [one["id"] for one in found["media_attachments"]]) == (text, [photo])
            assert login.bytes(f"/photos/{photo}/large")[:3] == b"\xff\xd8\xff"
        for person, text in self.breaches:
            wait_for(lambda person=person, text=text: self._published(person, text) >= 1)
            assert self._published(person, text) == 1
        assert self.messages and self.posts and self.ended
        assert self.views and max(self.views.values()) == 1

    def _published(self, person, text):
        """How many of the person's posts have a text."""
        found, last = 0, ""
        while page := self.at(person).get(f"/api/v1/accounts/{person.id}/statuses?limit=40{last}"):
            found += sum(text in one["content"] for one in page)
            last = f"&max_id={page[-1]['id']}"
        return found


class Listener(threading.Thread):
    """A page's stream of events, which resumes where it ended, and loads everything when it is asked to.

    `shows` is called with the text of each message that an event brings.
    """

    def __init__(self, load, person, shows=lambda text: None):
        super().__init__(daemon=True)
        self._shows = shows
        self._load, self._person = load, person
        # The texts of messages that the page shows, and what happened to the stream, with when it did.
        self.seen = set()
        self.log = []
        self.resumed = self.reset = 0
        self.connected = threading.Event()
        self._last = None

    def run(self):
        while not self._load.stops.is_set():
            try:
                self._listen(random.choice(self._load.fronts))
            except NO_ANSWER as error:
                self._note(repr(error))
                # The server has gone; the next one is asked at once, as far as there is one.
                self._load.stops.wait(0.1)

    def end(self):
        self._load.stops.set()

    def missing(self, texts):
        """What of it the page doesn't show."""
        return set(texts) - self.seen

    def _note(self, what):
        self.log.append(f"{time.strftime('%T')} {what}")

    def _listen(self, front):
        connection = http.client.HTTPConnection("localhost", front.port, timeout=20)
        headers = {**self._person.credentials, **({"Last-Event-ID": self._last} if self._last else {})}
        connection.request("GET", "/api/v1/events", headers=headers)
        answer = connection.getresponse()
        if answer.status != 200:
            raise http.client.HTTPException(f"{answer.status}")
        if self._last is None:
            self._catch_up()
        self.resumed += 1
        self._note("connected")
        self.connected.set()
        name = ""
        while not self._load.stops.is_set() and (line := answer.readline()):
            kind, _, value = line.decode().rstrip("\r\n").partition(":")
            value = value.removeprefix(" ")
            if kind == "id":
                self._last = value
            elif kind == "event":
                name = value
                if name == "reset":
                    self.reset += 1
                    self._note("reset")
                    self._catch_up()
                    self._note("caught up")
            elif kind == "data" and name == "tintype.message":
                text = json.loads(value)["text"]
                self._shows(text)
                self.seen.add(text)
        connection.close()

    def _catch_up(self):
        """Loads the messages of all chats, from any server."""
        for chat in self._load.chats[self._person]:
            messages = self._load.read(lambda chat=chat: history(self._load.at(self._person), chat))
            for message in messages or []:
                self.seen.add(message["text"])


class Login(Person):
    """A person's log-in at a server, without asking the server who they are."""

    def __init__(self, server, person, cookie=None):
        self.server, self.username, self.id = server, person.username, person.id
        self.cookie = cookie or person.cookie
        self._token, self._is_program = None, False

    def form(self, path):
        """Sends a form without fields; the status of the answer."""
        connection = http.client.HTTPConnection("localhost", self.server.port, timeout=30)
        connection.request("POST", path, b"", {**self.credentials, "Content-Type": "application/x-www-form-urlencoded"})
        status = connection.getresponse().status
        connection.close()
        return status


def chat_of_two(chats, one, other):
    """The chat that is in both people's lists."""
    return next(chat for chat in chats[one] if chat in chats[other])


def friends_with_chats(server, count=4):
    """People who are friends of each other, and the chats of each."""
    people = [server.person(f"person{number}") for number in range(count)]
    chats = collections.defaultdict(list)
    for one, other in itertools.combinations(people, 2):
        befriend(one, other)
        chat = chat_of(one, other)
        chats[one].append(chat)
        chats[other].append(chat)
    return people, chats
