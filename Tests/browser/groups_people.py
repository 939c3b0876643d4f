"""Somebody in groups and chats of two, who does at random what can be done there, and notes in a model (groups_model.py) what the
servers have acknowledged."""

import collections
import dataclasses
import http.client
import json
import random
import time
import urllib.error
from concurrent.futures import ThreadPoolExecutor

from chats import history
from groups_model import UNSETTLED
from load import NO_ANSWER, UNAVAILABLE, Login
from nodes import wait_for

# How many members a group is made with at most, and how many groups a person has before they make no more.
SIZE, GROUPS = 6, 7
EMOJI = ["👍", "❤️", "😂", "🎉"]

# What each person does, and how often in comparison.
HABITS = {
    "write": 24, "write_twice": 3, "reply": 8, "send_photo": 6, "send_once": 6, "look": 14, "react": 8, "delete": 5,
    "read": 12, "mute": 3, "clear": 1, "make": 2, "add": 6, "leave": 1, "pass_on": 1, "remove": 4, "rename": 3, "answer": 4,
    "block": 2, "unblock": 5, "befriend": 6, "refresh": 6,
}


@dataclasses.dataclass
class Answer:
    """What came of a call: the answer or the status of a refusal, and whether it was sent before without an answer."""

    status: int
    content: object
    again: bool

    @property
    def is_done(self):
        return self.status == 200


@dataclasses.dataclass
class View:
    """What somebody sees of a chat."""

    chat: dict
    messages: list


