"""What a script with Mastodon.py does here, with a token that the operator made."""

import itertools
import queue

import mastodon
import pytest

from people import befriend
from servers import free_port

# Mastodon.py asks the server where its streams are, so the server has to know its own address.
PORT = free_port()
SERVER_FLAGS = [
    "--limit-reads", "100000", "--limit-writes", "100000", "--port", str(PORT),
    "--public-url", f"http://localhost:{PORT}",
]


@pytest.fixture(scope="module")
def friends(server):
    """Two friends, whose tokens come from `tintype token create`."""
    ana, ben = server.person("ana"), server.person("ben")
    befriend(ana, ben)
    return ana, ben


def client(person):
    return mastodon.Mastodon(
        access_token=person.token, api_base_url=person.server.url, ratelimit_method="throw", request_timeout=30
    )


@pytest.fixture(scope="module")
def clients(friends):
    return [client(person) for person in friends]


@pytest.fixture(scope="module")
def picture(tmp_path_factory):
    from conftest import png

    path = tmp_path_factory.mktemp("mastodon") / "picture.png"
    path.write_bytes(png(64, 48))
    return path


def publish(api, path, text, visibility="private"):
    media = api.media_post(str(path), description="A picture of soft colours")
    assert media.url
    return api.status_post(text, media_ids=[media.id], visibility=visibility)


class Listener(mastodon.StreamListener):
    """Puts what comes into a queue."""

    def __init__(self):
        self.heard = queue.Queue()

    def handle_heartbeat(self):
        self.heard.put(("heartbeat", None))

    def on_abort(self, error):
        self.heard.put(("abort", error))

    def on_any_event(self, name, data, for_stream=None):
        self.heard.put((name, data))

    def next(self, name):
        """What the next event of a name says; others before it are left out."""
        while True:
            found, data = self.heard.get(timeout=30)
            assert found != "abort", data
            if found == name:
                return data


def test_the_server_and_ones_own_account(clients, picture):
    ana, _ = clients
    assert ana.instance().version.startswith("4.2")
    assert ana.instance_nodeinfo().software.name == "pixelfed"
    assert ana.account_verify_credentials().username == "ana"
    assert ana.account_update_credentials(note="I take pictures").source.note == "I take pictures"
    account = ana.account_update_credentials(
        header=picture, header_mime_type="image/png", avatar=picture, avatar_mime_type="image/png"
    )
    assert "/banners/" in account.header and "/portraits/" in account.avatar
    assert ana.account_delete_header().header.endswith("/missing.png")
    assert "/initials/" in ana.account_delete_avatar().avatar
    account = ana.account_update_credentials(fields=[("Camera", "Olympus XA")], discoverable=False)
    assert [(field.name, field.value) for field in account.fields] == [("Camera", "Olympus XA")]
    assert account.discoverable is False
    with pytest.raises(mastodon.MastodonAPIError, match="automated"):
        ana.account_update_credentials(bot=True)
    for read in [
        ana.lists, ana.filters_v2, ana.announcements, ana.blocks, ana.mutes, ana.follow_requests,
        ana.custom_emojis, ana.domain_blocks, ana.bookmarks, ana.favourites, ana.scheduled_statuses,
        ana.trending_tags, ana.instance_peers, ana.suggestions, ana.followed_tags,
    ]:
        assert list(read()) == [], read.__name__
    assert ana.preferences()
    with pytest.raises(mastodon.MastodonAPIError, match="nothing to block"):
        ana.domain_block("other.example")


def test_posts_comments_likes_and_bookmarks(clients, picture):
    ana, ben = clients
    post = publish(ana, picture, "Morning")
    assert ben.timeline_home()[0].id == post.id
    assert ben.status(post.id).content == "<p>Morning</p>"
    reply = ben.status_reply(post, "Lovely")
    assert [one.id for one in ana.status_context(post.id).descendants] == [reply.id]
    assert ben.status_favourite(post.id).favourites_count == 1
    assert ben.status_bookmark(post.id).bookmarked
    assert [one.id for one in ben.bookmarks()] == [post.id] == [one.id for one in ben.favourites()]
    assert [one.username for one in ana.status_favourited_by(post.id)] == ["ben"]
    assert not ben.status_unfavourite(post.id).favourited
    assert not ben.status_unbookmark(post.id).bookmarked
    with pytest.raises(mastodon.MastodonAPIError, match="boosted"):
        ben.status_reblog(post.id)
    edited = ana.status_update(post.id, "Good morning")
    assert edited.edited_at
    assert ben.status_source(post.id).text == "Good morning"
    versions = ana.status_history(post.id)
    assert [one.content for one in versions] == ["<p>Morning</p>", "<p>Good morning</p>"]
    assert ana.status_delete(post.id).text == "Good morning"
    with pytest.raises(mastodon.MastodonNotFoundError):
        ben.status(post.id)


