"""Sources of old photos for tests: answers as Flickr and Wikimedia Commons do, with pictures, or as badly as asked.

    with Sources() as sources:
        server = start(data, "--sign-up", "open", *sources.flags)
        sources.flickr = [photo("1", "Harbour", 1965, -41.28, 174.77, "Ana Aroha")]
        sources.commons = [photo("5", "Market", 1905, -41.281, 174.77, "Fondo Arrieta")]
        sources.fail["flickr"] = Failure(429, retry_after=120)

Run by hand (`python3 sources.py`), it prints the flags for `tintype serve` and offers photos around any place.
"""

import collections
import http.server
import json
import math
import sys
import threading
import time
import urllib.parse
import zlib

from loopback import Loopback
from pngs import encoded

Photo = collections.namedtuple("Photo", "id title year latitude longitude author words colour size")
Failure = collections.namedtuple("Failure", "status body retry_after delay", defaults=(b"", None, 0))


def photo(id, title, year, latitude, longitude, author, words=None, colour=None, size=(1024, 683)):
    """A photo of a source. Its picture is a grey drawing of its own, of about `size` pixels."""
    colour = colour if colour is not None else (zlib.crc32(str(id).encode()) % 160) + 48
    return Photo(str(id), title, year, latitude, longitude, author, words or str(year), colour, size)


class Sources(Loopback):
    """A server on loopback, asked by the server under test. `with Sources() as sources:` runs it."""

    def __init__(self, port=0):
        super().__init__(("127.0.0.1", port), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        # What each source has; a function gets the request's parameters and returns a list.
        self.flickr = []
        self.commons = []
        # How a source fails, by its name; `pictures` for all pictures.
        self.fail = {}
        # Pictures by the photo's id, instead of the drawings: bytes of a JPEG or PNG.
        self.pictures = {}
        # Until they are set, answers and pictures don't come.
        self.may_answer = threading.Event()
        self.may_send_pictures = threading.Event()
        self.release()
        # (source, parameters) of each request, in order.
        self.calls = []
        self.asked = threading.Condition()

    @property
    def flags(self):
        """The settings with which a server asks these sources."""
        return [
            "--flickr-key", "test", "--flickr-url", f"{self.url}/flickr",
            "--commons-url", f"{self.url}/commons", "--private-addresses", "yes",
        ]

    def release(self):
        """Sends what was held."""
        self.may_answer.set()
        self.may_send_pictures.set()

    def __exit__(self, *failure):
        self.release()
        super().__exit__(*failure)

    def photos(self, source, parameters):
        found = getattr(self, source)
        return found(parameters) if callable(found) else found

    def last(self, source):
        """The parameters of the newest request to a source."""
        return next((given for name, given in reversed(self.calls) if name == source), {})

    def wait_for_calls(self, count):
        """Waits until so many requests have come in."""
        with self.asked:
            assert self.asked.wait_for(lambda: len(self.calls) >= count, timeout=30), self.calls

    def handle_error(self, request, client_address):
        """A server that has enough breaks its connections, which is nothing to report."""


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        parameters = dict(urllib.parse.parse_qsl(parts.query))
        source = parts.path.strip("/").split("/")[0]
        if source in ("flickr", "commons"):
            with self.server.asked:
                self.server.calls.append((source, parameters))
                self.server.asked.notify_all()
            self.server.may_answer.wait()
            if not self.fails(source):
                answer = flickr if source == "flickr" else commons
                self.reply(json.dumps(answer(self.server, parameters)).encode(), "application/json")
        elif source == "pictures":
            self.picture(parts.path)
        else:
            self.send_error(404)

    def fails(self, what):
        failure = self.server.fail.get(what)
        if failure is None:
            return False
        time.sleep(failure.delay)
        self.send_response(failure.status)
        if failure.retry_after is not None:
            self.send_header("Retry-After", str(failure.retry_after))
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(failure.body)))
        self.end_headers()
        self.wfile.write(failure.body)
        return True

    def picture(self, path):
        _, _, _, id, side = path.split("/")
        self.server.may_send_pictures.wait()
        if self.fails("pictures"):
            return
        if id in self.server.pictures:
            data = self.server.pictures[id]
        else:
            known = [one for one in all_photos(self.server) if one.id == id]
            data = drawing(known[0], int(side)) if known else None
        if data is None:
            self.send_error(404)
        else:
            self.reply(data, "image/jpeg" if data[:2] == b"\xff\xd8" else "image/png")

    def reply(self, body, type):
        self.send_response(200)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def all_photos(server):
    return server.photos("flickr", server.last("flickr")) + server.photos("commons", server.last("commons"))


