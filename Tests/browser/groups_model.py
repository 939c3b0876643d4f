"""What must be true of groups and chats of two, from what servers have acknowledged (groups_life.py): what each person sees,
who is in which group, what is unread, and what was seen once."""

import collections
import re

# What a request has done whose answer was lost and that was then refused.
UNSETTLED = object()


class Chronicle:
    """The messages of one chat by their numbers, as far as anyone has seen them, also deleted ones."""

    def __init__(self):
        self.entries = {}
        # The numbers of what was erased with an account.
        self.gone = set()
        # What is known of the members after all messages up to a number.
        self.through = 0
        self.members, self.owner, self.starts = set(), None, {}
        # Who may have been asked first, and hasn't joined.
        self.asked = set()
        # Each time that somebody was in the group: the person, the first number and the last.
        self.stints = []

    @property
    def last(self):
        return max(self.entries, default=0)

    def add(self, message):
        """Adds a message as somebody sees it. Returns what is wrong with it."""
        known = self.entries.setdefault(message["number"], message)
        # Of somebody who is suspended nothing is shown.
        same = ("id", "account_id", *(("text", "view_once") if known["text"] and message["text"] else ()))
        if any(known[name] != message[name] for name in same):
            return f"two messages have one number: {brief(known)} and {brief(message)}"
        if message["text"] and not known["text"]:
            self.entries[message["number"]] = message
        return None

    def first_of(self, start):
        """The first number that somebody may see who was added by the message of a number: all who were added at once see all
        of that."""
        entry = self.entries.get(start)
        while kind(entry) == "added":
            before = self.entries.get(start - 1)
            if kind(before) != "added" or before["account_id"] != entry["account_id"]:
                break
            entry, start = before, start - 1
        return start

    def erase(self, account):
        """Removes what goes with an account. Returns the ids of its messages."""
        gone = set()
        for number, entry in list(self.entries.items()):
            if account in (entry["account_id"], (entry["event"] or {}).get("account_id")):
                del self.entries[number]
                self.gone.add(number)
                gone.add(entry["id"])
        self.members.discard(account)
        self.starts.pop(account, None)
        self.owner = None if self.owner == account else self.owner
        return gone


def kind(message):
    """What happened in a group; None for what was written."""
    return message and message["event"] and message["event"]["kind"]


def brief(message):
    """A message in few words, for a failure."""
    return f"{message['number']} “{message['text']}” {kind(message) or ''} {message['id']} by {message['account_id']}"


