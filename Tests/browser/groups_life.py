"""People in groups and chats of two (groups_people.py), each in a thread of their own, with their pages (groups_screens.py),
and what must be true of what they see (groups_model.py)."""

import collections
import random
import threading
from concurrent.futures import ThreadPoolExecutor

from chats import chat_of
from groups_model import Model, brief
from groups_people import Dweller
from groups_screens import Screen
from load import Login
from nodes import wait_for
from people import befriend

FORM = "application/x-www-form-urlencoded"


class Life:
    """The people, the servers, and what must be true."""

    def __init__(self, nodes, pictures, seed, picture, count=10):
        # Returns the messages whose view-once photos are on the disk.
        self._pictures = pictures
        self.nodes, self.picture = nodes, picture
        self.model = Model()
        self._random = random.Random(seed)
        self._admin = nodes[0].person("warden")
        nodes[0].command("account", "promote", "warden")
        people = [nodes[0].person(f"person{number}") for number in range(count)]
        for one in people:
            for other in people[people.index(one) + 1:]:
                befriend(one, other)
        self.dwellers = [Dweller(self, person, f"{seed}-{number}") for number, person in enumerate(people)]
        for number, one in enumerate(people):
            for other in (people[(number + 1) % count], people[(number + 2) % count]):
                self.model.pairs[chat_of(one, other)] = {one.id, other.id}
        for dweller in self.dwellers:
            dweller.photos = [dweller.person.upload(picture) for _ in range(2)]
            dweller.refresh()
        self.screens = [Screen(self, dweller) for dweller in self.dwellers]
        for screen in self.screens:
            screen.start()
        for screen in self.screens:
            assert screen.connected.wait(30)

    @property
    def active(self):
        return [one for one in self.dwellers if one.id not in self.model.suspended]

    def chats_of(self, id):
        """The chats that somebody may see, as far as anyone has heard of them."""
        pairs = [chat for chat, people in self.model.pairs.items() if id in people]
        return pairs + [chat for chat in list(self.model.chats) if chat not in self.model.pairs]

    def round(self, trouble):
        """Lets all live while there is trouble, until what each was doing is settled."""
        rest = threading.Event()
        threads = [threading.Thread(target=one.live, args=(rest,)) for one in self.active]
        for thread in threads:
            thread.start()
        try:
            trouble()
        finally:
            rest.set()
            for thread in threads:
                thread.join()

    def come_and_go(self):
        """Suspends somebody or lets them in again, or deletes an account, between two rounds."""
        self._change_people()
        # Of that pages aren't told.
        for screen in self.screens:
            if screen.dweller in self.active:
                screen.reload()

    def _change_people(self):
        for one in self.dwellers:
            if one.id in self.model.suspended:
                self._administer(one, "restore")
                one.person.cookie = one.person.again().cookie
                self.model.suspended.discard(one.id)
                return
        if self._random.random() < 0.5:
            one = self._random.choice(self.dwellers)
            self._administer(one, "suspend")
            self.model.suspended.add(one.id)
        elif len(self.dwellers) > 7:
            self._delete(self._random.choice(self.dwellers))

    def _administer(self, one, verb):
        node = self.nodes[0]
        administrator = Login(node, self._admin, node.enter("/login", username="warden", password="correct horse"))
        administrator._answer("POST", f"/administration/accounts/{one.id}/{verb}", b"reason=spam", FORM)

    def _delete(self, one):
        one.at()._answer("POST", "/settings/delete", b"password=correct+horse", FORM)
        self.dwellers.remove(one)
        [screen] = [screen for screen in self.screens if screen.dweller is one]
        self.screens.remove(screen)
        screen.is_closed.set()
        self.model.erase(one)
        chats = [chat for chat, log in self.model.chats.items() if log.members]
        wait_for(lambda: not any(viewer.still_sees(one.id, chats) for viewer in self.dwellers))

    def check(self):
        """Compares what is there with the model, while nothing happens."""
        with ThreadPoolExecutor(4) as pool:
            views = dict(pool.map(lambda one: (one.id, one.views()), self.active))
        self.model.check(views)
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda one: one.check(views[one.id]), self.active))
        self._check_photos(views)
        for screen in self.screens:
            if screen.dweller.id in views:
                screen.check(views[screen.dweller.id])
        self._check_once(views)

    def _check_once(self, views):
        """Whether the view-once photos are gone that everyone has seen."""
        there = self._pictures()
        for chat in {chat for seen in views.values() for chat in seen}:
            members = self.model.pairs.get(chat) or self.model.chats[chat].members
            for message in list(self.model.chats[chat].entries.values()):
                if message["id"] in there and self.model.has_been_seen_by_all(chat, message, members):
                    self.model.blame(f"{chat}: all of {members} have seen the photo of {brief(message)}, and it is still there")

    def _check_photos(self, views):
        """Whether the photos of messages are seen by those who have such a message, and by nobody else."""
        holders = collections.defaultdict(set)
        for person, seen in views.items():
            for view in seen.values():
                for message in view.messages:
                    if message["photo"]:
                        holders[message["photo"]["id"]].add(person)
        for owner in self.active:
            for photo in owner.photos:
                for viewer in self.active:
                    may = viewer is owner or viewer.id in holders[photo]
                    if may != viewer.sees(f"/photos/{photo}/square"):
                        self.model.blame(f"the photo {photo} of {owner.id} is shown to {viewer.id}: {not may}")

    def end(self):
        for screen in self.screens:
            screen.is_closed.set()
        for screen in self.screens:
            screen.join(30)