def flickr(server, parameters):
    """Photos as flickr.photos.search lists them: numbers as strings, and only those of the years that were asked for."""
    first, end = (int(parameters.get(name, "0")[:4] or 0) for name in ("min_taken_date", "max_taken_date"))
    found = [one for one in server.photos("flickr", parameters) if first <= one.year <= (end or 9999)]
    listed = []
    for one in found:
        width, height = one.size
        listed.append({
            "id": one.id, "owner": "12037949754@N01", "title": one.title,
            "datetaken": f"{one.year}-07-04 12:00:00",
            "datetakengranularity": "8" if one.words.startswith("circa") else "6", "datetakenunknown": "0",
            "latitude": str(one.latitude), "longitude": str(one.longitude), "ownername": one.author,
            "license": "4", "url_m": f"{server.url}/pictures/flickr/{one.id}/500",
            "height_m": 500 * height // width, "width_m": "500",
            "url_l": f"{server.url}/pictures/flickr/{one.id}/1024", "height_l": 1024 * height // width,
            "width_l": "1024", "url_o": f"{server.url}/pictures/flickr/{one.id}/{width}",
        })
    return {
        "photos": {"page": 1, "pages": 1, "perpage": 250, "total": str(len(listed)), "photo": listed},
        "stat": "ok",
    }


def commons(server, parameters):
    """Pages as a search by place of Wikimedia Commons lists them, with places in a second answer."""
    found = server.photos("commons", parameters)
    if not found:
        return {"batchcomplete": True}
    if "cocontinue" not in parameters:
        pages = [
            {
                "pageid": page_id(one), "ns": 6, "title": f"File:{one.title}.jpg",
                "imageinfo": [{
                    "url": f"{server.url}/pictures/commons/{one.id}/{one.size[0]}",
                    "descriptionurl": f"https://commons.wikimedia.org/wiki/File:{urllib.parse.quote(one.title)}.jpg",
                    "thumburl": f"{server.url}/pictures/commons/{one.id}/1024", "thumbwidth": 1024,
                    "thumbheight": 1024 * one.size[1] // one.size[0], "width": one.size[0],
                    "height": one.size[1], "mime": "image/jpeg",
                    "extmetadata": {
                        "DateTimeOriginal": {"value": f"{one.words}<div style=\"display: none;\">date QS</div>"},
                        "Artist": {"value": f"<a href=\"//commons.wikimedia.org/wiki/User:X\">{one.author}</a>"},
                        "LicenseShortName": {"value": "CC BY 4.0"},
                        "LicenseUrl": {"value": "https://creativecommons.org/licenses/by/4.0"},
                    },
                }],
            }
            for one in found
        ]
        return {"continue": {"cocontinue": "2", "continue": "||imageinfo"}, "query": {"pages": pages}}
    places = [
        {
            "pageid": page_id(one),
            "coordinates": [{"lat": one.latitude, "lon": one.longitude, "primary": True, "globe": "earth"}],
        }
        for one in found
    ]
    return {"batchcomplete": True, "query": {"pages": places}}


def page_id(one):
    return int(one.id) if one.id.isdigit() else zlib.crc32(one.id.encode())


def drawing(one, side):
    """A PNG with hills under a sky, in greys of the photo's own: `side` pixels wide."""
    width, height = side, max(1, side * one.size[1] // one.size[0])
    # In bars, since a test shouldn't wait for pixels.
    bars = [(x, min(16, width - x)) for x in range(0, width, 16)]
    tops = [
        int(height * (0.55 + 0.2 * math.sin(x / width * 9 + one.colour) + 0.08 * math.sin(x / width * 40)))
        for x, _ in bars
    ]
    ground = bytes([max(0, one.colour - 40)])
    rows = []
    for y in range(height):
        sky = bytes([min(255, one.colour + 40 + 60 * y // height)])
        rows.append(b"".join((sky if y < top else ground) * bar for (_, bar), top in zip(bars, tops, strict=True)))
    return encoded(width, height, rows, channels=1)


def around(parameters, count=8):
    """Photos around whatever place is asked for: what the sources have when they run by hand."""
    if "lat" in parameters:
        latitude, longitude = float(parameters["lat"]), float(parameters["lon"])
    else:
        latitude, longitude = (float(one) for one in parameters.get("ggscoord", "0|0").split("|"))
    return [
        photo(
            1000 + number + (500 if "lat" in parameters else 0), f"Street {number}", 1890 + number * 12,
            latitude + 0.001 * number, longitude + 0.0012 * (number % 3 - 1), "Fondo Arrieta",
            f"circa {1890 + number * 12}")
        for number in range(count)
    ]


if __name__ == "__main__":
    server = Sources(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    server.flickr = server.commons = around
    print(" ".join(server.flags), flush=True)
    server.serve_forever()
