"""An update that changes the database, and the way back to the version before: `tintype back-out`."""

import contextlib
import gzip
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import time

import pytest

from chats import chat_of, send_once
from conftest import png
from nodes import later_version
from people import Person, befriend
from servers import BINARY, run
from snaps import status

FLAGS = ["--sign-up", "open", "--limit-writes", "1000000", "--limit-uploads", "1000000"]
RELEASES = sorted(pathlib.Path(__file__).parent.joinpath("releases").glob("*.sql.gz"))
KILLS = 8
# What a server erases that starts long after the release, since its time is over.
PASSING = {
    "jobs", "downloads", "oauth_codes", "past_searches", "past_search_answers", "past_photos", "push_subscriptions",
}


@pytest.fixture
def later(tmp_path):
    """A version that has a table more, and that changes a table of this one."""
    binary = later_version(tmp_path / "later")
    migrations = pathlib.Path(binary).parent / "tintype_Core.resources/Resources/migrations"
    (migrations / "9002-later.sql").write_text(
        "ALTER TABLE posts ADD COLUMN later TEXT NOT NULL DEFAULT '';"
        "UPDATE posts SET caption = caption || ' (later)' WHERE parent_id IS NULL;"
    )
    return binary


def copies(data):
    folder = pathlib.Path(data, "before-upgrade")
    return sorted(folder.glob("*.sqlite")) if folder.exists() else []


def caption(person, post):
    return person.get(f"/api/v1/statuses/{post}")["text"]


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "picture.png"
    path.write_bytes(png(320, 240))
    return path


def test_an_update_is_backed_out_and_nothing_that_was_taken_away_comes_back(tmp_path, start, later, picture):
    server = start(tmp_path / "data", *FLAGS)
    ana, ben, dora = (server.person(name) for name in ("ana", "ben", "dora"))
    befriend(ana, ben)
    lost_phone = ana.again()
    kept, deleted = (ana.share(text, picture) for text in ("Kept", "Deleted later"))
    chat = chat_of(ana, ben)
    once = f"/api/v1/chats/{chat}/messages/{send_once(ana, chat, picture)}/open"
    server.stop()
    assert not copies(server.data)

    # The next version makes a copy for its owner alone.
    server.binary = later
    server.start()
    [copy] = copies(server.data)
    assert copy.stat().st_mode & 0o777 == 0o600 and copy.parent.stat().st_mode & 0o777 == 0o700
    assert re.fullmatch(r"\d{8}T\d{6}Z-1\.0\.0\.sqlite", copy.name)
    assert caption(ana, kept) == "Kept (later)"
    assert status(ana, "DELETE", f"/api/v1/statuses/{deleted}") == 200
    ana.log_out_others()
    assert status(ben, "POST", once) == 200
    lost = ana.share("Lost", picture)
    cleo = server.person("cleo")
    assert status(dora, "POST", f"/api/v1/accounts/{ana.id}/block") == 200
    pictures = len(server.pictures())

    # Under a server nothing is changed, and an earlier version says what to do.
    refused = run("back-out", "--yes", "--data", server.data, binary=later)
    assert refused.returncode == 1 and "is using" in refused.stderr
    server.stop()
    server.binary = BINARY
    with pytest.raises(RuntimeError, match=r"it has migration 9001-later, of a later version\. Install that version again"):
        server.start()
    refused = run("back-out", "--yes", "--data", server.data)
    assert refused.returncode == 1 and "of a later version" in refused.stderr
    # It asks, and nobody answers.
    asked = run("back-out", "--data", server.data, binary=later)
    assert asked.returncode == 1 and "Nothing was changed." in asked.stdout
    for words in ("made 2 changes", "9001-later", "9002-later", "back to version 1.0.0", "1 account", "1 post", "1 photo"):
        assert words in asked.stdout
    assert copies(server.data) == [copy]

    done = run("back-out", "--yes", "--data", server.data, binary=later)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert "Install that version now" in done.stdout
    assert not copy.parent.exists()
    again = run("back-out", "--yes", "--data", server.data, binary=later)
    assert again.returncode == 1 and "There is no copy" in again.stderr
    server.start()
    assert caption(ana, kept) == "Kept"
    assert [status(ana, "GET", f"/api/v1/statuses/{id}") for id in (deleted, lost)] == [404, 404]
    assert [status(one, "GET", "/api/v1/chats") for one in (ben, lost_phone, cleo)] == [200, 401, 401]
    assert status(ben, "POST", once) == 410
    # Dora still blocks her.
    assert status(ana, "GET", f"/api/v1/accounts/{dora.id}") == 404
    assert [one["id"] for one in dora.get("/api/v1/blocks")] == [ana.id]
    assert server.command("check") == "No problems found."
    end = time.monotonic() + 60
    while len(server.pictures()) >= pictures:
        assert time.monotonic() < end, "the pictures of what is lost stay on the disk"
        time.sleep(0.05)
    assert "Here again" in caption(ana, ana.share("Here again", picture))
    server.stop()

    # Updated once more.
    server.binary = later
    server.start()
    assert caption(ana, kept) == "Kept (later)"
    assert len(copies(server.data)) == 1


def test_a_version_that_changes_nothing_makes_no_copy_and_an_old_one_is_erased(tmp_path, start, later):
    server = start(tmp_path / "data", *FLAGS)
    ana = server.person("ana")
    server.stop()
    server.start()
    server.stop()
    assert not copies(server.data)
    assert "up to date" in run("migrate", "--data", server.data, binary=later).stdout
    [copy] = copies(server.data)
    server.binary = later
    server.start()
    assert copies(server.data) == [copy]
    server.stop()
    copy.rename(copy.with_name("20201128T062500Z-1.0.0.sqlite"))
    server.start()
    end = time.monotonic() + 30
    while copies(server.data):
        assert time.monotonic() < end, server.log
        time.sleep(0.05)
    assert ana.get("/api/v1/chats") == []


