"""Contracts of a test server: how they are made, and how their time passes."""

import datetime
import random

from playwright.sync_api import expect

from people import befriend, ready

PROMISE = "No phone at dinner."


class Deal:
    """A contract that `one` proposes to `other`, each with a photo at stake. `publish_to` says where that of `one` is
    published after a breach."""

    def __init__(
        self, one, other, photos, witness=None, rules=(), hours=48, accepted=True, promise=PROMISE,
        publish_to=("server",), breach_text="I lost a bet.", key=None,
    ):
        self.one, self.other, self.witness = one, other, witness
        # What is sent again with it is done once.
        self._key = key
        self._photos = photos
        end = datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=hours)
        members = {
            "partner_id": other.id,
            "promise": promise,
            "rules": list(rules),
            "ends_at": end.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "stake_media_id": one.upload(photos[0], "A lamp", purpose="stake", key=key),
            "publish_to": list(publish_to),
            "breach_text": breach_text,
            "consent": True,
            "of_age": True,
        }
        if witness:
            members["witness_id"] = witness.id
        self.id = one.post("/api/v1/contracts", key, **members)["id"]
        if accepted:
            self.accept()

    def accept(self):
        if self.witness:
            self.move(self.witness, "witness")
        stake = self.other.upload(self._photos[1], "A drum", purpose="stake", key=self._key)
        self.move(self.other, "accept", stake_media_id=stake, publish_to=["server"], consent=True, of_age=True)

    def move(self, person, move, **members):
        """Makes a move; the contract as the mover sees it."""
        return person.post(f"/api/v1/contracts/{self.id}/{move}", **members)

    @property
    def path(self):
        return f"/contracts/{self.id}"

    @property
    def state(self):
        return self.one.get(f"/api/v1/contracts/{self.id}")["state"]

    def let_pass(self, hours):
        """Moves the contract's time into the past, with the work that waits for it: as if hours had passed."""
        milliseconds = int(hours * 3_600_000)
        with self.one.server.database() as database:
            database.execute(
                "UPDATE contracts SET ends_at = ends_at - ?, closes_at = closes_at - ?, deadline = deadline - ?"
                " WHERE id = ?",
                (milliseconds, milliseconds, milliseconds, int(self.id)),
            )
            database.execute(
                "UPDATE jobs SET run_at = run_at - ? WHERE kind = 'contract-deadline' AND payload = ?",
                (milliseconds, str(self.id)),
            )

    def open(self, person):
        """Opens the contract on somebody's phone, with its live events."""
        page = person.open(self.path)
        page.wait_for_selector("html[data-live=on]", state="attached")
        return page


def add_witness(people, *parties):
    """A friend of both parties."""
    witness = people(f"cleo{random.randrange(10**8)}")
    for party in parties:
        befriend(party, witness)
    return witness


def state(page):
    """The state on a contract's page."""
    return page.locator("[data-state]")


def answer(page, opener, yes):
    """Makes a move that asks a second question: opens it, and says yes."""
    page.get_by_role("button", name=opener).click()
    page.get_by_role("dialog").get_by_role("button", name=yes).click()
    ready(page)


def question_while_the_other_offers(deal, page):
    """Opens the proposer's question whether to release both, and lets the partner offer it meanwhile; the question."""
    page.get_by_role("button", name="Release both").click()
    question = page.get_by_role("dialog", name="Offer to release both?")
    expect(question).to_be_visible()
    deal.move(deal.other, "release")
    expect(page.locator("[data-badge=contracts]")).to_contain_text("1")
    return question


def agree(page):
    """Ticks in the last step of a form what somebody agrees to who has made no contract before."""
    page.get_by_label("I agree that my photo is published").check()
    page.get_by_label("I am 18 or older.").check()


def first_name(person):
    """The first word of the name that somebody has on the screens."""
    return person.username.capitalize()


def posts_of(person):
    """The captions of somebody's posts."""
    return [post["content"] for post in person.get(f"/api/v1/accounts/{person.id}/statuses")]
