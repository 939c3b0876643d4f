"""Every command of toot: what it does here, or with which sentence it is refused.

A command that a new version brings fails a test until a row says what it does.
"""

import json

import click
import pytest
from toot.cli import cli

from apps import Toot, code_for
from conftest import png
from people import befriend
from servers import own_address
from toot_rows import REFUSED, WORKS

pytestmark = pytest.mark.long

# toot keeps what it knows under the address that the server has for itself.
_, ADDRESS = own_address()
SERVER_FLAGS = [
    "--sign-up", "open", "--limit-reads", "100000", "--limit-writes", "100000", "--limit-uploads", "100000",
    *ADDRESS,
]  # fmt: skip


class Scene:
    """Ana, who is logged in with toot, her friend Ben, and Pia, whose account is private and who uses toot, too."""

    def __init__(self, server, page, folder):
        self.server, self.page, self._folder = server, page, folder
        self.host = server.url.removeprefix("http://")
        self.picture = str(folder / "picture.png")
        (folder / "picture.png").write_bytes(png(64, 48))
        _, self.ana, self.ben, self.pia = (server.person(name) for name in ["olga", "ana", "ben", "pia"])
        befriend(self.ana, self.ben)
        self.pia.call("PATCH", "/api/v1/accounts/update_credentials", b'{"locked": true}', "application/json")
        page.context.add_cookies(
            [{"name": "tintype_session", "value": self.ana.cookie, "url": server.url, "sameSite": "Lax"}]
        )
        self.toot = Toot(self.folder("ana"))
        self.toot.log_in(server.url, lambda url: code_for(page, url))
        self.pias = Toot(self.folder("pia"))
        config = json.loads(self.toot.config.read_text())
        config["active_user"] = f"pia@{self.host}"
        config["users"] = {
            config["active_user"]: {"instance": self.host, "username": "pia", "access_token": self.pia.token}
        }
        self.pias.config.parent.mkdir()
        self.pias.config.write_text(json.dumps(config))
        self._made = 0

    def folder(self, name):
        folder = self._folder / name
        folder.mkdir()
        return folder

    def someone(self, friend=False):
        self._made += 1
        person = self.server.person(f"person{self._made}")
        if friend:
            befriend(self.ana, person)
        return person

    def asking(self):
        """Somebody who has asked to follow pia."""
        person = self.someone()
        person.follow(self.pia)
        return person

    def mine(self, text="Mine"):
        return self.ana.share(text, self.picture)

    def theirs(self, text="Theirs", visibility="private"):
        return self.ben.share(text, self.picture, visibility=visibility)

    def status(self, id):
        """A post as ben sees it."""
        return self.ben.get(f"/api/v1/statuses/{id}")

    def relationship(self, other):
        return self.ana.get(f"/api/v1/accounts/relationships?id[]={other.id}")[0]

    def names(self, *command, toot=None):
        """Whom a command lists."""
        return [account["acct"] for account in (toot or self.toot).json(*command)]

    def first(self, *timeline):
        """The first post of a timeline; its id."""
        return self.toot.json("timelines", *timeline)[0]["id"]

    def list(self, *people):
        """A list with a title of its own, which is how toot finds it."""
        self._made += 1
        made = self.ana.post("/api/v1/lists", title=f"Crew {self._made}")
        if people:
            self.ana.post(f"/api/v1/lists/{made['id']}/accounts", account_ids=[person.id for person in people])
        return made["title"]

    def titles(self):
        return [one["title"] for one in self.ana.get("/api/v1/lists")]

    def members(self, title):
        [id] = [one["id"] for one in self.ana.get("/api/v1/lists") if one["title"] == title]
        return [account["username"] for account in self.ana.get(f"/api/v1/lists/{id}/accounts")]

    def featured(self):
        return [tag["name"] for tag in self.ben.get(f"/api/v1/accounts/{self.ana.id}/featured_tags")]


@pytest.fixture(scope="module")
def scene(server, browser, tmp_path_factory):
    with browser.new_context(base_url=server.url) as context:
        yield Scene(server, context.new_page(), tmp_path_factory.mktemp("toot"))


def commands(group, path=()):
    """The names of all commands, with their groups."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name))


def test_the_table_has_every_command():
    assert sorted([*WORKS, *REFUSED]) == sorted(commands(cli))


@pytest.mark.parametrize("command", WORKS)
def test_a_command_that_works(scene, command):
    WORKS[command](scene)


@pytest.mark.parametrize("command", REFUSED)
def test_a_command_that_is_refused(scene, command):
    arguments, sentence = REFUSED[command]
    arguments = arguments(scene) if callable(arguments) else arguments
    done = scene.toot.try_to(*command.split(), *arguments)
    assert done.returncode != 0 and done.stderr.strip() == f"Error: {sentence}", done.stdout + done.stderr
