"""A proxy between a server and PostgreSQL that reads along: which statements are sent, and how often the server waits.

It reads the messages of PostgreSQL's protocol (https://www.postgresql.org/docs/15/protocol-message-formats.html) and
changes nothing. The address that it takes the place of is a Unix socket, on which nothing is encrypted.
"""
import asyncio
import contextlib
import dataclasses
import re
import struct
import threading
import time
from collections import deque

# What begins and ends a transaction travels with other statements; only a commit is waited for.
CONTROL = re.compile(r"(BEGIN|COMMIT|ROLLBACK|DEALLOCATE|SELECT pg_current_xact_id)\b")
SYNC = object()


@dataclasses.dataclass
class Statement:
    """A statement that was run. Its round is 1 if it waited for no other answer of the same request, 2 if it waited
    for one of round 1, and so on."""

    sql: str
    connection: int
    round: int
    is_done: bool = False

    @property
    def is_control(self):
        return bool(CONTROL.match(self.sql))


class Wire:
    """The proxy, on a thread of its own: `with Wire(from, to) as wire`."""

    def __init__(self, listen: str, server: str):
        self._listen, self._server = listen, server
        self._lock = threading.Lock()
        self._connections = 0
        self._seen: list[Statement] = []
        self._rounds = 0
        self._active = time.monotonic()

    def __enter__(self):
        self._loop = asyncio.new_event_loop()
        started = threading.Event()
        self._thread = threading.Thread(target=self._serve, args=(started,))
        self._thread.start()
        started.wait()
        return self

    def __exit__(self, *_):
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def begin(self):
        """Forgets what was seen, once nothing has been sent for a moment."""
        while time.monotonic() - self._active < 0.1:
            time.sleep(0.01)
        with self._lock:
            self._seen, self._rounds = [], 0

    def seen(self) -> list[Statement]:
        """The statements since `begin`."""
        with self._lock:
            return list(self._seen)

    def _serve(self, started):
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._run(started))
        self._loop.close()

    async def _run(self, started):
        self._stop = asyncio.Event()
        server = await asyncio.start_unix_server(self._connect, self._listen)
        started.set()
        await self._stop.wait()
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def _connect(self, reader, writer):
        self._connections += 1
        conversation = Conversation(self, self._connections)
        above, below = await asyncio.open_unix_connection(self._server)
        ways = [
            asyncio.ensure_future(self._pass(reader, below, conversation.asked)),
            asyncio.ensure_future(self._pass(above, writer, conversation.answered)),
        ]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            writer.close()
            below.close()

    async def _pass(self, reader, writer, read):
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1 << 16):
                self._active = time.monotonic()
                with self._lock:
                    read(data)
                writer.write(data)
                await writer.drain()

    def sent(self, sql, connection):
        statement = Statement(sql, connection, self._rounds + 1)
        self._seen.append(statement)
        return statement

    def done(self, statement):
        statement.is_done = True
        # Nobody waits for the answer to a ROLLBACK that ends a transaction which only read.
        if not statement.sql.startswith("ROLLBACK"):
            self._rounds = max(self._rounds, statement.round)


class Conversation:
    """One connection's messages."""

    def __init__(self, wire: Wire, number: int):
        self._wire, self._number = wire, number
        self._asked, self._answered = b"", b""
        self._is_started = False
        self._texts: dict[bytes, str] = {}
        self._portals: dict[bytes, str] = {}
        self._waiting: deque = deque()

    def asked(self, data):
        self._asked += data
        while message := self._message_asked():
            kind, body = message
            if kind == b"P":
                name, sql, _ = body.split(b"\0", 2)
                self._texts[name] = sql.decode()
            elif kind == b"B":
                portal, name, _ = body.split(b"\0", 2)
                self._portals[portal] = self._texts[name]
            elif kind == b"E":
                self._sent(self._portals[body.split(b"\0", 1)[0]])
            elif kind == b"Q":
                self._sent(body[:-1].decode())
                self._waiting.append(SYNC)
            elif kind == b"S":
                self._waiting.append(SYNC)

    def answered(self, data):
        self._answered += data
        while len(self._answered) >= 5:
            length = 1 + struct.unpack(">I", self._answered[1:5])[0]
            if len(self._answered) < length:
                return
            kind, self._answered = self._answered[:1], self._answered[length:]
            if kind in b"CIs" and self._waiting and self._waiting[0] is not SYNC:
                self._wire.done(self._waiting.popleft())
            elif kind == b"Z" and self._waiting:
                # After an error the rest up to the Sync was skipped.
                while (one := self._waiting.popleft()) is not SYNC:
                    self._wire.done(one)

    def _sent(self, sql):
        self._waiting.append(self._wire.sent(" ".join(sql.split()), self._number))

    def _message_asked(self):
        head = 1 if self._is_started else 0
        if len(self._asked) < head + 4:
            return None
        length = head + struct.unpack(">I", self._asked[head : head + 4])[0]
        if len(self._asked) < length:
            return None
        kind, body, self._asked = self._asked[:head], self._asked[head + 4 : length], self._asked[length:]
        # The first message has no type; a request for encryption may come before it, or one to cancel a statement.
        if not self._is_started and struct.unpack(">I", body[:4])[0] == 196608:
            self._is_started = True
        return kind, body