class Model:
    """What was asked of the servers and acknowledged, and what follows from it."""

    def __init__(self):
        self.chats = collections.defaultdict(Chronicle)
        # The chats of two, with their people.
        self.pairs = {}
        # By the name of a group, whom it was made with.
        self.made = {}
        # By a message's text: its chat, and its id, None when it was refused, or UNSETTLED.
        self.sent = {}
        # The messages that were deleted, by their ids: True or UNSETTLED.
        self.deleted = {}
        # The emoji of a person on a message: one, None or UNSETTLED.
        self.reactions = {}
        self.replies = {}
        self.mutes = {}
        # How often a view-once photo was given to a person, who has closed it, and whose answer was lost.
        self.looks = collections.Counter()
        self.closed, self.lost_looks = set(), set()
        # Who blocks whom, and who did since the last rest.
        self.blocks, self.blockers = set(), set()
        # Since the last rest: who has declined an invitation, or removed the messages of a chat from their own list.
        self.declined, self.cleared = set(), set()
        # Who was to be taken out of a group since the last rest, by themselves or by the owner.
        self.removed = set()
        # The first number that somebody has in a chat since they removed its messages.
        self.cuts = {}
        # Who has blocked or removed between the last two rests.
        self.has_blocked, self.has_cleared = set(), set()
        self.suspended = set()
        self.faults = []
        # How many groups could not be followed, and how many were seen to be passed on.
        self.doubts = self.owners_checked = 0

    def blame(self, what):
        self.faults.append(what)

    def saw(self, message):
        """Notes a message that somebody was shown."""
        if fault := self.chats[message["chat_id"]].add(message):
            self.blame(fault)

    def erase(self, one):
        """Forgets what goes with an account that is deleted."""
        for chat in [chat for chat, people in self.pairs.items() if one.id in people]:
            del self.pairs[chat]
            del self.chats[chat]
        gone = {id for chat, id in self.sent.values() if chat not in self.chats}
        for log in self.chats.values():
            gone |= log.erase(one.id)
        self.replies = {text: None if id in gone else id for text, id in self.replies.items()}
        self.reactions = {(id, person): emoji for (id, person), emoji in self.reactions.items() if person != one.id}
        self.blocks = {pair for pair in self.blocks if one.id not in pair}

    # While nothing happens ------------------------------------------------

    def check(self, views):
        """Compares what everyone sees with what was acknowledged. `views` has by person and chat a View."""
        for seen in views.values():
            for view in seen.values():
                for message in view.messages:
                    self.saw(message)
        for chat in set(self.chats) - set(self.pairs):
            self._replay(chat, {person: seen.get(chat) for person, seen in views.items()})
        for person, seen in views.items():
            for chat, view in seen.items():
                self._check_messages(person, chat, view)
                self._check_counts(person, chat, view)
        self._check_sent(views)
        self.has_blocked, self.has_cleared = self.blockers, self.cleared
        self.declined, self.removed = set(), set()
        # A chat that can't be reached at the moment is looked at when it can.
        self.cleared = {(chat, person) for chat, person in self.cleared if chat not in views.get(person, {})}
        self.blockers = {one for one, _ in self.blocks}

    def _replay(self, chat, views):
        """Finds from what happened in a group who is in it, and compares that with what its members are shown."""
        log, shown = self.chats[chat], {person: view for person, view in views.items() if view}
        members, owner, is_certain = set(log.members), log.owner, True
        doubtful = {person for one, person in self.declined if one == chat} | self.suspended
        for number in range(log.through + 1, log.last + 1):
            entry = log.entries.get(number)
            if not entry:
                is_certain = is_certain and number in log.gone
                continue
            actor, subject, what = entry["account_id"], (entry["event"] or {}).get("account_id"), kind(entry)
            if what == "made":
                owner, members = actor, self._made_with(entry)
                log.asked = members & self.blockers
                for member in members:
                    log.starts[member] = number
                    log.stints.append([member, number, None])
            elif is_certain and actor not in members and actor not in doubtful:
                self.blame(f"{chat}: somebody who isn't in the group did {brief(entry)}")
            if what == "added":
                members.add(subject)
                log.asked |= {subject} & self.blockers
                log.starts[subject] = number
                log.stints.append([subject, log.first_of(number), None])
            if what == "removed" and is_certain and owner and actor != owner:
                self.blame(f"{chat}: somebody who isn't the owner did {brief(entry)}")
            if what == "joined":
                log.asked.discard(actor)
            if what in ("removed", "left"):
                gone = subject if what == "removed" else actor
                members.discard(gone)
                for stint in log.stints:
                    if stint[0] == gone and stint[2] is None:
                        stint[2] = number
                # Whether they have muted it again since they were added again, is not known.
                if (chat, gone) in self.mutes:
                    self.mutes[chat, gone] = UNSETTLED
                if gone == owner:
                    owner = self._heir(log, members)
        present = {person for person, view in shown.items() if not view.chat["request"]}
        everyone = set(shown)
        if not is_certain:
            self.doubts += 1
        elif not everyone:
            # What the last ones did, nobody sees.
            if members - doubtful - {person for one, person in self.removed if one == chat}:
                self.blame(f"{chat}: nobody is left of {sorted(members)}")
        elif (everyone ^ members) - doubtful:
            self.blame(f"{chat}: the members are {sorted(everyone)} instead of {sorted(members)}")
        for person, view in shown.items():
            listed = {one["account"]["id"] for one in view.chat["members"]}
            if listed != everyone - self.suspended:
                self.blame(f"{chat}: {person} is shown the members {sorted(listed)} instead of {sorted(everyone)}")
        owners = {view.chat["owner_id"] for view in shown.values()}
        if len(owners) > 1 or (owners and not (owners <= everyone | self.suspended)):
            self.blame(f"{chat}: the owner is {owners}, of {sorted(everyone)}")
        elif owners and is_certain and owner and not doubtful & (present | {owner}):
            self.owners_checked += log.owner is not None and owner != log.owner
            if owners != {owner}:
                self.blame(f"{chat}: the owner is {owners} instead of {owner}")
        log.members = everyone | (members & self.suspended)
        log.asked = everyone - present
        log.owner = next(iter(owners), None)
        log.through = log.last

    def _made_with(self, entry):
        name = re.search("“(.*)”", entry["event"]["words"])
        return self.made[name[1]] | {entry["account_id"]}

    def _heir(self, log, members):
        """Who is the owner after one who left: who has been there longest; None when only the server knows who was asked first."""
        if not members or members & (log.asked | self.suspended):
            return None
        return min(members, key=lambda one: (log.first_of(log.starts[one]) if one in log.starts else 0, int(one)))

    def _check_messages(self, person, chat, view):
        log, numbers = self.chats[chat], [message["number"] for message in view.messages]
        where = f"{chat} of {person}"
        if numbers != sorted(set(numbers)):
            self.blame(f"{where}: the numbers are {numbers}")
        start = 1 if chat in self.pairs else log.starts.get(person)
        if start is None:
            return
        if numbers and numbers[0] < (1 if chat in self.pairs else log.first_of(start)):
            self.blame(f"{where}: sees {brief(view.messages[0])} from before they joined with {start}")
        if (chat, person) in self.cleared:
            # Whatever came since is there.
            self.cuts[chat, person] = numbers[0] if numbers else log.last + 1
        start = max(start, self.cuts.get((chat, person), 0))
        for number in sorted(set(range(start, log.last + 1)) - set(numbers) - log.gone):
            entry = log.entries.get(number)
            if entry is None:
                self.blame(f"{where}: nobody knows the message {number}")
            elif entry["id"] not in self.deleted:
                self.blame(f"{where}: lacks {brief(entry)}")
        shown = {message["id"] for message in view.messages}
        for message in view.messages:
            self._check_message(where, person, view.chat, message, shown)

    def _check_message(self, where, person, shown_chat, message, all_shown):
        chat = shown_chat["id"]
        if self.deleted.get(message["id"]) is True:
            self.blame(f"{where}: shows a deleted message, {brief(message)}")
        if message["account_id"] in self.suspended:
            if message["text"] or message["photo"]:
                self.blame(f"{where}: shows what somebody sent who is suspended, {brief(message)}")
            return
        if message["event"]:
            return
        sending = self.sent.get(message["text"])
        if sending is None or sending[0] != chat or sending[1] not in (message["id"], UNSETTLED):
            self.blame(f"{where}: shows {brief(message)}, of which is known {sending}")
        if message["in_reply_to_id"] != self.replies.get(message["text"]):
            self.blame(f"{where}: {brief(message)} answers {message['in_reply_to_id']}")
        if (message["in_reply_to"] is not None) != (message["in_reply_to_id"] in all_shown):
            self.blame(f"{where}: {brief(message)} quotes {message['in_reply_to']}")
        is_folded = (person, message["account_id"]) in self.blocks
        if chat not in self.pairs and message["blocked"] != is_folded:
            self.blame(f"{where}: {brief(message)} is shown as of somebody blocked: {message['blocked']}")
        shown = {one["account_id"]: one["emoji"] for one in message["reactions"]}
        for (id, other), emoji in self.reactions.items():
            if id == message["id"] and emoji is not UNSETTLED and shown.get(other) != emoji:
                self.blame(f"{where}: the reaction of {other} to {brief(message)} is {shown.get(other)}")
        if message["view_once"] and message["account_id"] != person and not message["opened"]:
            if self.looks[message["id"], person]:
                self.blame(f"{where}: what was opened can be opened again, {brief(message)}")
            # Who is asked first can't look, so that the photo may be gone when they join.
            if message["expired"] and not shown_chat["request"] and not self._was_asked_first(chat, person):
                self.blame(f"{where}: a photo that they haven't seen is gone, {brief(message)}")

    def _was_asked_first(self, chat, person):
        start = self.chats[chat].starts.get(person, 0)
        return any(
            kind(entry) == "joined" and entry["account_id"] == person and number >= start
            for number, entry in self.chats[chat].entries.items()
        )

    def _check_counts(self, person, chat, view):
        read = int(view.chat["last_read_id"])
        unread = sum(int(one["id"]) > read and one["account_id"] != person for one in view.messages)
        if view.chat["unread_count"] != unread:
            self.blame(f"{chat} of {person}: {view.chat['unread_count']} are unread instead of {unread}")
        last = view.messages[-1]["id"] if view.messages else None
        if (view.chat["last_message"] or {"id": None})["id"] != last:
            self.blame(f"{chat} of {person}: the last message is {view.chat['last_message']} instead of {last}")
        mute = self.mutes.get((chat, person), False)
        if mute is not UNSETTLED and (chat, person) not in self.declined and view.chat["muted"] != mute:
            self.blame(f"{chat} of {person}: muted is {view.chat['muted']}")
        self.mutes[chat, person] = view.chat["muted"]

    def _check_sent(self, views):
        shown = collections.defaultdict(set)
        for seen in views.values():
            for chat, view in seen.items():
                for message in view.messages:
                    shown[message["text"]].add((chat, message["id"]))
        for text, (chat, id) in self.sent.items():
            if len(shown[text]) > 1 or (id is None and shown[text]):
                self.blame(f"“{text}” is shown as {shown[text]}, and was sent as {id} to {chat}")
        for look, count in self.looks.items():
            if count > 1:
                self.blame(f"a view-once photo was given {count} times: {look}")
        # Whether a deletion whose answer was lost has happened, all see alike now.
        self.deleted = {id: outcome for id, outcome in self.deleted.items() if outcome is True or not self._is_shown(id, views)}

    def _is_shown(self, id, views):
        return any(one["id"] == id for seen in views.values() for view in seen.values() for one in view.messages)

    def may_have_heard(self, person, chat, number):
        """Whether a stream may have brought somebody a message."""
        if chat in self.pairs:
            return person in self.pairs[chat]
        return any(
            one == person and first <= number and (last is None or number <= last)
            for one, first, last in self.chats[chat].stints
        )

    def has_been_seen_by_all(self, chat, message, members):
        """Whether all who may look at a view-once photo have closed it; None when that isn't known."""
        receivers = {
            one for one in members
            if one != message["account_id"] and self.chats[chat].starts.get(one, 0) <= message["number"]
        }
        if any((message["id"], one) in self.lost_looks or self._was_asked_first(chat, one) for one in receivers):
            return None
        # Sent to nobody, it waits for its end.
        has_left = any(
            kind(entry) in ("left", "removed") and number > message["number"]
            for number, entry in self.chats[chat].entries.items()
        )
        return all((message["id"], one) in self.closed for one in receivers) and bool(receivers or has_left)
