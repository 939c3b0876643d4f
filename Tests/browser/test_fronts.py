"""A server behind nginx and behind Caddy, by the files of `Deployment/` with other names and ports."""

import json
import os
import ssl
import subprocess
import time
import urllib.request

import pytest
import websocket

from conftest import png
from fronts import ANYONE, Caddy, Nginx, ask, with_server

pytestmark = pytest.mark.long


@pytest.fixture(params=[Nginx, Caddy], ids=["nginx", "Caddy"])
def front(request, tmp_path, start):
    """A server and the proxy in front of it; `front.url` is where people go, and ana is one of them."""
    front, server = with_server(request.param, tmp_path, start)
    password = tmp_path / "password"
    password.write_text("correct horse")
    for name in ["ana", "ben"]:
        server.command("account", "create", name, "--display-name", name, "--password-file", str(password))
    front.token = server.command("token", "create", "ana")
    front.friend = server.command("token", "create", "ben")
    yield front
    front.close()


def post(front, words):
    """Posts a photo for everyone, as ben; the post's id."""
    photo = upload(front, png(40, 30, 1), front.friend)
    body = json.dumps({"status": words, "media_ids": [photo], "visibility": "public"}).encode()
    return json.loads(ask(front, "/api/v1/statuses", body, "application/json", front.friend)[1])["id"]


def upload(front, picture, token):
    """Uploads a picture; the id of the photo."""
    body = (
        b'--cut\r\nContent-Disposition: form-data; name="file"; filename="photo.png"\r\n\r\n' + picture + b"\r\n--cut--\r\n"
    )
    return json.loads(ask(front, "/api/v2/media", body, "multipart/form-data; boundary=cut", token)[1])["id"]


def hears(next_words, front):
    """Whether a stream says that ben posts, which it may begin to hear a moment after it is open."""
    posts = {post(front, "Heard")}
    end = time.monotonic() + 30
    while time.monotonic() < end:
        words = next_words()
        if any(id in words for id in posts):
            return True
        if "heartbeat" in words or not words.strip():
            posts.add(post(front, "Heard once more"))
    return False


def test_pages_come_by_http_2_and_plain_http_leads_there(front):
    page = subprocess.run(
        ["curl", "--silent", "--insecure", "--http2", "--output", "/dev/null", "--write-out", "%{http_version} %{http_code}",
         f"{front.url}/login"],
        capture_output=True, text=True, check=True, timeout=60,
    )
    assert page.stdout == "2 200"
    plain = subprocess.run(
        ["curl", "--silent", "--output", "/dev/null", "--write-out", "%{http_code} %{redirect_url}",
         f"http://localhost:{front.plain}/login"],
        capture_output=True, text=True, check=True, timeout=60,
    )
    assert plain.stdout.startswith(("301 https://localhost", "308 https://localhost"))


def test_a_form_is_taken_from_the_servers_own_page(front):
    form = b"username=ana&password=correct+horse"
    request = urllib.request.Request(f"{front.url}/login", form, {"Origin": front.url})
    opener = urllib.request.build_opener(urllib.request.HTTPSHandler(context=ANYONE), Redirects())
    with pytest.raises(urllib.error.HTTPError) as answer:
        opener.open(request, timeout=60)
    assert (answer.value.code, answer.value.headers["Location"]) == (303, "/home")
    assert any(cookie.startswith("__Host-tintype_session=") for cookie in answer.value.headers.get_all("Set-Cookie"))


class Redirects(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to the test."""

    def redirect_request(self, *_):
        return None


def test_a_photo_of_many_megabytes_arrives_and_comes_back_whole(front):
    # Behind the picture, what a decoder doesn't read.
    photo = png(300, 200, 1) + os.urandom(12_000_000)
    id = upload(front, photo, front.token)
    status, original = ask(front, f"/api/v1/photos/{id}/original", token=front.token)
    assert status == 200 and original == photo


def test_live_events_come_at_once(front):
    request = urllib.request.Request(
        f"{front.url}/api/v1/streaming/public/local", headers={"Authorization": f"Bearer {front.token}"}
    )
    with urllib.request.urlopen(request, timeout=60, context=ANYONE) as stream:
        # A stream begins with a line, which comes before anything else is sent.
        assert stream.readline()
        assert hears(lambda: stream.readline().decode(), front)


def test_an_app_hears_of_posts_by_web_socket(front):
    address = front.url.replace("https", "wss") + f"/api/v1/streaming?stream=public:local&access_token={front.token}"
    socket = websocket.create_connection(address, timeout=60, sslopt={"cert_reqs": ssl.CERT_NONE, "check_hostname": False})
    try:
        assert hears(socket.recv, front)
    finally:
        socket.close()
