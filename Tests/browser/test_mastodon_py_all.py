"""Every method of Mastodon.py: what it does here, or with which sentence it is refused.

A method that a new version of the library brings fails a test until a row says what it does. What is answered has
happened: a row reads it back by another method where it changes something.
"""

import inspect

import mastodon
import pytest

from apps import Listener, client, library, register
from conftest import png
from mastodon_refused import BY_ITSELF, EMPTY, REFUSED
from mastodon_rows import ENDPOINT, WORKS
from people import befriend
from servers import own_address

pytestmark = pytest.mark.long

# Mastodon.py asks the server where its streams are, so the server has to know its own address.
_, ADDRESS = own_address()
SERVER_FLAGS = [
    "--sign-up", "open", "--limit-reads", "100000", "--limit-writes", "100000", "--limit-uploads", "100000",
    *ADDRESS,
]  # fmt: skip


class Scene:
    """Ana, who is logged in with Mastodon.py as a person lets an app in, and her friend Ben."""

    def __init__(self, server, page, picture):
        self.server, self.url, self.page, self.picture = server, server.url, page, picture
        # The first is the administrator, and the last has a private account.
        self.olga, self.ana, self.ben, self.pia = (server.person(name) for name in ["olga", "ana", "ben", "pia"])
        befriend(self.ana, self.ben)
        self.pias = self._with_token(self.pia)
        self.pias.account_update_credentials(locked=True)
        page.context.add_cookies(
            [{"name": "tintype_session", "value": self.ana.cookie, "url": server.url, "sameSite": "Lax"}]
        )
        self.api = client(page, server.url)
        # The library loses the sentence of a refusal where it expects a list.
        self.answer = None
        self.api.session.hooks["response"].append(self._remember)
        self.bens = self._with_token(self.ben)
        self._made = 0

    def _with_token(self, person):
        return library(self.url, access_token=person.token)

    def _remember(self, answer, *_, **__):
        self.answer = answer

    def someone(self, friend=False):
        """Somebody new, whose profile anyone sees."""
        self._made += 1
        person = self.server.person(f"person{self._made}")
        if friend:
            befriend(self.ana, person)
        return person

    def waiting(self):
        """Somebody who has asked to follow pia."""
        person = self.someone()
        person.follow(self.pia)
        return person

    def post(self, text="Mine", visibility="private", **more):
        """A post of ana's, made with the library."""
        media = self.api.media_post(self.picture, description="Soft colours")
        return self.api.status_post(text, media_ids=[media.id], visibility=visibility, **more)

    def theirs(self, text="Theirs", visibility="private"):
        """A post of ben's; its id."""
        return self.ben.share(text, self.picture, visibility=visibility)

    def status(self, id):
        return self.ben.get(f"/api/v1/statuses/{id}")

    def notification(self):
        """What ana's newest notification is, once ben has liked a post of hers."""
        self.ben.post(f"/api/v1/statuses/{self.post().id}/favourite")
        return self.api.notifications(limit=1)[0]

    def put_aside(self):
        """Somebody new, who has liked a post of ana's, which was put aside."""
        person = self.someone()
        post = self.post(visibility="public")
        self.api.update_notifications_policy(for_not_following="filter")
        person.post(f"/api/v1/statuses/{post.id}/favourite")
        self.api.update_notifications_policy(for_not_following="accept")
        return person

    def list(self, *people):
        crew = self.api.list_create("Crew")
        if people:
            self.api.list_accounts_add(crew.id, [person.id for person in people])
        return crew

    def filter(self):
        return self.api.create_filter_v2(
            "Weather", ["home"], "warn", keywords_attributes=[{"keyword": "rain", "whole_word": True}]
        )

    def conversation(self):
        """A chat in which ben has written something that ana hasn't read."""
        self.ben.post("/api/v1/statuses", status="@ana Hello", visibility="direct")
        return self.api.conversations(limit=1)[0]

    def keys(self):
        """A device's keys for announcements: those that are kept, and those that are sent."""
        return self.api.push_subscription_generate_keys()

    def subscription(self):
        return self.api.push_subscription_set(ENDPOINT, self.keys()[1], favourite_events=True, mention_events=True)

    def app(self, scopes=("read", "write", "follow", "push")):
        """Mastodon.py with an app's identifier, and nobody logged in."""
        return register(self.url, "Another", scopes)

    def heard(self, open_stream, happen, name="update"):
        """What a stream says of what happens after it was opened."""
        listener = Listener()
        handle = open_stream(listener)
        try:
            # The stream's first line, from which on nothing is missed.
            listener.next("heartbeat")
            happen()
            return listener.next(name)
        finally:
            handle.close()


@pytest.fixture(scope="module")
def scene(server, browser, tmp_path_factory):
    picture = tmp_path_factory.mktemp("mastodon") / "picture.png"
    picture.write_bytes(png(64, 48))
    with browser.new_context(base_url=server.url) as context:
        yield Scene(server, context.new_page(), str(picture))


def arguments_of(row, s):
    return row(s) if callable(row) else row


def test_the_table_has_every_method():
    methods = {
        name for name, method in inspect.getmembers(mastodon.Mastodon, callable) if not name.startswith("_")
    }
    rows = [*WORKS, *EMPTY, *REFUSED, *BY_ITSELF]
    assert sorted(rows) == sorted(methods)


@pytest.mark.parametrize("name", WORKS)
def test_a_method_that_works(scene, name):
    WORKS[name](scene)


@pytest.mark.parametrize("name", EMPTY)
def test_a_method_that_finds_nothing(scene, name):
    found = getattr(scene.api, name)(*arguments_of(EMPTY[name], scene))
    assert found == []


@pytest.mark.parametrize("name", REFUSED)
def test_a_method_that_is_refused(scene, name):
    arguments, code, sentence = REFUSED[name]
    arguments = arguments_of(arguments, scene)
    # That of the method, not of the row before.
    scene.answer = None
    with pytest.raises(mastodon.MastodonAPIError):
        getattr(scene.api, name)(*arguments)
    assert (scene.answer.status_code, scene.answer.json()["error"]) == (code, sentence)


@pytest.mark.parametrize("name", BY_ITSELF)
def test_a_method_that_asks_nothing(scene, name):
    arguments, error = BY_ITSELF[name]
    arguments = arguments_of(arguments, scene)
    with pytest.raises(error):
        getattr(scene.api, name)(*arguments)
