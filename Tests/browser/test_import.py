"""Moving in: the command imports the archives of other services beside a running server."""

import io
import json
import re
import subprocess
import tarfile
import zipfile

from playwright.sync_api import expect

from conftest import png
from servers import BINARY, run

ACTOR = "https://old.example/users/mira"
EVERYONE = "https://www.w3.org/ns/activitystreams#Public"


def mastodon(path, count):
    """An archive with a post of one photo for each of some years, the first in 2010."""
    notes, files = [], {}
    for number in range(count):
        name = f"media_attachments/files/{number}/original/photo.png"
        files[name] = png(320, 240, seed=number)
        notes.append({
            "id": f"{ACTOR}/statuses/{number}/activity", "type": "Create", "actor": ACTOR,
            "object": {
                "id": f"{ACTOR}/statuses/{number}", "type": "Note", "published": f"{2010 + number}-03-04T12:00:00Z",
                "content": f"<p>Spring of {2010 + number}</p>", "to": [EVERYONE], "cc": [],
                "attachment": [{"type": "Document", "mediaType": "image/png", "url": f"/{name}", "name": f"Tree of {2010 + number}"}],
            },
        })
    outbox = {"id": "outbox.json", "type": "OrderedCollection", "orderedItems": notes}
    files |= {"outbox.json": json.dumps(outbox).encode(), "actor.json": json.dumps({"id": ACTOR}).encode()}
    with tarfile.open(path, "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return str(path)


def test_a_killed_import_goes_on_and_profile_and_library_show_all_once_in_order(tmp_path, server, people):
    mira, ben = people("mira"), people("ben")
    ben.post(f"/api/v1/accounts/{mira.id}/follow")
    archive = mastodon(tmp_path / "archive.tar.gz", 12)
    arguments = ["import", "mastodon", archive, "--account", "mira", "--posts"]
    library, posts = "/api/v1/photos?limit=40", f"/api/v1/accounts/{mira.id}/statuses?limit=40"
    # Killed wherever it is, beside the running server, as soon as so many photos or posts are there.
    for path, count in [(library, 1), (library, 7), (posts, 4)]:
        process = subprocess.Popen(
            [BINARY, *arguments, "--data", server.data, *server.places], stdout=subprocess.DEVNULL)
        while len(mira.get(path)) < count:
            assert process.poll() is None
        process.kill()
        process.wait()
    report = server.command(*arguments)
    assert "0 photos added to the library, 12 were here already." in report
    assert re.search(r"^\d posts? added with (its date|their dates), \d+ were here already\.$", report, re.MULTILINE)
    again = server.command(*arguments)
    assert "0 posts added with their dates, 12 were here already." in again
    assert server.command("check") == "No problems found."

    years = [2010 + number for number in reversed(range(12))]
    assert [status["text"] for status in mira.get(posts)] == [f"Spring of {year}" for year in years]
    assert [photo["description"] for photo in mira.get(library)] == [f"Tree of {year}" for year in years]
    assert ben.get("/api/v1/notifications") == []
    # What is new is above what is old.
    (tmp_path / "new.png").write_bytes(png(320, 240, seed=99))
    mira.post("/api/v1/statuses", status="Today", media_ids=[mira.upload(tmp_path / "new.png")])
    ben.page.goto("/home")
    expect(ben.page.locator("post-card").first).to_contain_text("Today")
    expect(ben.page.locator("post-card").nth(1)).to_contain_text("Spring of 2021")
    mira.page.goto("/library")
    expect(mira.page.get_by_alt_text("Tree of 2010")).to_be_attached()


def test_an_archive_of_web_pages_is_refused_with_what_to_do(tmp_path, server):
    server.person("nina")
    path = tmp_path / "instagram.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("your_instagram_activity/media/posts_1.html", "<p>")
    done = run("import", "instagram", str(path), "--account", "nina", "--data", server.data, *server.places)
    assert done.returncode == 1
    assert "choose JSON as its format" in done.stderr
