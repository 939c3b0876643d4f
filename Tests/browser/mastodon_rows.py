"""What each method of Mastodon.py that works does here (test_mastodon_py_all.py)."""

import datetime
import queue

import mastodon
import pytest
import requests

from apps import Listener, code_for, watched

# A device's address as RFC 8291 has it in section 5. Nothing answers there.
ENDPOINT = "https://push.example.org/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV"


def ids(things):
    return [str(thing["id"]) for thing in things]


def names(accounts):
    return [account.username for account in accounts]


def pages(s):
    """Ana's three newest posts, newest first, and the first page, of one."""
    made = [str(s.post(f"Page {number}").id) for number in range(3)]
    return made[::-1], s.api.account_statuses(s.ana.id, limit=1)


class Works:
    """Methods that work: each row is named after one, calls it, and sees by another that it has happened.

    The parameter is the scene (test_mastodon_py_all.py).
    """

    # Apps and log-in.

    def create_app(s):
        identifier, secret = mastodon.Mastodon.create_app("Made", api_base_url=s.url, session=watched())
        assert identifier and secret

    def app_verify_credentials(s):
        assert s.api.app_verify_credentials().name == "Mastodon.py"

    def auth_request_url(s):
        assert s.app().auth_request_url(scopes=["read"], allow_http=True).startswith(f"{s.url}/oauth/authorize?")

    def log_in(s):
        app = s.app()
        code = code_for(s.page, app.auth_request_url(scopes=["read"], allow_http=True))
        app.log_in(code=code, scopes=["read"], allow_http=True)
        assert app.me().username == "ana"

    def persistable_login_credentials(s):
        assert s.api.persistable_login_credentials() is not None

    def revoke_access_token(s):
        app = s.app()
        code = code_for(s.page, app.auth_request_url(scopes=["read"], allow_http=True))
        app.log_in(code=code, scopes=["read"], allow_http=True)
        ended = app.access_token
        app.revoke_access_token(allow_http=True)
        answer = requests.get(f"{s.url}/api/v1/accounts/verify_credentials", headers={"Authorization": f"Bearer {ended}"})
        assert answer.status_code == 401

    def create_account(s):
        app = s.app()
        assert app.create_account("made.by.app", "correct horse", "nobody@example.org", agreement=True)
        assert app.me().username == "made.by.app"

    def oauth_authorization_server_info(s):
        assert s.api.oauth_authorization_server_info().token_endpoint == f"{s.url}/oauth/token"

    # The server.

    def instance(s):
        assert s.api.instance().version.startswith("4.2.")

    def instance_v1(s):
        assert f"http://{s.api.instance_v1().uri}" == s.url

    def instance_v2(s):
        assert f"http://{s.api.instance_v2().domain}" == s.url

    def instance_nodeinfo(s):
        assert s.api.instance_nodeinfo().software.name == "pixelfed"

    def instance_health(s):
        assert s.api.instance_health() is True

    def preferences(s):
        assert s.api.preferences()["posting:default:visibility"] == s.api.me().source.privacy

    def directory(s):
        assert "ben" in names(s.api.directory(order="new", local=True, limit=40))

    def stream_healthy(s):
        assert s.api.stream_healthy() is True

    # Accounts.

    def account(s):
        assert s.api.account(s.ben.id).username == "ben"

    def accounts(s):
        assert names(s.api.accounts([s.ben.id, s.ana.id])) == ["ben", "ana"]

    def account_verify_credentials(s):
        assert s.api.account_verify_credentials().username == "ana"

    def me(s):
        assert str(s.api.me().id) == s.ana.id

    def account_update_credentials(s):
        s.api.account_update_credentials(
            display_name="Ana B", note="I take pictures", avatar=s.picture, avatar_mime_type="image/png",
            header=s.picture, header_mime_type="image/png", locked=True, discoverable=False, fields=[("Camera", "XA")],
        )
        seen = s.api.account(s.ana.id)
        s.api.account_update_credentials(locked=False)
        assert (seen.display_name, seen.locked, seen.discoverable) == ("Ana B", True, False)
        assert "I take pictures" in seen.note and seen.fields[0].value == "XA"
        assert "/portraits/" in seen.avatar and "/banners/" in seen.header

    def account_delete_avatar(s):
        s.api.account_update_credentials(avatar=s.picture, avatar_mime_type="image/png")
        s.api.account_delete_avatar()
        assert "/initials/" in s.api.me().avatar

    def account_delete_header(s):
        s.api.account_update_credentials(header=s.picture, header_mime_type="image/png")
        s.api.account_delete_header()
        assert s.api.me().header.endswith("/missing.png")

    def account_lookup(s):
        assert str(s.api.account_lookup("ben").id) == s.ben.id

    def account_search(s):
        assert ids(s.api.account_search("ben")) == [s.ben.id]

    def account_statuses(s):
        post = s.theirs()
        assert ids(s.api.account_statuses(s.ben.id, limit=1)) == [post]

    def account_followers(s):
        assert "ana" in names(s.api.account_followers(s.ben.id))

    def account_following(s):
        assert "ana" in names(s.api.account_following(s.ben.id))

    def account_relationships(s):
        assert s.api.account_relationships(s.ben.id)[0].followed_by

    def account_familiar_followers(s):
        known = s.someone()
        s.ben.follow(known)
        [found] = s.api.account_familiar_followers(known.id)
        assert str(found.id) == known.id and names(found.accounts) == ["ben"]

    def account_lists(s):
        crew = s.list(s.ben)
        assert str(crew.id) in ids(s.api.account_lists(s.ben.id))

    def account_featured_tags(s):
        s.ben.post("/api/v1/tags/harbour/feature")
        assert "harbour" in [tag.name for tag in s.api.account_featured_tags(s.ben.id)]

    def account_follow(s):
        other = s.someone()
        assert s.api.account_follow(other.id).following
        assert "ana" in names(s.api.account_followers(other.id))

    def follows(s):
        other = s.someone()
        assert s.api.follows(other.username).following
        assert "ana" in names(s.api.account_followers(other.id))

    def account_unfollow(s):
        other = s.someone(friend=True)
        assert not s.api.account_unfollow(other.id).following
        assert "ana" not in names(s.api.account_followers(other.id))

    def account_remove_from_followers(s):
        other = s.someone(friend=True)
        assert not s.api.account_remove_from_followers(other.id).followed_by
        assert other.username not in names(s.api.account_followers(s.ana.id, limit=40))

    def account_block(s):
        other = s.someone()
        assert s.api.account_block(other.id).blocking
        assert other.id in ids(s.api.blocks())

    def account_unblock(s):
        other = s.someone()
        s.api.account_block(other.id)
        assert not s.api.account_unblock(other.id).blocking
        assert other.id not in ids(s.api.blocks())

    def blocks(s):
        other = s.someone()
        s.api.account_block(other.id)
        assert ids(s.api.blocks(limit=1)) == [other.id]

    def account_mute(s):
        other = s.someone()
        assert s.api.account_mute(other.id, notifications=False, duration=3600).muting
        assert other.id in ids(s.api.mutes())

    def account_unmute(s):
        other = s.someone()
        s.api.account_mute(other.id)
        assert not s.api.account_unmute(other.id).muting
        assert other.id not in ids(s.api.mutes())

    def mutes(s):
        other = s.someone()
        s.api.account_mute(other.id)
        assert ids(s.api.mutes(limit=1)) == [other.id]

    def account_note_set(s):
        s.api.account_note_set(s.ben.id, "From the club")
        assert s.api.account_relationships(s.ben.id)[0].note == "From the club"

    def account_endorse(s):
        assert s.api.account_endorse(s.ben.id).endorsed
        assert [one.username for one in s.api.endorsements()] == ["ben"]

    def account_unendorse(s):
        s.api.account_endorse(s.ben.id)
        assert not s.api.account_unendorse(s.ben.id).endorsed
        assert s.api.endorsements() == []

    def account_pin(s):
        s.api.account_pin(s.ben.id)
        assert s.api.account_relationships(s.ben.id)[0].endorsed

    def account_unpin(s):
        s.api.account_pin(s.ben.id)
        s.api.account_unpin(s.ben.id)
        assert not s.api.account_relationships(s.ben.id)[0].endorsed

    def endorsements(s):
        s.api.account_endorse(s.ben.id)
        assert [one.id for one in s.api.endorsements()] == [s.ben.id]

    def trending_tags(s):
        s.theirs("So #trendy", visibility="public")
        assert "trendy" in [one.name for one in s.api.trending_tags()]

    def trends(s):
        s.theirs("So #trendy", visibility="public")
        assert "trendy" in [one.name for one in s.api.trends()]

    def domain_unblock(s):
        # There is nothing to end, and nothing is blocked.
        s.api.domain_unblock("example.org")
        assert s.api.domain_blocks() == []

    def follow_requests(s):
        asking = s.waiting()
        assert asking.id in ids(s.pias.follow_requests())

    def follow_request_authorize(s):
        asking = s.waiting()
        assert s.pias.follow_request_authorize(asking.id).followed_by
        assert asking.username in names(s.pias.account_followers(s.pia.id))

    def follow_request_reject(s):
        asking = s.waiting()
        assert not s.pias.follow_request_reject(asking.id).followed_by
        assert asking.id not in ids(s.pias.follow_requests())

    def suggestions(s):
        suggested = s.someone()
        s.ben.follow(suggested)
        assert suggested.id in ids(s.api.suggestions())

    def suggestions_v1(s):
        suggested = s.someone()
        s.ben.follow(suggested)
        assert suggested.id in ids(s.api.suggestions_v1())

    def suggestions_v2(s):
        suggested = s.someone()
        s.ben.follow(suggested)
        assert suggested.id in [str(one.account.id) for one in s.api.suggestions_v2()]

    def suggestion_delete(s):
        suggested = s.someone()
        s.ben.follow(suggested)
        s.api.suggestion_delete(suggested.id)
        assert suggested.id not in ids(s.api.suggestions_v1())

    def report(s):
        post = s.theirs("Reported")
        sent = s.api.report(s.ben.id, status_ids=[post], comment="Not nice", category="spam")
        assert str(sent.target_account.id) == s.ben.id and [str(id) for id in sent.status_ids] == [post]
        page = requests.get(f"{s.url}/administration", cookies={"tintype_session": s.olga.cookie}).text
        assert "Not nice" in page and "Reported" in page
        # A message is reported as the status that an app sees.
        message = s.conversation().last_status.id
        sent = s.api.report(s.ben.id, status_ids=[message], comment="In a chat")
        assert [str(id) for id in sent.status_ids] == [str(message)]
        page = requests.get(f"{s.url}/administration", cookies={"tintype_session": s.olga.cookie}).text
        assert "In a chat" in page

    # Posts.

    def status(s):
        post = s.theirs("One")
        assert s.api.status(post).content == "<p>One</p>"

    def statuses(s):
        posts = [s.theirs("One"), s.theirs("Two")]
        assert ids(s.api.statuses(posts)) == posts

    def status_card(s):
        # A status has its card as a member, and no post here has one.
        assert s.api.status_card(s.theirs("https://example.org")) is None

    def status_context(s):
        post = s.post()
        reply = s.ben.post("/api/v1/statuses", status="Oh", in_reply_to_id=str(post.id))["id"]
        assert ids(s.api.status_context(post.id).descendants) == [reply]
        assert ids(s.api.status_context(reply).ancestors) == [str(post.id)]

    def status_post(s):
        post = s.post("Posted", visibility="public", sensitive=True, spoiler_text="Bright", language="de")
        seen = s.status(post.id)
        assert (seen["content"], seen["visibility"], seen["spoiler_text"], seen["language"]) == (
            "<p>Posted</p>", "public", "Bright", "de",
        )

    def toot(s):
        # A status without a picture.
        with pytest.raises(mastodon.MastodonAPIError) as refused:
            s.api.toot("Only words")
        assert refused.value.args[1] == 422 and "photo" in refused.value.args[3]

    def status_reply(s):
        post = s.theirs()
        reply = s.api.status_reply(s.api.status(post), "Lovely")
        assert ids(s.ben.get(f"/api/v1/statuses/{post}/context")["descendants"]) == [str(reply.id)]

    def status_update(s):
        post = s.post("Before")
        described = s.api.generate_media_edit_attributes(
            post.media_attachments[0].id, description="Sharper", focus=(-0.5, 1.0)
        )
        s.api.status_update(post.id, "After", media_attributes=[described])
        seen = s.status(post.id)
        photo = seen["media_attachments"][0]
        assert seen["content"] == "<p>After</p>" and photo["description"] == "Sharper"
        assert photo["meta"]["focus"] == {"x": -0.5, "y": 1}

    def generate_media_edit_attributes(s):
        assert s.api.generate_media_edit_attributes("5", description="Sharper") == {"id": "5", "description": "Sharper"}

    def status_history(s):
        post = s.post("Before")
        s.api.status_update(post.id, "After")
        assert [one.content for one in s.api.status_history(post.id)] == ["<p>Before</p>", "<p>After</p>"]

    def status_source(s):
        assert s.api.status_source(s.post("As typed").id).text == "As typed"

    def status_delete(s):
        post = s.post("Gone")
        assert s.api.status_delete(post.id).text == "Gone"
        with pytest.raises(mastodon.MastodonNotFoundError):
            s.bens.status(post.id)

    def status_favourite(s):
        post = s.theirs()
        assert s.api.status_favourite(post).favourited
        assert s.status(post)["favourites_count"] == 1

    def status_unfavourite(s):
        post = s.theirs()
        s.api.status_favourite(post)
        assert not s.api.status_unfavourite(post).favourited
        assert s.status(post)["favourites_count"] == 0

    def status_favourited_by(s):
        post = s.theirs()
        s.api.status_favourite(post)
        assert names(s.api.status_favourited_by(post)) == ["ana"]

    def favourites(s):
        post = s.theirs()
        s.api.status_favourite(post)
        assert ids(s.api.favourites(limit=1)) == [post]

    def status_bookmark(s):
        post = s.theirs()
        assert s.api.status_bookmark(post).bookmarked
        assert ids(s.api.bookmarks(limit=1)) == [post]

    def status_unbookmark(s):
        post = s.theirs()
        s.api.status_bookmark(post)
        assert not s.api.status_unbookmark(post).bookmarked
        assert post not in ids(s.api.bookmarks())

    def bookmarks(s):
        post = s.theirs()
        s.api.status_bookmark(post)
        assert ids(s.api.bookmarks(limit=1)) == [post]

    def status_pin(s):
        post = s.post()
        try:
            assert s.api.status_pin(post.id).pinned
            assert str(post.id) in ids(s.bens.account_statuses(s.ana.id, pinned=True))
        finally:
            s.api.status_unpin(post.id)

    def status_unpin(s):
        post = s.post()
        s.api.status_pin(post.id)
        assert not s.api.status_unpin(post.id).pinned
        assert str(post.id) not in ids(s.bens.account_statuses(s.ana.id, pinned=True))

    def status_mute(s):
        post = s.post()
        assert s.api.status_mute(post.id).muted
        s.ben.post("/api/v1/statuses", status="Unheard", in_reply_to_id=str(post.id))
        assert all("Unheard" not in one.status.content for one in s.api.notifications(types=["mention"]))

    def status_unmute(s):
        post = s.post()
        s.api.status_mute(post.id)
        assert not s.api.status_unmute(post.id).muted
        s.ben.post("/api/v1/statuses", status="Heard", in_reply_to_id=str(post.id))
        assert "Heard" in s.api.notifications(types=["mention"], limit=1)[0].status.content

    def media_post(s):
        media = s.api.media_post(s.picture, description="Soft colours", focus=(0.5, -0.25))
        assert requests.get(media.url).headers["content-type"].startswith("image/")
        kept = s.api.media(media.id)
        assert kept.description == "Soft colours" and kept.meta.focus == {"x": 0.5, "y": -0.25}

    def media(s):
        made = s.api.media_post(s.picture)
        assert s.api.media(made.id).id == made.id

    def media_update(s):
        made = s.api.media_post(s.picture)
        s.api.media_update(made.id, description="Softer colours", focus=(-1.0, 0.5))
        kept = s.api.media(made.id)
        assert kept.description == "Softer colours" and kept.meta.focus == {"x": -1, "y": 0.5}

    # Timelines and search.

    def timeline(s):
        post = s.theirs()
        assert ids(s.api.timeline("home", limit=1)) == [post]

    def timeline_home(s):
        post = s.theirs()
        assert ids(s.api.timeline_home(limit=1)) == [post]

    def timeline_local(s):
        post = s.theirs(visibility="public")
        assert ids(s.api.timeline_local(limit=1)) == [post]

    def timeline_public(s):
        post = s.theirs(visibility="public")
        assert ids(s.api.timeline_public(limit=1)) == [post]

    def timeline_hashtag(s):
        post = s.theirs("At the #quay", visibility="public")
        assert ids(s.api.timeline_hashtag("quay", limit=1)) == [post]

    def timeline_list(s):
        crew = s.list(s.ben)
        post = s.theirs()
        assert ids(s.api.timeline_list(crew.id, limit=1)) == [post]

    def timeline_is_available(s):
        assert s.api.timeline_is_available("public", with_auth=True) is True

    def conversations(s):
        begun = s.conversation()
        assert begun.unread and "Hello" in begun.last_status.content

    def conversations_read(s):
        begun = s.conversation()
        s.api.conversations_read(begun.id)
        assert not s.api.conversations(limit=1)[0].unread

    def search(s):
        assert ids(s.api.search("ben").accounts) == [s.ben.id]

    def search_v2(s):
        assert ids(s.api.search_v2("ben", result_type="accounts").accounts) == [s.ben.id]

    def tag(s):
        s.theirs("At the #quay", visibility="public")
        assert s.api.tag("quay").name == "quay"

    def tag_follow(s):
        assert s.api.tag_follow("lighthouse").following
        assert "lighthouse" in [tag.name for tag in s.api.followed_tags()]

    def tag_unfollow(s):
        s.api.tag_follow("lighthouse")
        assert not s.api.tag_unfollow("lighthouse").following
        assert "lighthouse" not in [tag.name for tag in s.api.followed_tags()]

    def followed_tags(s):
        s.api.tag_follow("pier")
        assert "pier" in [tag.name for tag in s.api.followed_tags()]

    def tag_feature(s):
        s.api.tag_feature("sails")
        assert "sails" in [tag.name for tag in s.bens.account_featured_tags(s.ana.id)]

    def tag_unfeature(s):
        s.api.tag_feature("sails")
        s.api.tag_unfeature("sails")
        assert "sails" not in [tag.name for tag in s.bens.account_featured_tags(s.ana.id)]

    def featured_tags(s):
        s.api.tag_feature("masts")
        assert "masts" in [tag.name for tag in s.api.featured_tags()]

    def featured_tag_create(s):
        s.api.featured_tag_create("anchors")
        assert "anchors" in [tag.name for tag in s.bens.account_featured_tags(s.ana.id)]

    def featured_tag_delete(s):
        s.api.featured_tag_delete(s.api.featured_tag_create("buoys").id)
        assert "buoys" not in [tag.name for tag in s.bens.account_featured_tags(s.ana.id)]

    def featured_tag_suggestions(s):
        s.post("A #gull")
        assert "gull" in [tag.name for tag in s.api.featured_tag_suggestions()]

    # Lists and filters.

    def lists(s):
        assert str(s.list().id) in ids(s.api.lists())

    def list(s):
        assert s.api.list(s.list().id).title == "Crew"

    def list_create(s):
        made = s.api.list_create("Made", replies_policy="list", exclusive=False)
        assert s.api.list(made.id).title == "Made"

    def list_update(s):
        made = s.list()
        s.api.list_update(made.id, "Renamed", exclusive=True)
        assert (s.api.list(made.id).title, s.api.list(made.id).exclusive) == ("Renamed", True)
        s.api.list_delete(made.id)

    def list_delete(s):
        made = s.list()
        s.api.list_delete(made.id)
        assert str(made.id) not in ids(s.api.lists())

    def list_accounts(s):
        assert names(s.api.list_accounts(s.list(s.ben).id)) == ["ben"]

    def list_accounts_add(s):
        made = s.list()
        s.api.list_accounts_add(made.id, [s.ben.id])
        assert names(s.api.list_accounts(made.id)) == ["ben"]

    def list_accounts_delete(s):
        made = s.list(s.ben)
        s.api.list_accounts_delete(made.id, [s.ben.id])
        assert s.api.list_accounts(made.id) == []

    def filters_v2(s):
        assert str(s.filter().id) in ids(s.api.filters_v2())

    def filter_v2(s):
        assert s.api.filter_v2(s.filter().id).title == "Weather"

    def create_filter_v2(s):
        s.filter()
        post = s.theirs("Rain again")
        assert s.api.status(post).filtered[0].keyword_matches == ["rain"]

    def update_filter_v2(s):
        made = s.filter()
        s.api.update_filter_v2(made.id, title="Skies", filter_action="hide", context=["home"])
        assert (s.api.filter_v2(made.id).title, s.api.filter_v2(made.id).filter_action) == ("Skies", "hide")

    def delete_filter_v2(s):
        made = s.filter()
        s.api.delete_filter_v2(made.id)
        assert str(made.id) not in ids(s.api.filters_v2())

    def filter_keywords_v2(s):
        assert [one.keyword for one in s.api.filter_keywords_v2(s.filter().id)] == ["rain"]

    def add_filter_keyword_v2(s):
        made = s.filter()
        s.api.add_filter_keyword_v2(made.id, "snow", whole_word=True)
        assert [one.keyword for one in s.api.filter_keywords_v2(made.id)] == ["rain", "snow"]

    def delete_filter_keyword_v2(s):
        made = s.filter()
        s.api.delete_filter_keyword_v2(made.keywords[0].id)
        assert s.api.filter_keywords_v2(made.id) == []

    def filter_statuses_v2(s):
        made, post = s.filter(), s.theirs()
        s.api.add_filter_status_v2(made.id, post)
        assert [str(one.status_id) for one in s.api.filter_statuses_v2(made.id)] == [post]

    def add_filter_status_v2(s):
        made, post = s.filter(), s.theirs()
        s.api.add_filter_status_v2(made.id, post)
        assert [str(one) for one in s.api.status(post).filtered[0].status_matches] == [post]

    def filter_status_v2(s):
        made, post = s.filter(), s.theirs()
        single = s.api.add_filter_status_v2(made.id, post)
        assert str(s.api.filter_status_v2(single.id).status_id) == post

    def delete_filter_status_v2(s):
        made, post = s.filter(), s.theirs()
        s.api.delete_filter_status_v2(s.api.add_filter_status_v2(made.id, post).id)
        assert s.api.filter_statuses_v2(made.id) == []

    def filters(s):
        made = s.api.filter_create("football", ["home"])
        assert str(made.id) in ids(s.api.filters())

    def filter(s):
        made = s.api.filter_create("tennis", ["home"])
        assert s.api.filter(made.id).phrase == "tennis"

    def filter_create(s):
        made = s.api.filter_create("golf", ["home"], irreversible=True, whole_word=True, expires_in=3600)
        assert s.api.filter(made.id).irreversible and s.api.status(s.theirs("Golf")).filtered

    def filter_update(s):
        made = s.api.filter_create("rugby", ["home"])
        s.api.filter_update(made.id, phrase="cricket", context=["home"])
        assert s.api.filter(made.id).phrase == "cricket"

    def filter_delete(s):
        made = s.api.filter_create("chess", ["home"])
        s.api.filter_delete(made.id)
        assert str(made.id) not in ids(s.api.filters())

    def filters_apply(s):
        made = s.api.filter_create("snooker", ["home"], irreversible=True)
        posts = s.api.statuses([s.theirs("Snooker"), s.theirs("Billiards")])
        assert [one.content for one in s.api.filters_apply(posts, [s.api.filter(made.id)], "home")] == ["<p>Billiards</p>"]

    # Notifications.

    def notifications(s):
        newest = s.notification()
        assert (newest.type, newest.account.username) == ("favourite", "ben")
        assert s.api.notifications(id=newest.id).id == newest.id

    def notifications_unread_count(s):
        s.notification()
        assert s.api.notifications_unread_count().count >= 1

    def notifications_dismiss(s):
        newest = s.notification()
        s.api.notifications_dismiss(newest.id)
        assert str(newest.id) not in ids(s.api.notifications())

    def notifications_clear(s):
        s.notification()
        s.api.notifications_clear()
        assert s.api.notifications() == []

    def grouped_notifications(s):
        newest = s.notification()
        group = s.api.grouped_notifications(limit=1).notification_groups[0]
        assert group.group_key == f"favourite-{newest.status.id}"

    def grouped_notification(s):
        key = f"favourite-{s.notification().status.id}"
        assert s.api.grouped_notification(key).notification_groups[0].group_key == key

    def grouped_notification_accounts(s):
        assert names(s.api.grouped_notification_accounts(f"favourite-{s.notification().status.id}")) == ["ben"]

    def dismiss_grouped_notification(s):
        key = f"favourite-{s.notification().status.id}"
        s.api.dismiss_grouped_notification(key)
        assert key not in [one.group_key for one in s.api.grouped_notifications().notification_groups]

    def unread_grouped_notifications_count(s):
        s.notification()
        assert s.api.unread_grouped_notifications_count() >= 1

    def notifications_policy(s):
        policy = s.api.notifications_policy()
        assert (policy.for_not_following, policy.for_private_mentions) == ("accept", "filter")
        assert policy.summary.pending_requests_count >= 0

    def update_notifications_policy(s):
        assert s.api.update_notifications_policy(for_new_accounts="drop").for_new_accounts == "drop"
        assert s.api.update_notifications_policy(for_new_accounts="accept").for_new_accounts == "accept"

    def notification_requests(s):
        person = s.put_aside()
        assert person.id in ids(s.api.notification_requests())
        # As Mastodon's own app opens a request.
        assert len(s.api.notifications(account_id=person.id)) == 1
        assert person.username not in names(one.account for one in s.api.notifications())

    def notification_request(s):
        person = s.put_aside()
        request = s.api.notification_request(person.id)
        assert request.account.username == person.username and request.last_status is not None

    def accept_notification_request(s):
        person = s.put_aside()
        s.api.accept_notification_request(person.id)
        assert s.api.notifications()[0].account.username == person.username
        assert person.id not in ids(s.api.notification_requests())

    def dismiss_notification_request(s):
        person = s.put_aside()
        s.api.dismiss_notification_request(person.id)
        assert person.id not in ids(s.api.notification_requests())
        assert s.api.notifications(account_id=person.id) == []

    def accept_multiple_notification_requests(s):
        people = [s.put_aside(), s.put_aside()]
        s.api.accept_multiple_notification_requests([one.id for one in people])
        assert {one.username for one in people} <= set(names(one.account for one in s.api.notifications()))

    def dismiss_multiple_notification_requests(s):
        people = [s.put_aside(), s.put_aside()]
        s.api.dismiss_multiple_notification_requests([one.id for one in people])
        assert not {one.id for one in people} & set(ids(s.api.notification_requests()))

    def notifications_merged(s):
        assert s.api.notifications_merged()

    def markers_set(s):
        newest = s.notification()
        s.api.markers_set(["notifications"], [newest.id])
        assert str(s.api.markers_get(["notifications"])["notifications"].last_read_id) == str(newest.id)

    def markers_get(s):
        post = s.theirs()
        s.api.markers_set("home", post)
        assert str(s.api.markers_get("home")["home"].last_read_id) == post

    def push_subscription_generate_keys(s):
        kept, sent = s.keys()
        assert {"privkey", "auth"} <= set(kept) and {"pubkey", "auth"} <= set(sent)

    def push_subscription_set(s):
        made = s.subscription()
        assert made.alerts.favourite and not made.alerts.follow
        assert s.api.push_subscription().endpoint == ENDPOINT

    def push_subscription(s):
        s.subscription()
        assert s.api.push_subscription().endpoint == ENDPOINT

    def push_subscription_update(s):
        s.subscription()
        s.api.push_subscription_update(follow_events=True, favourite_events=False)
        alerts = s.api.push_subscription().alerts
        assert alerts.follow and not alerts.favourite

    def push_subscription_delete(s):
        s.subscription()
        s.api.push_subscription_delete()
        with pytest.raises(mastodon.MastodonNotFoundError):
            s.api.push_subscription()

    def push_subscription_decrypt_push(s):
        # test_push_services.py reads with it what this server sends; here is what it says of what isn't encrypted.
        kept, _ = s.keys()
        with pytest.raises(Exception) as broken:
            s.api.push_subscription_decrypt_push(b"", kept, "salt=AAAAAAAAAAAAAAAAAAAAAA", "dh=AAAA;p256ecdsa=AAAA")
        assert not isinstance(broken.value, mastodon.MastodonAPIError)

    # Streams.

    def stream_user(s):
        heard = s.heard(lambda to: s.api.stream_user(to, run_async=True), lambda: s.theirs("Live"))
        assert heard.content == "<p>Live</p>"

    def stream_user_notifications(s):
        post = s.post()
        heard = s.heard(
            lambda to: s.api.stream_user_notifications(to, run_async=True),
            lambda: s.ben.post(f"/api/v1/statuses/{post.id}/favourite"), "notification",
        )
        assert heard.type == "favourite"

    def stream_public(s):
        heard = s.heard(
            lambda to: s.api.stream_public(to, run_async=True), lambda: s.theirs("Live", visibility="public")
        )
        assert heard.content == "<p>Live</p>"

    def stream_local(s):
        heard = s.heard(
            lambda to: s.api.stream_local(to, run_async=True), lambda: s.theirs("Live", visibility="public")
        )
        assert heard.content == "<p>Live</p>"

    def stream_hashtag(s):
        heard = s.heard(
            lambda to: s.api.stream_hashtag("live", to, run_async=True), lambda: s.theirs("So #live", visibility="public")
        )
        assert [one.name for one in heard.tags] == ["live"]

    def stream_direct(s):
        heard = s.heard(lambda to: s.api.stream_direct(to, run_async=True), s.conversation, "conversation")
        assert "Hello" in heard.last_status.content

    def stream_list(s):
        crew = s.list(s.ben).id
        heard = s.heard(lambda to: s.api.stream_list(crew, to, run_async=True), lambda: s.theirs("Live"))
        assert heard.content == "<p>Live</p>"

    def stream_open_websocket(s):
        handle, listener = s.api.stream_open_websocket(), Listener()
        try:
            s.api.stream_user(listener, websocket_handle=handle)
            # A subscription has no answer: what is posted is heard from some post on.
            for _ in range(20):
                s.theirs("Live")
                try:
                    name, heard = listener.heard.get(timeout=2)
                    break
                except queue.Empty:
                    continue
            assert name == "update" and heard.content == "<p>Live</p>"
        finally:
            handle.close()

    # Pages, and what the library does by itself.

    def fetch_next(s):
        made, first = pages(s)
        assert ids(s.api.fetch_next(first)) == made[1:2]

    def fetch_previous(s):
        made, first = pages(s)
        assert ids(s.api.fetch_previous(s.api.fetch_next(first))) == made[:1]

    def fetch_remaining(s):
        other = s.someone()
        made = [other.share(f"Page {number}", s.picture, visibility="public") for number in range(3)]
        first = s.api.account_statuses(other.id, limit=1)
        assert ids(s.api.fetch_remaining(first)) == made[::-1]

    def get_pagination_info(s):
        made, first = pages(s)
        assert str(s.api.get_pagination_info(first, "next")["max_id"]) == made[0]

    def pagination_iterator(s):
        made, first = pages(s)
        found = s.api.pagination_iterator(first)
        assert ids(next(found) for _ in range(3)) == made

    def pagination_page_iterator(s):
        made, first = pages(s)
        found = s.api.pagination_page_iterator(first)
        assert [ids(next(found)) for _ in range(3)] == [[one] for one in made]

    def retrieve_mastodon_version(s):
        assert s.api.retrieve_mastodon_version().startswith("4.2.0")

    def verify_minimum_version(s):
        assert s.api.verify_minimum_version("4.2.0") and not s.api.verify_minimum_version("4.3.0")

    def get_supported_version(s):
        assert s.api.get_supported_version()

    def get_approx_server_time(s):
        assert abs((s.api.get_approx_server_time() - datetime.datetime.now()).total_seconds()) < 60

    def make_poll(s):
        # The library makes it; posting it is refused.
        with pytest.raises(mastodon.MastodonAPIError) as refused:
            s.post(poll=s.api.make_poll(["Yes", "No"], 3600))
        assert refused.value.args[1] == 422

    def set_language(s):
        s.api.set_language("en")
        try:
            assert s.api.me().username == "ana"
        finally:
            s.api.set_language(None)

    def clear_caches(s):
        s.api.clear_caches()
        assert s.api.instance().version.startswith("4.2.")

    def get_async_refresh_info(s):
        assert s.api.get_async_refresh_info(s.api.timeline_home()) is None

    def await_async_refresh(s):
        page = s.api.timeline_home()
        assert s.api.await_async_refresh(page) is page


WORKS = {name: row for name, row in vars(Works).items() if not name.startswith("_")}
