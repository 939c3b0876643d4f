"""Push in Mastodon's form: Mastodon.py subscribes as it is, and reads what comes."""

import json
import urllib.request

import mastodon
import pytest

import app_answers
from app_models import Announcement
from apps import client
from push_service import FORM
from pushes import SERVER_FLAGS as FLAGS
from pushes import SOON, SUBSCRIPTION, settled
from servers import own_address
from snaps import two_friends

# Apps read the server's addresses from the server, so it has to know its own.
URL, ADDRESS = own_address()
SERVER_FLAGS = [*FLAGS, *ADDRESS]


class App:
    """Mastodon.py with a subscription to what it knows."""

    def __init__(self, person, service, is_standard):
        self.api = client(person.page, URL)
        self._private, public = self.api.push_subscription_generate_keys()
        self.device = service.device(self._private["privkey"], self._private["auth"])
        self._is_standard = is_standard
        if is_standard:
            # Mastodon.py 2.3.3 has an argument for the standard form, which it doesn't send.
            alerts = {"follow": True, "favourite": True, "mention": True}
            request = urllib.request.Request(
                URL + SUBSCRIPTION, self.device.form(**alerts),
                {"Authorization": f"Bearer {self.api.access_token}", "Content-Type": FORM},
            )
            with urllib.request.urlopen(request, timeout=30) as answer:
                assert answer.status == 200
        else:
            self.api.push_subscription_set(
                self.device.endpoint, public, follow_events=True, favourite_events=True, mention_events=True
            )
        self.subscription = self.api.push_subscription()
        self.device.server_key = self.subscription.server_key

    def next(self):
        """What the next push says."""
        push = self.device.next(SOON)
        if self._is_standard:
            # The push service has decrypted it. Mastodon.py reads the older form only.
            assert push.headers["content-encoding"] == "aes128gcm"
            # Other apps read it, too.
            assert app_answers.decoding_problem(Announcement, json.dumps(push.data)) is None
            return push.data
        return self.api.push_subscription_decrypt_push(
            push.body, self._private, push.headers["encryption"], push.headers["crypto-key"]
        )


@pytest.mark.long
@pytest.mark.parametrize("is_standard", [False, True])
def test_mastodon_py_subscribes_and_reads_what_is_pushed(server, people, push_service, photos, is_standard):
    ana, bea = two_friends(people, [f"ana{is_standard}".lower(), f"bea{is_standard}".lower()])
    app = App(ana, push_service, is_standard)
    assert app.subscription.endpoint == app.device.endpoint
    assert app.subscription.standard == is_standard
    assert app.subscription.alerts.favourite is True and app.subscription.alerts.poll is False

    post = ana.share("Sunset", photos[0])
    bea.post(f"/api/v1/statuses/{post}/favourite")
    liked = app.next()
    assert set(liked) >= {
        "access_token", "notification_id", "notification_type", "icon", "title", "body", "preferred_locale",
    }
    assert liked["notification_type"] == "favourite"
    assert liked["access_token"] == app.api.access_token
    assert bea.username in f"{liked['title']} {liked['body']}" and liked["preferred_locale"] == "en"
    assert liked["icon"].startswith(f"{URL}/")
    noted = app.api.notifications(id=liked["notification_id"])
    assert (noted.type, noted.account.username, noted.status.id) == ("favourite", bea.username, post)

    bea.post("/api/v1/statuses", status="Where is this?", in_reply_to_id=post)
    commented = app.next()
    assert commented["notification_type"] == "mention"
    assert "Where is this?" in commented["body"]
    assert app.api.notifications(id=commented["notification_id"]).status.content == "<p>Where is this?</p>"


@pytest.mark.long
def test_mastodon_py_changes_and_ends_its_subscription(server, people, push_service, photos):
    ana, bea = two_friends(people, ["change.ana", "change.bea"])
    app = App(ana, push_service, True)
    changed = app.api.push_subscription_update(follow_events=True, mention_events=True, favourite_events=False)
    assert changed.alerts.favourite is False and changed.alerts.mention is True
    assert changed.endpoint == app.device.endpoint
    post = ana.share("Sunset", photos[0])
    bea.post(f"/api/v1/statuses/{post}/favourite")
    bea.post("/api/v1/statuses", status="Lovely", in_reply_to_id=post)
    assert app.next()["notification_type"] == "mention"
    settled(ana)
    assert len(app.device.pushes) == 1

    app.api.push_subscription_delete()
    with pytest.raises(mastodon.MastodonNotFoundError):
        app.api.push_subscription()
    bea.post("/api/v1/statuses", status="Again", in_reply_to_id=post)
    settled(ana)
    assert len(app.device.tries) == 1


@pytest.mark.long
def test_what_an_app_is_sent_ends_with_its_token(server, people, push_service, photos):
    ana, bea = two_friends(people, ["token.ana", "token.bea"])
    app = App(ana, push_service, True)
    post = ana.share("Sunset", photos[0])
    bea.post(f"/api/v1/statuses/{post}/favourite")
    assert app.next()["notification_type"] == "favourite"
    app.api.revoke_access_token(allow_http=True)
    bea.post("/api/v1/statuses", status="Where is this?", in_reply_to_id=post)
    settled(ana)
    assert len(app.device.tries) == 1


@pytest.mark.long
def test_an_app_without_the_permission_gets_no_subscription(server, people, push_service):
    [ana, _] = two_friends(people, ["scope.ana", "scope.bea"])
    api = client(ana.page, URL, ["read", "write"])
    _, public = api.push_subscription_generate_keys()
    with pytest.raises(mastodon.MastodonAPIError) as refused:
        api.push_subscription_set(push_service.device().endpoint, public, mention_events=True)
    assert refused.value.args[1] == 403
