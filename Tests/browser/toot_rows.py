"""What each command of toot does here, or with which sentence it is refused (test_toot_all.py)."""

import fcntl
import json
import os
import pty
import select
import struct
import subprocess
import termios
import time

from apps import Toot, code_for


def on_a_terminal(toot, *arguments):
    """Starts toot on a terminal of its own: the process, what types, and what waits for words on the screen."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
    process = subprocess.Popen(
        [toot.program, *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
        env={**toot.environment, "TERM": "xterm"}, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)

    def until(words):
        seen, deadline = "", time.monotonic() + 60
        while words not in seen:
            assert time.monotonic() < deadline, seen
            if select.select([ours], [], [], 1)[0]:
                try:
                    seen += os.read(ours, 65_536).decode(errors="replace")
                except OSError:
                    # The terminal is gone once the process has ended.
                    assert words in seen, seen

    return process, lambda typed: os.write(ours, typed.encode()), until


class Works:
    """Commands that work: each row is named after one, runs it, and sees that it has happened.

    The parameter is the scene (test_toot_all.py). A row of a group's command has the group's name in front.
    """

    # Log-in and the program itself.

    def login(s):
        other = Toot(s.folder("login"))
        other.log_in(s.server.url, lambda url: code_for(s.page, url))
        assert "@ana" in other("whoami")

    def logout(s):
        other = Toot(s.folder("logout"))
        other.log_in(s.server.url, lambda url: code_for(s.page, url))
        assert "logged out" in other("logout", f"ana@{s.host}")
        assert other.try_to("whoami").returncode != 0

    def activate(s):
        other = Toot(s.folder("activate"))
        other.log_in(s.server.url, lambda url: code_for(s.page, url))
        config = json.loads(other.config.read_text())
        config["users"][f"ben@{s.host}"] = {"instance": s.host, "username": "ben", "access_token": s.ben.token}
        other.config.write_text(json.dumps(config))
        assert "activated" in other("activate", f"ben@{s.host}")
        assert "@ben" in other("whoami")

    def auth(s):
        assert f"ana@{s.host} ACTIVE" in s.toot("auth")

    def diag(s):
        assert "version 4.2.0" in s.toot("diag", "--server")

    def env(s):
        assert "Config file" in s.toot("env")

    def instance(s):
        assert "4.2.0" in s.toot("instance")
        assert s.toot.json("instance")["uri"] == s.host

    def tui(s):
        s.theirs("On a terminal")
        process, type, until = on_a_terminal(s.toot, "tui")
        try:
            until("dismiss this warning")
            type("\n")
            until("On a terminal")
            type("q")
            assert process.wait(30) == 0
        finally:
            process.kill()

    # People.

    def whoami(s):
        assert "@ana" in s.toot("whoami")
        assert s.toot.json("whoami")["username"] == "ana"

    def whois(s):
        assert "@ben" in s.toot("whois", "ben")
        assert s.toot.json("whois", "ben")["id"] == s.ben.id

    def search(s):
        assert "@ben" in s.toot("search", "ben")
        assert [one["acct"] for one in s.toot.json("search", "ben", "--type", "accounts")["accounts"]] == ["ben"]

    def follow(s):
        other = s.someone()
        s.toot("follow", other.username)
        assert s.relationship(other)["following"]

    def unfollow(s):
        other = s.someone(friend=True)
        s.toot("unfollow", other.username)
        assert not s.relationship(other)["following"]

    def following(s):
        assert "@ben" in s.toot("following")
        assert "ana" in s.names("following", "ben")

    def followers(s):
        assert "@ben" in s.toot("followers")
        assert "ana" in s.names("followers", "ben")

    def mute(s):
        other = s.someone()
        s.toot("mute", other.username)
        assert s.relationship(other)["muting"]

    def unmute(s):
        other = s.someone()
        s.toot("mute", other.username)
        s.toot("unmute", other.username)
        assert not s.relationship(other)["muting"]

    def muted(s):
        other = s.someone()
        s.toot("mute", other.username)
        assert other.username in s.names("muted")

    def block(s):
        other = s.someone()
        s.toot("block", other.username)
        assert s.relationship(other)["blocking"]

    def unblock(s):
        other = s.someone()
        s.toot("block", other.username)
        s.toot("unblock", other.username)
        assert not s.relationship(other)["blocking"]

    def blocked(s):
        other = s.someone()
        s.toot("block", other.username)
        assert other.username in s.names("blocked")

    def follow_requests_list(s):
        asking = s.asking()
        assert asking.username in s.names("follow-requests", "list", toot=s.pias)

    def follow_requests_accept(s):
        asking = s.asking()
        s.pias("follow-requests", "accept", asking.username)
        assert asking.username in s.names("followers", toot=s.pias)

    def follow_requests_reject(s):
        asking = s.asking()
        s.pias("follow-requests", "reject", asking.username)
        assert asking.username not in s.names("follow-requests", "list", toot=s.pias)
        assert asking.username not in s.names("followers", toot=s.pias)

    def update_account(s):
        s.toot(
            "update-account", "--display-name", "Ana by toot", "--note", "I take pictures", "--avatar", s.picture,
            "--header", s.picture, "--no-bot", "--no-discoverable", "--no-locked", "--privacy", "unlisted",
            "--no-sensitive", "--language", "de",
        )  # fmt: skip
        seen = s.toot.json("whoami")
        s.toot("update-account", "--privacy", "private", "--language", "en")
        assert (seen["display_name"], seen["source"]["note"]) == ("Ana by toot", "I take pictures")
        assert "/portraits/" in seen["avatar"] and "/banners/" in seen["header"]
        assert (seen["discoverable"], seen["locked"]) == (False, False)
        assert (seen["source"]["privacy"], seen["source"]["language"]) == ("unlisted", "de")

    def update_account_old(s):
        s.toot("update_account", "--display-name", "Ana again")
        assert s.toot.json("whoami")["display_name"] == "Ana again"

    # Posts.

    def post(s):
        made = s.toot.json(
            "post", "By toot", "--media", s.picture, "--description", "Soft colours", "--visibility", "public",
            "--sensitive", "--spoiler-text", "Bright", "--language", "de",
        )  # fmt: skip
        seen = s.status(made["id"])
        assert (seen["content"], seen["visibility"], seen["spoiler_text"]) == ("<p>By toot</p>", "public", "Bright")
        assert seen["media_attachments"][0]["description"] == "Soft colours"
        reply = s.toot.json("post", "Lovely", "--reply-to", s.theirs(), "--visibility", "public")
        assert s.status(reply["id"])["content"] == "<p>Lovely</p>"

    def upload(s):
        made = s.toot.json("upload", s.picture, "--description", "Soft colours")
        assert s.ana.get(f"/api/v1/media/{made['id']}")["description"] == "Soft colours"

    def status(s):
        assert "Shown" in s.toot("status", s.theirs("Shown"))

    def thread(s):
        post = s.theirs("Above")
        s.ben.post("/api/v1/statuses", status="Below", in_reply_to_id=post)
        printed = s.toot("thread", post)
        assert "Above" in printed and "Below" in printed

    def delete(s):
        post = s.mine()
        s.toot("delete", post)
        assert s.toot.try_to("status", post).returncode != 0

    def favourite(s):
        post = s.theirs()
        s.toot("favourite", post)
        assert s.status(post)["favourites_count"] == 1

    def unfavourite(s):
        post = s.theirs()
        s.toot("favourite", post)
        s.toot("unfavourite", post)
        assert s.status(post)["favourites_count"] == 0

    def bookmark(s):
        post = s.theirs()
        s.toot("bookmark", post)
        assert s.ana.get("/api/v1/bookmarks?limit=1")[0]["id"] == post

    def unbookmark(s):
        post = s.theirs()
        s.toot("bookmark", post)
        s.toot("unbookmark", post)
        assert not s.ana.get(f"/api/v1/statuses/{post}")["bookmarked"]

    def bookmarks(s):
        s.toot("bookmark", s.theirs("Saved here"))
        assert "Saved here" in s.toot("bookmarks", "--once")

    def pin(s):
        post = s.mine()
        s.toot("pin", post)
        pinned = s.ana.get(f"/api/v1/accounts/{s.ana.id}/statuses?pinned=true")
        s.ana.post(f"/api/v1/statuses/{post}/unpin")
        assert [one["id"] for one in pinned] == [post]

    def unpin(s):
        post = s.mine()
        s.toot("pin", post)
        s.toot("unpin", post)
        assert s.ana.get(f"/api/v1/accounts/{s.ana.id}/statuses?pinned=true") == []

    def notifications(s):
        post = s.mine()
        s.ben.post(f"/api/v1/statuses/{post}/favourite")
        assert "favourited" in s.toot("notifications", "--type", "favourite")
        s.toot("notifications", "--clear")
        assert s.toot.json("notifications") == []

    # Timelines.

    def timeline(s):
        post = s.theirs("In all #timelines", visibility="public")
        crew = s.list(s.ben)
        for where in [(), ("--public", "--local"), ("--tag", "timelines"), ("--account", "ben"), ("--list", crew)]:
            assert "In all" in s.toot("timeline", "--once", *where), where
        assert post

    def timelines_home(s):
        post = s.theirs()
        assert s.first("home") == post

    def timelines_public(s):
        post = s.theirs(visibility="public")
        assert s.first("public") == post

    def timelines_tag(s):
        post = s.theirs("At the #quay", visibility="public")
        assert s.first("tag", "quay") == post

    def timelines_account(s):
        post = s.theirs()
        assert s.first("account", "ben") == post

    def timelines_favourites(s):
        post = s.theirs()
        s.ana.post(f"/api/v1/statuses/{post}/favourite")
        assert s.first("favourites") == post

    def timelines_list(s):
        crew = s.list(s.ben)
        post = s.theirs()
        assert s.first("list", crew) == post

    # Lists.

    def lists_list(s):
        crew = s.list()
        assert crew in s.toot("lists", "list")

    def lists_create(s):
        s.toot("lists", "create", "Made by toot")
        assert "Made by toot" in s.titles()

    def lists_delete(s):
        crew = s.list()
        s.toot("lists", "delete", crew)
        assert crew not in s.titles()

    def lists_accounts(s):
        assert "ben" in s.toot("lists", "accounts", s.list(s.ben))

    def lists_add(s):
        crew = s.list()
        s.toot("lists", "add", crew, "ben")
        assert s.members(crew) == ["ben"]

    def lists_remove(s):
        crew = s.list(s.ben)
        s.toot("lists", "remove", crew, "ben")
        assert s.members(crew) == []

    def list_create(s):
        s.toot("list_create", "Made before")
        assert "Made before" in s.titles()

    def list_delete(s):
        crew = s.list()
        s.toot("list_delete", crew)
        assert crew not in s.titles()

    def list_accounts(s):
        assert "ben" in s.toot("list_accounts", s.list(s.ben))

    def list_add(s):
        crew = s.list()
        s.toot("list_add", crew, "ben")
        assert s.members(crew) == ["ben"]

    def list_remove(s):
        crew = s.list(s.ben)
        s.toot("list_remove", crew, "ben")
        assert s.members(crew) == []

    # Hashtags.

    def tags_info(s):
        s.theirs("#lagoon", visibility="public")
        s.theirs("#islands", visibility="public")
        assert "Not followed" in s.toot("tags", "info", "lagoon")
        # Only a longer one is there.
        assert "Tag not found" in s.toot.try_to("tags", "info", "island").stderr

    def tags_follow(s):
        s.toot("tags", "follow", "lighthouse")
        assert s.ana.get("/api/v1/tags/lighthouse")["following"]

    def tags_unfollow(s):
        s.toot("tags", "follow", "pier")
        s.toot("tags", "unfollow", "pier")
        assert not s.ana.get("/api/v1/tags/pier")["following"]

    def tags_followed(s):
        s.toot("tags", "follow", "harbour")
        assert "#harbour" in s.toot("tags", "followed")

    def tags_feature(s):
        s.toot("tags", "feature", "sails")
        assert "sails" in s.featured()

    def tags_featured(s):
        s.toot("tags", "feature", "masts")
        assert "#masts" in s.toot("tags", "featured")

    def tags_unfeature(s):
        s.toot("tags", "feature", "buoys")
        s.toot("tags", "unfeature", "buoys")
        assert "buoys" not in s.featured()

    # What finds nothing.

    def reblogged_by(s):
        assert "not reblogged by anyone" in s.toot("reblogged-by", s.theirs())

    def reblogged_by_old(s):
        assert s.toot.json("reblogged_by", s.theirs()) == []

    def timelines_trending(s):
        assert s.toot.json("timelines", "trending") == []


# The rows' names, where a command's own name says it in another way.
OLD = {"update_account_old": "update_account", "reblogged_by_old": "reblogged_by"}
NEW = {"update_account": "update-account", "reblogged_by": "reblogged-by"}


def command(row):
    """The command that a row is about, as toot's help has it: `lists add`."""
    if row in OLD:
        return OLD[row]
    for group in ["follow_requests", "timelines", "lists", "tags"]:
        if row.startswith(group + "_"):
            return f"{group.replace('_', '-')} {row.removeprefix(group + '_')}"
    return NEW.get(row, row)


WORKS = {command(name): row for name, row in vars(Works).items() if not name.startswith("_")}

BOOSTS = "Posts can’t be boosted here, because their author chose who sees them."
POLLS = "This server doesn’t have polls."

# Commands that are refused: what comes behind them, or a function that makes it, with the sentence that is printed.
REFUSED = {
    # There are no tokens for passwords (Documentation/Security.md, "Apps").
    "login_cli": (lambda s: ("--instance", s.server.url, "--email", "ana", "--password", "correct horse"), "Login failed"),
    "polls show": (("1",), POLLS),
    "polls vote": (("1", "0"), POLLS),
    "reblog": (lambda s: (s.theirs(),), BOOSTS),
    "unreblog": (lambda s: (s.theirs(),), BOOSTS),
    "timelines link": (("https://example.org",), "This server doesn’t have timelines of links."),
}
