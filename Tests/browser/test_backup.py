"""A backup made beside a server that people write to: whole, consistent, and with all that was acknowledged."""

import re
import tarfile
import threading
import urllib.error

import pytest

from conftest import png
from people import Person
from servers import run

WRITERS = 2
FLAGS = ["--sign-up", "open", "--limit-writes", "1000000", "--limit-uploads", "1000000"]


class Writer(threading.Thread):
    """Someone who posts, likes and deletes until they are stopped, and notes what the server has acknowledged."""

    def __init__(self, person, picture):
        super().__init__()
        self.person, self.picture = person, picture
        self.stops = threading.Event()
        self.wrote = threading.Event()
        self.kept, self.deleted = [], []
        self.error = None

    def run(self):
        try:
            while not self.stops.is_set():
                photo = self.person.upload(self.picture)
                post = self.person.post("/api/v1/statuses", status="Kept", media_ids=[photo])["id"]
                self.person.post(f"/api/v1/statuses/{post}/favourite")
                self.kept.append((post, photo))
                gone = self.person.upload(self.picture)
                self.person.call("DELETE", f"/api/v1/photos/{gone}")
                self.deleted.append(gone)
                self.wrote.set()
        except Exception as error:
            self.error = error

    def next(self):
        """Waits until something more was written."""
        self.wrote.clear()
        assert self.wrote.wait(60), self.error


@pytest.mark.long
def test_a_backup_beside_a_busy_server_has_all_that_was_acknowledged(tmp_path, start):
    data, restored = str(tmp_path / "data"), str(tmp_path / "restored")
    picture = tmp_path / "picture.png"
    picture.write_bytes(png(320, 240))
    server = start(data, *FLAGS)
    writers = [Writer(server.person(f"writer{number}"), picture) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    try:
        backups = []
        for number in range(2):
            for writer in writers:
                writer.next()
            before = [(list(writer.kept), list(writer.deleted)) for writer in writers]
            file = tmp_path / f"{number}.tar"
            server.command("backup", str(file))
            backups.append((file, before))
        for writer in writers:
            writer.next()
    finally:
        for writer in writers:
            writer.stops.set()
        for writer in writers:
            writer.join()
    assert [writer.error for writer in writers] == [None] * WRITERS

    # Into a folder that has something in it nothing is restored.
    occupied = tmp_path / "occupied"
    occupied.mkdir()
    (occupied / "letter.txt").write_text("Mine")
    for folder in [str(occupied), data]:
        refused = run("restore", str(backups[0][0]), "--data", folder)
        assert refused.returncode == 1 and "isn't empty" in refused.stderr
    assert [path.name for path in occupied.iterdir()] == ["letter.txt"]
    server.command("check")

    for number, (file, before) in enumerate(backups):
        with tarfile.open(file) as archive:
            assert archive.getnames()[0] == "tintype.sqlite"
        folder = f"{restored}{number}"
        done = run("restore", str(file), "--data", folder)
        assert done.returncode == 0, done.stderr
        checked = run("check", "--data", folder)
        assert (checked.returncode, checked.stdout.strip()) == (0, "No problems found.")
        again = start(folder, *FLAGS)
        for writer, (kept, deleted) in zip(writers, before, strict=True):
            person = Person(again, writer.person.username, writer.person.cookie)
            assert kept
            for post, photo in kept:
                shown = person.get(f"/api/v1/statuses/{post}")
                assert shown["text"] == "Kept" and shown["favourites_count"] == 1
                assert [one["id"] for one in shown["media_attachments"]] == [photo]
            for size in ["large", "medium", "square"]:
                assert person.bytes(f"/photos/{photo}/{size}")[:3] == b"\xff\xd8\xff"
            assert person.bytes(f"/api/v1/photos/{photo}/original") == picture.read_bytes()
            for gone in deleted:
                with pytest.raises(urllib.error.HTTPError, match="404"):
                    person.get(f"/api/v1/photos/{gone}")


def entry(name, size=None, kind=tarfile.REGTYPE):
    """One file of an archive, of one byte whatever its header says."""
    header = tarfile.TarInfo(name)
    header.size, header.type = 1, kind
    block = bytearray(header.tobuf(tarfile.USTAR_FORMAT))
    block[124:136] = size or block[124:136]
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + b"x".ljust(512, b"\0")


DATABASE = entry("tintype.sqlite")
END = bytes(1024)


@pytest.mark.parametrize(
    "archive",
    [
        # Sizes in the base 256 of GNU's tar: what is just too much for a number of 64 bits, and less than nothing.
        entry("tintype.sqlite", size=b"\x80\0\0\0\x7f" + b"\xff" * 7) + END,
        entry("tintype.sqlite", size=b"\xff" * 12) + END,
        entry("tintype.sqlite", size=b"-0000000001\0") + END,
        entry("tintype.sqlite", size=b"77777777777\0") + END,
        entry("tintype.sqlite", kind=tarfile.SYMTYPE) + END,
        DATABASE + entry("../escaped") + END,
        DATABASE + entry("/tmp/escaped") + END,
        DATABASE + entry("blobs/00", kind=tarfile.DIRTYPE) + END,
        DATABASE + DATABASE + END,
        DATABASE,
        DATABASE[:600],
        b"",
    ],
)
def test_an_archive_that_lies_is_refused_in_a_sentence_and_restores_nothing(tmp_path, archive):
    file = tmp_path / "backup.tar"
    file.write_bytes(archive)
    done = run("restore", str(file), "--data", str(tmp_path / "data"))
    assert done.returncode == 1
    sentence = r"Error: (This isn't a (whole tar archive|backup of Tintype)|The archive has a link)\b[^\n]*\.\n"
    assert re.fullmatch(sentence, done.stderr)
    assert list(tmp_path.iterdir()) == [file]
