"""Conversations of a test server."""


def chat_of(one, other):
    """The id of their conversation."""
    return one.post("/api/v1/chats", account_id=other.id)["id"]


def open_chat(person, chat):
    person.open(f"/messages/{chat}")
    person.page.wait_for_selector("html[data-live=on]", state="attached")
    return person.page
