"""Other people's servers on loopback, which tests run in their own process."""

import http.server
import threading


class Loopback(http.server.ThreadingHTTPServer):
    """A server whose handlers answer while it runs: `with Loopback(("127.0.0.1", 0), Handler) as site:`."""

    daemon_threads = True

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