def test_people_are_found_followed_and_unfollowed(clients, server):
    ana, ben = clients
    cleo = client(server.person("cleo"))
    me = cleo.me()
    assert [one.id for one in ana.account_search("cleo")] == [me.id]
    assert ana.account_lookup("cleo").id == me.id
    assert ana.search_v2("cleo").accounts[0].id == me.id
    assert ana.account_follow(me.id).following
    assert [one.username for one in cleo.account_followers(me.id)] == ["ana"]
    # Ben follows ana, who follows cleo.
    assert [one.username for one in ben.suggestions()] == ["cleo"]
    assert not ana.account_unfollow(me.id).following
    assert ana.account_block(me.id).blocking
    assert not ana.account_unblock(me.id).blocking


def test_muting_people_and_threads(clients, picture):
    ana, ben = clients
    me = ben.me()
    post = publish(ben, picture, "Too much of this", visibility="public")
    assert ana.account_mute(me.id).muting
    assert [one.id for one in ana.mutes()] == [me.id]
    assert post.id not in [one.id for one in ana.timeline_home()]
    assert post.id not in [one.id for one in ana.timeline_local()]
    mine = publish(ana, picture, "Mine")
    ben.status_favourite(mine.id)
    assert [one for one in ana.notifications(types=["favourite"]) if one.status.id == mine.id] == []
    relation = ana.account_mute(me.id, notifications=False, duration=3600)
    assert relation.muting and not relation.muting_notifications
    assert ana.mutes()[0].mute_expires_at
    assert not ana.account_unmute(me.id).muting
    assert post.id in [one.id for one in ana.timeline_home()]
    assert ana.status_mute(mine.id).muted
    ben.status_reply(mine, "Nobody hears this")
    assert [one for one in ana.notifications(mentions_only=True) if "Nobody hears" in one.status.content] == []
    assert not ana.status_unmute(mine.id).muted


def test_pins(clients, picture):
    ana, ben = clients
    posts = [publish(ana, picture, f"Post {number}") for number in range(4)]
    for post in posts[:3]:
        assert ana.status_pin(post.id).pinned
    with pytest.raises(mastodon.MastodonAPIError, match="Unpin one"):
        ana.status_pin(posts[3].id)
    pinned = ben.account_statuses(ana.me().id, pinned=True)
    assert [one.id for one in pinned] == [one.id for one in reversed(posts[:3])]
    for post in posts[:3]:
        assert not ana.status_unpin(post.id).pinned


def test_notifications_one_by_one_and_in_groups(clients, picture):
    ana, ben = clients
    post = publish(ana, picture, "Liked")
    ben.status_favourite(post.id)
    ben.status_reply(post, "Nice")
    newest = ana.notifications(limit=2)
    assert [(one.type, one.account.username) for one in newest] == [("mention", "ben"), ("favourite", "ben")]
    groups = ana.grouped_notifications(limit=2)
    likes = groups.notification_groups[1]
    assert likes.group_key == f"favourite-{post.id}" and likes.notifications_count == 1
    assert likes.status_id == post.id and likes.sample_account_ids == [ben.me().id]
    assert ana.grouped_notification(likes.group_key).notification_groups[0].group_key == likes.group_key
    assert [one.username for one in ana.grouped_notification_accounts(likes.group_key)] == ["ben"]
    assert ana.unread_grouped_notifications_count() >= 2
    ana.dismiss_grouped_notification(likes.group_key)
    assert ana.notifications(limit=2)[0].id == newest[0].id
    ana.notifications_clear()
    assert list(ana.notifications()) == []


def test_pages_follow_each_other(clients, picture):
    ana, _ = clients
    for number in range(5):
        publish(ana, picture, f"Page {number}")
    me = ana.me()
    first = ana.account_statuses(me.id, limit=2)
    found = list(itertools.islice(itertools.chain(first, ana.fetch_next(first)), 4))
    assert [one.text for one in found] == [f"Page {number}" for number in (4, 3, 2, 1)]
    assert [one.id for one in ana.fetch_previous(ana.fetch_next(first))] == [one.id for one in first]


def test_server_sent_events(clients, picture):
    ana, ben = clients
    assert ana.stream_healthy()
    listener = Listener()
    handle = ana.stream_user(listener, run_async=True)
    try:
        # The stream's first line, from which on nothing is missed.
        listener.next("heartbeat")
        post = publish(ben, picture, "Live")
        assert listener.next("update").id == post.id
        ben.status_update(post.id, "Live, changed")
        assert listener.next("status.update").text == "Live, changed"
        ben.status_delete(post.id)
        assert str(listener.next("delete")) == str(post.id)
    finally:
        handle.close()


def test_a_web_socket_for_several_streams(clients, friends, server, picture):
    ana, ben = clients
    dora = client(server.person("dora"))
    own, everyone = Listener(), Listener()
    handle = ana.stream_open_websocket()
    try:
        ana.stream_user(own, websocket_handle=handle)
        ana.stream_public(everyone, local=True, websocket_handle=handle)
        # A subscription has no answer: what is posted is heard from some post on.
        for number in range(20):
            publish(dora, picture, f"Public {number}", visibility="public")
            try:
                name, data = everyone.heard.get(timeout=2)
                break
            except queue.Empty:
                continue
        assert name == "update" and data.account.username == "dora"
        post = publish(ben, picture, "For friends")
        assert own.next("update").id == post.id
        ben.status_reply(publish(ana, picture, "Mine"), "Heard")
        assert "Heard" in own.next("notification").status.content
    finally:
        handle.close()
