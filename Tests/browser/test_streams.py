"""Thousands of open event streams at once."""

import asyncio
import resource
import urllib.error
import urllib.parse
import urllib.request

import pytest

SERVER_FLAGS = ["--sign-up", "open", "--limit-sign-ups", "1000", "--limit-writes", "100000"]
PEOPLE = 125
STREAMS_EACH = 16  # the most that one account may have


@pytest.mark.long
def test_two_thousand_streams_all_hear_of_a_follower(server):
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if most < PEOPLE * STREAMS_EACH + 200:
        pytest.skip(f"only {most} files may be open here")
    follower = server.person("follower")
    cookies = [sign_up(server, f"listener{number}") for number in range(PEOPLE)]
    listeners = [
        follower.get(f"/api/v1/accounts/lookup?acct=listener{number}")["id"] for number in range(PEOPLE)
    ]
    heard = asyncio.run(listen(server, cookies, follower, listeners))
    assert heard == PEOPLE * STREAMS_EACH


class Stay(urllib.request.HTTPRedirectHandler):
    """Answers with the redirection itself."""

    def redirect_request(self, *_):
        return None


def sign_up(server, username):
    """Signs up as a form does; the cookie."""
    form = {"username": username, "display_name": username, "password": "correct horse"}
    request = urllib.request.Request(server.url + "/signup", urllib.parse.urlencode(form).encode())
    try:
        urllib.request.build_opener(Stay).open(request, timeout=30)
    except urllib.error.HTTPError as answer:
        assert answer.code == 303, answer.read()
        return answer.headers["Set-Cookie"].split(";")[0]
    raise AssertionError("signing up didn't lead on")


async def listen(server, cookies, follower, listeners):
    """Opens the streams, lets someone follow all listeners, and counts the streams that hear of it."""
    port = int(server.url.rsplit(":", 1)[1])
    streams = []
    for cookie in cookies:
        for _ in range(STREAMS_EACH):
            reader, writer = await asyncio.open_connection("localhost", port)
            writer.write(f"GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode())
            streams.append((reader, writer))

    async def hears(reader, text):
        try:
            await asyncio.wait_for(reader.readuntil(text), timeout=60)
            return True
        except (TimeoutError, asyncio.IncompleteReadError, ConnectionError):
            return False

    assert all(await asyncio.gather(*(hears(reader, b"retry:") for reader, _ in streams)))

    def follow_all():
        for listener in listeners:
            follower.post(f"/api/v1/accounts/{listener}/follow")

    _, *heard = await asyncio.gather(
        asyncio.to_thread(follow_all), *(hears(reader, b"event: notification") for reader, _ in streams)
    )
    for _, writer in streams:
        writer.close()
    return heard.count(True)