class Dweller:
    """Somebody who does at random what can be done, one thing after the other."""

    def __init__(self, life, person, seed):
        self.life, self.person, self.id = life, person, person.id
        self._random = random.Random(seed)
        self._number = 0
        self.photos = []
        # The chats as they were when last looked at.
        self._chats = []
        self.done = collections.Counter()

    @property
    def model(self):
        return self.life.model

    def live(self, rest):
        """Does one thing after the other until there is a rest."""
        habits, weights = list(HABITS), list(HABITS.values())
        while not rest.is_set():
            [habit] = self._random.choices(habits, weights)
            try:
                if getattr(self, habit)() is not False:
                    self.done[habit] += 1
            except Exception as error:
                self.model.blame(f"{self.person.username} could not {habit}: {error!r}")
                return

    # Calls ------------------------------------------------------------------------------

    def at(self, node=None):
        return Login(node or random.choice(self.life.nodes), self.person, self.person.cookie)

    def ask(self, call, *refusals):
        """Calls until there is an answer. A refusal of another kind than those named is a fault."""
        again = False
        while True:
            try:
                return Answer(200, call(self.at()), again)
            except urllib.error.HTTPError as error:
                if error.code not in UNAVAILABLE:
                    if error.code not in refusals:
                        self.model.blame(f"{self.person.username}: {error.code} {error.url} {error.read()[:300]}")
                    return Answer(error.code, None, again)
            except NO_ANSWER:
                pass
            again = True
            # The server is down, or busy.
            time.sleep(0.03)

    def sees(self, path):
        return self.ask(lambda me: me.bytes(path), 404).is_done

    def _chat(self, is_group=None):
        """One of their chats that they have accepted."""
        found = [
            one for one in self._chats
            if not one["request"] and is_group in (None, one["kind"] == "group")
        ]
        return self._random.choice(found) if found else None

    def _message(self, chat, wanted=lambda message: True):
        """One of the newest messages of a chat."""
        answer = self.ask(lambda me: me.get(f"/api/v1/chats/{chat['id']}/messages?limit=20"), 404)
        found = [one for one in answer.content or [] if not one["event"] and wanted(one)]
        return self._random.choice(found) if found else None

    def _other(self):
        return self._random.choice([one for one in self.life.dwellers if one is not self])

    def _text(self):
        self._number += 1
        return f"{self.person.username} {self._number}"

    # What they do -----------------------------------------------------------------------

    def refresh(self):
        lists = [
            self.ask(lambda me, requests=requests: me.get(f"/api/v1/chats?limit=40&requests={requests}")).content or []
            for requests in ("false", "true")
        ]
        self._chats = lists[0] + lists[1]
        known = {one["id"] for one in self._chats}
        for chat, people in self.model.pairs.items():
            if self.id in people and chat not in known:
                self._chats.append({"id": chat, "kind": "two", "request": False})
        for one in self._chats:
            if one["kind"] == "group":
                _ = self.model.chats[one["id"]]

    def write(self, **members):
        chat = self._chat()
        return self._send(chat, **members) if chat else False

    def write_twice(self):
        """Sends one message twice at the same moment, as a page does that lost the answer."""
        chat = self._chat()
        return self._send(chat, times=2) if chat else False

    def _send(self, chat, times=1, **members):
        text, key, path = self._text(), f"key-{self._text()}", f"/api/v1/chats/{chat['id']}/messages"
        self.model.sent[text] = (chat["id"], UNSETTLED)
        if "reply_to_id" in members:
            self.model.replies[text] = members["reply_to_id"]

        def send():
            return self.ask(lambda me: me.post(path, key, text=text, **members), 404, 409, 422)

        if times == 1:
            answers = [send()]
        else:
            with ThreadPoolExecutor(times) as pool:
                answers = [sending.result() for sending in [pool.submit(send) for _ in range(times)]]
        done = [one for one in answers if one.is_done]
        for one in done:
            self.model.saw(one.content)
            if one.content["id"] != done[0].content["id"]:
                self.model.blame(f"“{text}” was sent twice")
        if done:
            self.model.sent[text] = (chat["id"], done[0].content["id"])
        elif not any(one.again for one in answers):
            self.model.sent[text] = (chat["id"], None)
        return bool(done)

    def reply(self):
        chat = self._chat()
        message = chat and self._message(chat)
        return self._send(chat, reply_to_id=message["id"]) if message else False

    def send_photo(self):
        return self.write(photo_id=self._random.choice(self.photos))

    def send_once(self):
        if self._random.random() < 0.3:
            return self.write(photo_id=self._random.choice(self.photos), view_once=True)
        key = f"upload-{self._text()}"
        media = self.ask(lambda me: me.upload(self.life.picture, purpose="view_once", key=key)).content
        return self.write(media_id=media, view_once=True)

    def look(self):
        """Looks at a view-once photo, which is asked for twice at the same moment."""
        chat = self._chat()
        message = chat and self._message(
            chat, lambda one: one["view_once"] and one["account_id"] != self.id and not one["opened"] and not one["expired"]
        )
        if not message:
            return False
        look, path = (message["id"], self.id), f"/api/v1/chats/{chat['id']}/messages/{message['id']}"
        with ThreadPoolExecutor(2) as pool:
            asked = [pool.submit(self.ask, lambda me: me.post(f"{path}/open"), 404, 409, 410) for _ in range(2)]
            answers = [one.result() for one in asked]
        given = [one.content["view"]["url"] for one in answers if one.is_done]
        self.model.looks[look] += len(given)
        if not given:
            if any(one.again for one in answers):
                self.model.lost_looks.add(look)
            return False
        # Who is removed meanwhile sees nothing more.
        url = given[0][given[0].index("/api"):]
        self.ask(lambda me: me.bytes(url), 404, 410)
        self.ask(lambda me: me._answer("POST", f"{path}/shown"), 404, 410)
        closing = self.ask(lambda me: me._answer("POST", f"{path}/close"), 404)
        (self.model.closed if closing.is_done else self.model.lost_looks).add(look)
        if self.ask(lambda me: me.bytes(url), 404, 410).is_done:
            self.model.blame(f"the photo of {message['id']} is served to {self.id} after they have closed it")
        return True

    def react(self):
        chat = self._chat()
        message = chat and self._message(chat)
        if not message:
            return False
        emoji = self._random.choice([None, *EMOJI])
        path = f"/api/v1/chats/{chat['id']}/messages/{message['id']}/reaction"
        body = json.dumps({"emoji": emoji}).encode()

        def call(me):
            return me.call("PUT", path, body, "application/json") if emoji else me.call("DELETE", path)

        answer, reaction = self.ask(call, 404, 409), (message["id"], self.id)
        if answer.is_done:
            self.model.reactions[reaction] = emoji
        elif answer.again:
            self.model.reactions[reaction] = UNSETTLED
        return answer.is_done

    def delete(self):
        chat = self._chat()
        message = chat and self._message(chat, lambda one: one["account_id"] == self.id)
        if not message:
            return False
        path = f"/api/v1/chats/{chat['id']}/messages/{message['id']}"
        # Whether it is there meanwhile, nobody can say.
        self.model.deleted[message["id"]] = UNSETTLED
        answer = self.ask(lambda me: me.call("DELETE", path), 404)
        if answer.is_done:
            self.model.deleted[message["id"]] = True
        elif not answer.again:
            del self.model.deleted[message["id"]]
        return answer.is_done

    def read(self):
        chat = self._chat()
        message = chat and self._message(chat)
        if not message:
            return False
        path = f"/api/v1/chats/{chat['id']}/read"
        return self.ask(lambda me: me.post(path, last_read_id=message["id"]), 404).is_done

    def mute(self):
        chat = self._chat()
        if not chat:
            return False
        mutes, path = self._random.random() < 0.5, f"/api/v1/chats/{chat['id']}/mute"
        answer = self.ask(lambda me: me.post(path) if mutes else me.call("DELETE", path), 404)
        if answer.is_done:
            self.model.mutes[chat["id"], self.id] = mutes
        return answer.is_done

    def clear(self):
        """Removes the messages of a chat from their own list."""
        chat = self._chat()
        if not chat:
            return False
        # Somebody may have been removed and added again meanwhile, so that they are asked first.
        self.model.cleared.add((chat["id"], self.id))
        self.model.declined.add((chat["id"], self.id))
        return self.ask(lambda me: me.call("DELETE", f"/api/v1/chats/{chat['id']}"), 404).is_done

    # Groups -----------------------------------------------------------------------------

    def make(self):
        if sum(one["kind"] == "group" for one in self._chats) >= GROUPS:
            return False
        others = self._random.sample([one.id for one in self.life.dwellers if one is not self], self._random.randint(2, min(SIZE, len(self.life.dwellers) - 1)))
        title = f"Group of {self._text()}"
        self.model.made[title] = set(others)
        answer = self.ask(lambda me: me.post("/api/v1/chats", title, account_ids=others, title=title), 410, 422)
        if answer.is_done:
            _ = self.model.chats[answer.content["id"]]
            self.refresh()
        return answer.is_done

    def add(self):
        chat = self._chat(is_group=True)
        if not chat:
            return False
        people = [self._other().id for _ in range(self._random.choice([1, 1, 2]))]
        path = f"/api/v1/chats/{chat['id']}/members"
        return self.ask(lambda me: me.post(path, account_ids=people), 404, 409, 422).is_done

    def leave(self):
        return self._remove(self.id, self._chat(is_group=True))

    def pass_on(self):
        """Leaves a group that is theirs."""
        own = [one for one in self._chats if one.get("owner_id") == self.id]
        return self._remove(self.id, self._random.choice(own)) if own else False

    def remove(self):
        return self._remove(self._other().id, self._chat(is_group=True))

    def _remove(self, id, chat):
        if not chat:
            return False
        self.model.removed.add((chat["id"], id))
        if id == self.id:
            # Who was asked first leaves without a word.
            self.model.declined.add((chat["id"], self.id))
        return self.ask(lambda me: me.call("DELETE", f"/api/v1/chats/{chat['id']}/members/{id}"), 404, 409).is_done

    def rename(self):
        chat = self._chat(is_group=True)
        if not chat:
            return False
        body = json.dumps({"title": self._random.choice(["", self._text()])}).encode()
        call = lambda me: me.call("PATCH", f"/api/v1/chats/{chat['id']}", body, "application/json")
        return self.ask(call, 404, 409).is_done

    def answer(self):
        """Accepts an invitation, or declines it."""
        asked = [one for one in self._chats if one["request"]]
        if not asked:
            return False
        chat = self._random.choice(asked)
        path = f"/api/v1/chats/{chat['id']}"
        if self._random.random() < 0.6:
            answer = self.ask(lambda me: me.post(f"{path}/accept"), 404)
        else:
            self.model.cleared.add((chat["id"], self.id))
            self.model.declined.add((chat["id"], self.id))
            answer = self.ask(lambda me: me.call("DELETE", path), 404)
        self.refresh()
        return answer.is_done

    def block(self):
        other = self._other()
        if sum(one == self.id for one, _ in self.model.blocks) >= 2:
            return False
        self.model.blockers.add(self.id)
        answer = self.ask(lambda me: me.post(f"/api/v1/accounts/{other.id}/block"), 404)
        if answer.is_done:
            self.model.blocks.add((self.id, other.id))
        return answer.is_done

    def unblock(self):
        blocked = sorted(other for one, other in set(self.model.blocks) if one == self.id)
        if not blocked:
            return False
        other = self._random.choice(blocked)
        if self.ask(lambda me: me.post(f"/api/v1/accounts/{other}/unblock"), 404).is_done:
            self.model.blocks.discard((self.id, other))
        return True

    def befriend(self):
        """Follows somebody, who follows back, so that a block isn't for ever."""
        other = self._random.choice([one for one in self.life.active if one is not self])
        for one, two in [(self, other), (other, self)]:
            one.ask(lambda me, two=two: me.post(f"/api/v1/accounts/{two.id}/follow"), 404)
        return True

    # What they see ----------------------------------------------------------------------

    def views(self):
        """What they see of each chat that there is."""
        self.refresh()
        listed = {one["id"]: one for one in self._chats if "unread_count" in one}
        views = {}
        for chat in self.life.chats_of(self.id):
            answer = self.ask(lambda me, chat=chat: me.get(f"/api/v1/chats/{chat}"), 404)
            if answer.is_done:
                views[chat] = View(answer.content, history(self.at(), chat))
            shown = listed.get(chat)
            if answer.content and bool(shown) != bool(views[chat].messages):
                self.model.blame(f"{chat} is in the list of {self.id}: {bool(shown)}")
            if shown and (not answer.content or shown["unread_count"] != answer.content["unread_count"]):
                self.model.blame(f"{chat} is another in the list of {self.id}")
        return views

    def check(self, views):
        """Compares the badge and the private feed with what they see of their chats."""
        unread = sum(
            view.chat["unread_count"] for view in views.values() if not view.chat["request"] and not view.chat["muted"]
        )
        if (counted := self._badge()) != unread:
            self.model.blame(f"the badge of {self.id} is {counted} instead of {unread}")
        photos = {
            message["id"] for chat, view in views.items() if not view.chat["request"] for message in view.messages
            if message["photo"] and not {(self.id, message["account_id"]), (message["account_id"], self.id)} & self.model.blocks
        }
        try:
            # A job puts the photos of groups there.
            wait_for(lambda: self._private_feed() == photos)
        except AssertionError:
            feed = self._private_feed()
            self.model.blame(f"the private feed of {self.id} lacks {photos - feed} and has {feed - photos}")

    def _badge(self):
        """The first event of a stream says how many messages are unread."""
        connection = http.client.HTTPConnection("localhost", random.choice(self.life.nodes).port, timeout=20)
        connection.request("GET", "/api/v1/events", headers=self.person.credentials)
        answer = connection.getresponse()
        try:
            while line := answer.readline().decode():
                if line.startswith("data:") and "friends" in line:
                    return json.loads(line[5:])["friends"]
        finally:
            connection.close()
        return None

    def still_sees(self, id, chats):
        """Whether anything in some chats is of somebody."""
        for chat in chats:
            answer = self.ask(lambda me, chat=chat: me.get(f"/api/v1/chats/{chat}"), 404)
            if answer.is_done and any(
                id in (one["account_id"], (one["event"] or {}).get("account_id")) for one in history(self.at(), chat)
            ):
                return True
        return False

    def _private_feed(self):
        found, last = set(), ""
        while page := self.ask(lambda me, last=last: me.get(f"/api/v1/timelines/between?limit=40{last}")).content:
            found |= {one["id"] for one in page}
            last = f"&max_id={page[-1]['id']}"
        return found
