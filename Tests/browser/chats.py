"""Chats of a test server."""


def chat_of(one, other):
    """The id of their chat."""
    return one.post("/api/v1/chats", account_id=other.id)["id"]


def open_chat(person, chat):
    person.open(f"/messages/{chat}")
    person.page.wait_for_selector("html[data-live=on]", state="attached")
    return person.page


def send_photo(person, chat, path, description=""):
    """Sends a photo; the message's id."""
    return person.post(f"/api/v1/chats/{chat}/messages", photo_id=person.upload(path, description))["id"]


def send_once(person, chat, path):
    """Sends a photo to be seen once; the message's id."""
    media = person.upload(path, purpose="view_once")
    return person.post(f"/api/v1/chats/{chat}/messages", media_id=media, view_once=True)["id"]


def history(person, chat):
    """All messages of a chat, oldest first."""
    messages, last = [], ""
    while page := person.get(f"/api/v1/chats/{chat}/messages?limit=40{last}"):
        messages += page
        last = f"&max_id={page[-1]['id']}"
    return messages[::-1]


def lose_first(page, addresses):
    """Lets the page's next request get no answer; the list of what was lost."""
    lost = []
    page.route(addresses, lambda route: lost.append(route.request.url) or route.abort(), times=1)
    return lost
