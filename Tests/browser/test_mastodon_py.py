"""What a script with Mastodon.py does here, with a token that the operator made."""

import itertools
import queue

import mastodon
import pytest

from apps import Listener, library
from people import befriend
from servers import own_address

# Mastodon.py asks the server where its streams are, so the server has to know its own address.
_, ADDRESS = own_address()
SERVER_FLAGS = ["--limit-reads", "100000", "--limit-writes", "100000", *ADDRESS]


@pytest.fixture(scope="module")
def friends(server):
    """Two friends, whose tokens come from `tintype token create`."""
    ana, ben = server.person("ana"), server.person("ben")
    befriend(ana, ben)
    return ana, ben


def client(person):
    return library(person.server.url, access_token=person.token)


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
        ana.announcements, ana.blocks, ana.mutes, ana.follow_requests,
        ana.custom_emojis, ana.domain_blocks, ana.bookmarks, ana.favourites, ana.scheduled_statuses,
        ana.trending_links, ana.instance_peers, ana.suggestions, ana.followed_tags, ana.featured_tags,
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
    assert ben.bookmarks()[0].id == post.id == ben.favourites()[0].id
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


def test_conversations_are_opened_answered_and_begun(clients, friends, server, picture):
    ana, ben = clients
    cleo = server.person("carl")
    for friend in friends:
        befriend(friend, cleo)
    listener = Listener()
    handle = ben.stream_direct(listener, run_async=True)
    try:
        listener.next("heartbeat")
        begun = ana.status_post("@ben Eight o’clock?", visibility="direct")
        assert begun.content == "<p>Eight o’clock?</p>" and begun.visibility == "direct"
        assert listener.next("conversation").last_status.id == begun.id
        conversation = ben.conversations()[0]
        assert conversation.unread and conversation.last_status.id == begun.id
        last = ben.status(conversation.last_status.id)
        assert [one.username for one in last.mentions] == ["ben"]
        answer = ben.status_post("@ana Nine", visibility="direct", in_reply_to_id=last.id)
        assert answer.in_reply_to_id == last.id and answer.content == "<p>Nine</p>"
        # As Mastodon.py answers: with the names of all receivers in front.
        again = ana.status_reply(answer, "Fine", untag=False)
        context = ben.status_context(answer.id)
        assert [one.id for one in context.ancestors][-1] == begun.id
        assert [one.content for one in context.descendants] == ["<p>Fine</p>"]
        assert ana.status_delete(again.id).text == "Fine"
        assert str(listener.next("delete")) == str(again.id)
    finally:
        handle.close()
    assert not ben.conversations_read(conversation.id).unread
    media = ana.media_post(str(picture), description="A picture of soft colours")
    photo = ana.status_post("@ben Look", media_ids=[media.id], visibility="direct")
    assert [one.id for one in ben.status(photo.id).media_attachments] == [media.id]
    assert ben.status_favourite(photo.id).favourited
    assert [one.username for one in ana.status_favourited_by(photo.id)] == ["ben"]
    group = ana.status_post("@ben @carl All together", visibility="direct")
    assert [one.username for one in group.mentions] == ["ben", "carl"]
    assert {one.username for one in client(cleo).conversations()[0].accounts} == {"ana", "ben"}
    for refused, sentence in [
        (lambda: ana.status_post("Hello", visibility="direct"), "whom you write to"),
        (lambda: ana.status_bookmark(photo.id), "can’t be saved"),
        (lambda: ana.status_pin(photo.id), "can’t be pinned"),
        (lambda: ana.status_mute(photo.id), "Mute the whole chat"),
        (lambda: ana.status_reblog(photo.id), "boosted"),
        (lambda: ana.status_update(photo.id, "Look!"), "can’t be changed"),
    ]:
        with pytest.raises(mastodon.MastodonAPIError, match=sentence):
            refused()
    with pytest.raises(mastodon.MastodonNotFoundError):
        client(cleo).status(photo.id)


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


def test_notes_many_at_once_and_the_directory(clients, picture):
    ana, ben = clients
    me, other = ana.me(), ben.me()
    assert ana.account_note_set(other.id, "From the club").note == "From the club"
    assert ana.account_relationships(other.id)[0].note == "From the club"
    assert ben.account_relationships(me.id)[0].note == ""
    assert ana.account_note_set(other.id, "").note == ""
    assert [one.username for one in ana.accounts([other.id, me.id])] == ["ben", "ana"]
    posts = [publish(ben, picture, f"Number {number}").id for number in range(2)]
    assert [one.id for one in ana.statuses(posts)] == posts
    assert "ben" in [one.username for one in ana.directory(order="new", local=True)]
    assert ana.account_endorse(other.id).endorsed
    assert [one.username for one in ana.endorsements()] == ["ben"]
    assert not ana.account_unendorse(other.id).endorsed and ana.endorsements() == []


