"""What Pixelfed's app asks for by calls of its own: chats of two, Discover, reports, and whose snaps wait."""

from conftest import png
from people import befriend

THREAD = "/api/v1.1/direct/thread"


def test_a_chat_of_two_and_discover(server, tmp_path):
    picture = tmp_path / "picture.png"
    picture.write_bytes(png(64, 48))
    ana, ben = server.person("ana"), server.person("ben")
    befriend(ana, ben)
    assert [one["id"] for one in ana.get("/api/v1.1/direct/compose/mutuals")] == [ben.id]
    assert [one["id"] for one in ana.post("/api/v1.1/direct/lookup", q="be")] == [ben.id]
    assert ana.get(f"{THREAD}?pid={ben.id}")["messages"] == []
    sent = ana.post(f"{THREAD}/send", to_id=ben.id, message="Hello", type="text")
    assert sent["isAuthor"] and sent["text"] == "Hello" and not sent["seen"]
    chat = ben.get("/api/v1/conversations")[0]["id"]
    secret = ben.upload(picture, purpose="view_once")
    ben.post(f"/api/v1/chats/{chat}/messages", media_id=secret, view_once=True)
    photo = ben.upload(picture)
    ben.post(f"/api/v1/chats/{chat}/messages", photo_id=photo)
    thread = ana.get(f"{THREAD}?pid={ben.id}")
    assert [one["text"] for one in thread["messages"]] == ["", "View-once photo", "Hello"]
    assert [one["id"] for one in thread["messages"][0]["carousel"]] == [photo]
    assert [one["media"] for one in thread["messages"][1:]] == [None, None]
    ana.post(f"{THREAD}/read", pid=ben.id)
    assert ben.get(f"{THREAD}?pid={ana.id}")["messages"][0]["seen"]
    ana.post(f"{THREAD}/mute", id=ben.id)
    assert ana.get(f"{THREAD}?pid={ben.id}")["muted"]
    ana.call("DELETE", f"{THREAD}/message?id={sent['id']}")
    assert len(ben.get(f"{THREAD}?pid={ana.id}")["messages"]) == 2

    posts = [ana.share(f"Post {number}", picture, visibility="public") for number in range(2)]
    ben.post(f"/api/v1/statuses/{posts[0]}/favourite")
    found = ben.get("/api/v1.1/discover/posts/trending?range=daily")
    assert [one["id"] for one in found] == posts
    reported = ben.post("/api/v1.1/report", object_type="post", object_id=posts[0], report_type="spam")
    assert reported["code"] == 200


def test_whose_snaps_wait(server):
    ana, ben = server.person("stories.ana"), server.person("stories.ben")
    befriend(ana, ben)
    # The app asks for stories only then, and for Home only with a version.
    config = ana.get("/api/v2/config")
    assert config["version"] and config["features"]["stories"]
    snap = ben.post("/api/v1/snaps", sample_id="memes-1", feed_id="memes")["id"]
    carousel = ana.get("/api/v1.2/stories/carousel")
    [waiting] = carousel["nodes"]
    assert waiting["user"]["username"] == "stories.ben"
    # What the app shows after a tap is no picture of the snap, which still waits.
    assert [(one["id"], one["src"].rsplit("/", 1)[1]) for one in waiting["nodes"]] == [(snap, "icon-512.png")]
    assert ana.post(f"/api/v1/snaps/{snap}/open")["view"]
    assert ana.get("/api/v1.2/stories/carousel")["nodes"] == []
