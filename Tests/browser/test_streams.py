"""Thousands of open event streams at once."""

import asyncio
import resource

import pytest

STREAMS = 2000


@pytest.mark.long
def test_two_thousand_streams_all_hear_of_a_follower(server):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < STREAMS + 200:
        pytest.skip(f"only {hard} files may be open here")
    listener, follower = server.person("listener"), server.person("follower")
    port = int(server.url.rsplit(":", 1)[1])
    heard = asyncio.run(listen(port, listener, follower))
    assert heard == STREAMS


async def listen(port, listener, follower):
    """Opens the streams, lets someone follow, and counts the streams that hear of it."""
    request = (
        "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {listener.token}\r\nAccept: text/event-stream\r\n\r\n"
    ).encode()
    streams = []
    for _ in range(STREAMS):
        reader, writer = await asyncio.open_connection("localhost", port)
        writer.write(request)
        streams.append((reader, writer))

    async def until(reader, text):
        await asyncio.wait_for(reader.readuntil(text), timeout=60)
        return 1

    await asyncio.gather(*(until(reader, b"retry:") for reader, _ in streams))
    await asyncio.to_thread(follower.follow, listener)
    heard = await asyncio.gather(
        *(until(reader, b"event: notification") for reader, _ in streams), return_exceptions=True
    )
    for _, writer in streams:
        writer.close()
    return sum(one for one in heard if one == 1)