def test_a_command_of_a_later_version_leaves_the_database_of_a_running_server_alone(tmp_path, start, later):
    server = start(tmp_path / "data", *FLAGS)
    ana = server.person("ana")
    refused = run("invite", "create", "--data", server.data, binary=later)
    assert refused.returncode == 1
    assert "which a server uses. Stop the server, or start it again with this version" in refused.stderr
    assert not copies(server.data) and ana.get("/api/v1/chats") == []
    assert server.command("invite", "create")


@pytest.mark.long
def test_kills_at_any_moment_of_an_update_and_of_the_way_back_leave_one_state_or_the_other(tmp_path, start, later, picture):
    server = start(tmp_path / "first", *FLAGS)
    ana = server.person("ana")
    kept, deleted = (ana.share(text, picture) for text in ("Kept", "Deleted later"))
    server.stop()
    for number in range(KILLS):
        data = str(tmp_path / f"data{number}")
        shutil.copytree(server.data, data)
        # The moments are what is random here; nothing waits for them.
        update = subprocess.Popen([later, "migrate", "--data", data], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(random.uniform(0.02, 0.4))
        update.kill()
        update.wait()
        # The earlier version works as long as nothing was changed.
        tried = run("check", "--data", data)
        assert tried.returncode == 0 or "of a later version" in tried.stderr, tried
        updated = start(data, *FLAGS, binary=later)
        person = Person(updated, "ana", ana.cookie)
        assert caption(person, kept) == "Kept (later)"
        assert len(copies(data)) == 1
        assert status(person, "DELETE", f"/api/v1/statuses/{deleted}") == 200
        updated.stop()
        back = subprocess.Popen([later, "back-out", "--yes", "--data", data], stdout=subprocess.DEVNULL)
        time.sleep(random.uniform(0.02, 0.6))
        back.kill()
        back.wait()
        done = run("back-out", "--yes", "--data", data, binary=later)
        assert done.returncode == 0 or "There is no copy" in done.stderr, done.stderr
        assert not pathlib.Path(data, "before-upgrade").exists()
        updated.binary = BINARY
        updated.start()
        assert caption(person, kept) == "Kept"
        assert status(person, "GET", f"/api/v1/statuses/{deleted}") == 404
        assert updated.command("check") == "No problems found."
        updated.stop()
        updated.process = None


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_without_room_for_the_copy_nothing_is_changed_unless_the_operator_says_so(tmp_path, start, later):
    disk = tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", disk], check=True)
    try:
        server = start(disk / "data", *FLAGS)
        ana = server.person("ana")
        server.stop()
        size = (disk / "data/tintype.sqlite").stat().st_size
        room = os.statvfs(disk)
        (disk / "ballast").write_bytes(bytes(room.f_bavail * room.f_frsize - size // 2))
        server.binary = later
        with pytest.raises(RuntimeError, match=r"there is no room for a copy of it: .* Make room, or start once with"):
            server.start()
        assert not copies(server.data)
        assert run("check", "--data", server.data).stdout.strip() == "No problems found."
        done = run("migrate", "--data", server.data, "--upgrade-copy", "no", binary=later)
        assert done.returncode == 0, done.stderr
        assert not copies(server.data)
        assert "There is no copy" in run("back-out", "--data", server.data, binary=later).stderr
        (disk / "ballast").unlink()
        server.start()
        assert ana.get("/api/v1/chats") == []
        server.stop()
        server.process = None
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name.removesuffix(".sql.gz"))
def test_the_database_of_each_release_is_updated_and_backed_out(tmp_path, start, later, release):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    with contextlib.closing(sqlite3.connect(data / "tintype.sqlite")) as database, database:
        database.executescript(gzip.decompress(release.read_bytes()).decode())
    before = rows(data)
    # Its pictures aren't kept with it.
    assert damage(data, BINARY) == []
    server = start(data, *FLAGS)
    ana = Person(server, "ana", server.enter("/login", username="ana", password="correct horse"))
    assert ana.get("/api/v1/timelines/home") and ana.get("/api/v1/chats") and ana.get("/api/v1/notifications")
    server.stop()
    after = rows(data)
    assert {table for table in before if before[table] and not after[table]} <= PASSING
    # On to a version after this one, and back.
    assert damage(data, later) == []
    done = run("back-out", "--yes", "--data", str(data), binary=later)
    assert done.returncode == 0, done.stderr
    assert rows(data) == after
    assert damage(data, BINARY) == []
    # Back from a server on which somebody has deleted a post.
    server.binary = later
    server.start()
    assert status(ana, "DELETE", "/api/v1/statuses/" + ana.get("/api/v1/timelines/home")[0]["id"]) in (200, 404)
    server.stop()
    done = run("back-out", "--yes", "--data", str(data), binary=later)
    assert done.returncode == 0, done.stderr
    assert damage(data, BINARY) == []


def rows(data):
    """How many rows each table has."""
    with contextlib.closing(sqlite3.connect(data / "tintype.sqlite")) as database:
        tables = database.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'storage%'")
        return {
            table: database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] for (table,) in tables.fetchall()
        }


def damage(data, binary):
    """What a version finds wrong, apart from the pictures that aren't there."""
    found = run("check", "--data", str(data), binary=binary)
    assert "Error" not in found.stderr, found.stderr
    lines = found.stdout.strip().splitlines()
    return [line for line in lines if line != "No problems found." and not re.fullmatch(r"the file \w+ is missing", line)]
