"""Proxies between a browser and a test server, which break connections in ways that the browser alone can't."""

import http.client
import http.server
import socket
import threading
import urllib.parse

from loopback import Loopback


class Proxy(Loopback):
    """Passes everything on. `with Proxy(server) as proxy:` runs it; pages are opened at `proxy.url`."""

    def __init__(self, server):
        super().__init__(("localhost", 0), Handler)
        self.port = int(server.url.rsplit(":", 1)[1])
        self.url = f"http://localhost:{self.server_port}"

    def pass_on(self, handler, answer):
        """Sends the body of an answer, as it comes."""
        while data := answer.read1():
            handler.wfile.write(data)
            handler.wfile.flush()

    def handle_error(self, request, client_address):
        """A page that goes away breaks its connections, which is nothing to report."""


class Handler(http.server.BaseHTTPRequestHandler):
    def forward(self):
        server = http.client.HTTPConnection("localhost", self.port())
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        server.request(self.command, self.path, body, dict(self.headers))
        answer = server.getresponse()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection"):
                self.send_header(name, value)
        self.end_headers()
        try:
            self.server.pass_on(self, answer)
        finally:
            server.close()

    do_GET = do_POST = do_DELETE = forward

    def port(self):
        """Where the server listens that is asked."""
        return self.server.port

    def log_message(self, *_):
        pass


class StreamBreaker(Proxy):
    """A proxy that breaks open event streams when it is asked to."""

    def __init__(self, server):
        super().__init__(server)
        self._streams = set()
        self.broken = 0

    def pass_on(self, handler, answer):
        if not handler.path.startswith("/api/v1/events"):
            return super().pass_on(handler, answer)
        self._streams.add(handler.connection)
        try:
            super().pass_on(handler, answer)
        finally:
            self._streams.discard(handler.connection)

    def break_streams(self):
        for stream in list(self._streams):
            # In the middle of whatever it says.
            try:
                stream.shutdown(socket.SHUT_RDWR)
                self.broken += 1
            except OSError:
                continue  # The page has ended it at the same moment.


class PictureCutter(Proxy):
    """Cuts the first answer with a snap's bytes off in its middle, once it may."""

    def __init__(self, server):
        super().__init__(server)
        # The `Range` of each request for the bytes, and how many bytes of each answer were passed on.
        self.ranges, self.passed = [], []
        self.may_cut = threading.Event()

    def pass_on(self, handler, answer):
        if "/snap_views/" not in handler.path:
            return super().pass_on(handler, answer)
        data = answer.read()
        self.ranges.append(handler.headers.get("Range"))
        is_first = len(self.ranges) == 1
        if is_first:
            data = data[: len(data) // 2]
        self.passed.append(len(data))
        handler.wfile.write(data)
        handler.wfile.flush()
        if is_first:
            self.may_cut.wait(60)


class Line(Proxy):
    """The network between a phone and the server. Playwright alone can't cut it: a service worker that starts later
    asks for a moment as if nothing were cut."""

    def __init__(self, server):
        super().__init__(server)
        self.RequestHandlerClass = LineHandler
        self.is_cut = False
        # How many of the next requests for parts of pages get no answer.
        self.lost_parts = 0

    def cut(self, context):
        self.is_cut = True
        context.set_offline(True)

    def mend(self, context):
        self.is_cut = False
        context.set_offline(False)


class LineHandler(Handler):
    def forward(self):
        is_lost = "X-Fragment" in self.headers and self.server.lost_parts > 0
        if is_lost:
            self.server.lost_parts -= 1
        if self.server.is_cut or is_lost:
            self.close_connection = True
            return
        # Some tests change what the server says.
        del self.headers["Accept-Encoding"]
        super().forward()

    do_GET = do_POST = do_DELETE = forward


class AppProxy(Loopback):
    """The proxy of an app that runs in a process of its own, whose answers are shown to a function: its method, its address,
    the status, the headers and the body."""

    def __init__(self, see):
        super().__init__(("localhost", 0), AppHandler)
        self.see = see
        self.url = f"http://localhost:{self.server_port}"

    def pass_on(self, handler, answer):
        body = answer.read()
        self.see(handler.command, handler.address, answer.status, answer.headers, body)
        handler.wfile.write(body)


class AppHandler(Handler):
    def forward(self):
        # A proxy is asked for whole addresses, and a server for what comes behind its name.
        self.address = self.path
        self.path = urllib.parse.urlunsplit(("", "", *urllib.parse.urlsplit(self.path)[2:]))
        del self.headers["Accept-Encoding"]
        super().forward()

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = forward

    def port(self):
        return urllib.parse.urlsplit(self.address).port