def test_lists(clients, picture, server):
    ana, ben = clients
    crew = ana.list_create("Crew")
    assert crew.title == "Crew" and not crew.exclusive and crew.replies_policy == "none"
    other = ben.me()
    ana.list_accounts_add(crew.id, [other.id])
    assert [one.username for one in ana.list_accounts(crew.id)] == ["ben"]
    assert [one.id for one in ana.account_lists(other.id)] == [crew.id] == [one.id for one in ana.lists()]
    post = publish(ben, picture, "For the crew")
    assert ana.timeline_list(crew.id)[0].id == post.id
    assert ana.list_update(crew.id, "Crew at sea", exclusive=True).exclusive
    assert ana.list(crew.id).title == "Crew at sea"
    assert post.id not in [one.id for one in ana.timeline_home()]
    with pytest.raises(mastodon.MastodonAPIError, match="no comments"):
        ana.list_update(crew.id, "Crew at sea", replies_policy="followed")
    with pytest.raises(mastodon.MastodonAPIError, match="people you follow"):
        ana.list_accounts_add(crew.id, [client(server.person("lee")).me().id])
    ana.list_accounts_delete(crew.id, [other.id])
    assert list(ana.list_accounts(crew.id)) == []
    ana.list_delete(crew.id)
    assert list(ana.lists()) == []


def test_filters_in_both_versions(clients, picture):
    ana, ben = clients
    made = ana.create_filter_v2(
        "Weather", ["home", "thread"], "hide", expires_in=3600,
        keywords_attributes=[{"keyword": "rain", "whole_word": True}],
    )
    assert made.title == "Weather" and made.filter_action == "hide" and made.expires_at
    snow = ana.add_filter_keyword_v2(made.id, "snow", whole_word=True)
    assert [one.keyword for one in ana.filter_keywords_v2(made.id)] == ["rain", "snow"]
    ana.delete_filter_keyword_v2(snow.id)
    post, other = publish(ben, picture, "Rain again"), publish(ben, picture, "Sun")
    seen = {one.id: one.filtered for one in ana.timeline_home()}
    assert seen[post.id][0].filter.id == made.id and seen[post.id][0].keyword_matches == ["rain"]
    assert seen[other.id] == []
    single = ana.add_filter_status_v2(made.id, other.id)
    assert str(single.status_id) == str(other.id) and len(ana.filter_statuses_v2(made.id)) == 1
    assert ana.status(other.id).filtered[0].status_matches == [str(other.id)]
    ana.delete_filter_status_v2(single.id)
    assert ana.update_filter_v2(made.id, title="Skies", filter_action="warn").title == "Skies"
    assert [one.id for one in ana.filters_v2()] == [made.id] == [ana.filter_v2(made.id).id]
    ana.delete_filter_v2(made.id)
    assert list(ana.filters_v2()) == []

    older = ana.filter_create("football", ["home"], irreversible=True)
    assert older.phrase == "football" and older.irreversible and older.whole_word
    assert ana.filter_update(older.id, phrase="soccer", context=["home"]).phrase == "soccer"
    assert [one.phrase for one in ana.filters()] == ["soccer"] == [ana.filter(older.id).phrase]
    ana.filter_delete(older.id)
    assert list(ana.filters()) == []


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


def test_posts_are_found_by_their_words_and_by_their_address(clients, server, picture):
    ana, _ = clients
    eve = client(server.person("eve.pier"))
    first, second = (publish(eve, picture, text, visibility="public") for text in ("Fog on the pier", "The pier, no fog"))
    found = ana.search_v2("PIER fog", result_type="statuses").statuses
    assert [one.id for one in found] == [second.id, first.id]
    older = ana.search_v2("pier", result_type="statuses", max_id=second.id, account_id=eve.me().id).statuses
    assert [one.id for one in older] == [first.id]
    assert ana.search_v2("pier", result_type="statuses", offset=1).statuses[0].id == first.id
    for address in (first.url, first.uri):
        assert [one.id for one in ana.search_v2(address, resolve=True).statuses] == [first.id]
    assert not ana.search_v2("https://example.com/posts/1", resolve=True).statuses


def test_hashtags(clients, server, picture):
    ana, _ = clients
    eve = client(server.person("eve"))
    first = publish(eve, picture, "Two #Whippets", visibility="public")
    assert [(tag.name, tag.url) for tag in first.tags] == [("whippets", f"{server.url}/tags/whippets")]
    assert [one.id for one in ana.timeline_hashtag("whippets")] == [first.id]
    assert ana.search_v2("whip", result_type="hashtags").hashtags[0].name == "whippets"
    assert not ana.tag("whippets").following
    assert ana.tag_follow("Whippets").following
    assert [tag.name for tag in ana.followed_tags()] == ["whippets"]
    assert ana.timeline_home()[0].id == first.id
    assert int(ana.tag("whippets").history[0].uses) == 1
    second = publish(eve, picture, "One #whippets #hound", visibility="public")
    page = ana.timeline_hashtag("whippets", limit=1)
    assert [one.id for one in page + ana.fetch_next(page)] == [second.id, first.id]
    assert not ana.tag_unfollow("whippets").following
    assert second.id not in [one.id for one in ana.timeline_home()]
    assert {tag.name for tag in eve.featured_tag_suggestions()} == {"whippets", "hound"}
    featured = eve.featured_tag_create("whippets")
    assert ana.account_featured_tags(eve.me().id)[0].name == "whippets"
    assert [one.id for one in ana.account_statuses(eve.me().id, tagged="hound")] == [second.id]
    eve.featured_tag_delete(featured)
    assert list(eve.featured_tags()) == []
    listener = Listener()
    handle = ana.stream_hashtag("whippets", listener, run_async=True)
    try:
        listener.next("heartbeat")
        publish(eve, picture, "Unheard", visibility="public")
        third = publish(eve, picture, "Heard #WHIPPETS", visibility="public")
        assert listener.next("update").id == third.id
    finally:
        handle.close()


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
