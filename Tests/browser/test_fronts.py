"""A server behind nginx and behind Caddy, by the files of `Deployment/` with other names and ports."""

import json
import os
import pathlib
import ssl
import subprocess
import time
import urllib.request

import pytest
import websocket

from cluster import Certificates, wait_until
from conftest import png
from servers import free_port

pytestmark = pytest.mark.long

DEPLOYMENT = pathlib.Path(__file__).parents[2] / "Deployment"
# Nothing here is about who signed the certificate.
ANYONE = ssl.create_default_context()
ANYONE.check_hostname, ANYONE.verify_mode = False, ssl.CERT_NONE


class Nginx:
    """Debian's nginx, alone with the file for Tintype."""

    def __init__(self, folder, server_port):
        self.port, self.plain = free_port(), free_port()
        certificate = Certificates(folder).issue("front", ["127.0.0.1"])
        site = (DEPLOYMENT / "nginx.conf").read_text()
        for old, new in {
            "/etc/letsencrypt/live/photos.example.org/fullchain.pem": f"{certificate}/machine.pem",
            "/etc/letsencrypt/live/photos.example.org/privkey.pem": f"{certificate}/machine.key",
            "photos.example.org": "localhost",
            "127.0.0.1:8080": f"127.0.0.1:{server_port}",
            "listen [::]:": "listen [::1]:",
            "443": str(self.port),
            ":80;": f":{self.plain};",
            "listen 80;": f"listen {self.plain};",
        }.items():
            assert old in site, old
            site = site.replace(old, new)
        (folder / "site.conf").write_text(site)
        (folder / "nginx.conf").write_text(
            f"pid {folder}/pid; error_log {folder}/errors; worker_processes 2; events {{}}\n"
            f"http {{ access_log off; include {folder}/site.conf; }}\n"
        )
        self._process = subprocess.Popen(
            ["setpriv", "--pdeathsig", "TERM", "/usr/sbin/nginx", "-c", f"{folder}/nginx.conf", "-p", str(folder),
             "-e", f"{folder}/errors", "-g", "daemon off;"],
        )

    def close(self):
        self._process.terminate()
        self._process.wait()


class Caddy:
    """Debian's Caddy, which makes its own certificate for localhost."""

    def __init__(self, folder, server_port):
        self.port, self.plain = free_port(), free_port()
        site = (DEPLOYMENT / "Caddyfile").read_text()
        site = site.replace("\nphotos.example.org {", f"\nhttps://localhost:{self.port} {{")
        site = site.replace("127.0.0.1:8080", f"127.0.0.1:{server_port}")
        options = f"{{\n\tadmin off\n\thttp_port {self.plain}\n\thttps_port {self.port}\n\tskip_install_trust\n}}\n"
        (folder / "Caddyfile").write_text(options + site)
        with open(folder / "caddy.log", "wb") as log:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "/usr/bin/caddy", "run", "--config", f"{folder}/Caddyfile"],
                env={**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)},
                stdout=log, stderr=log,
            )

    close = Nginx.close


@pytest.fixture(params=[Nginx, Caddy], ids=["nginx", "Caddy"])
def front(request, tmp_path, start):
    """A server and the proxy in front of it; `front.url` is where people go, and ana is one of them."""
    # The server has to know the proxy's address, and the proxy the server's.
    server_port = free_port()
    folder = tmp_path / "front"
    folder.mkdir()
    # nginx's workers have a user of their own.
    for path in [folder, *folder.parents][:-1]:
        path.chmod(0o755)
    front = request.param(folder, server_port)
    front.url = f"https://localhost:{front.port}"
    server = start(
        tmp_path / "data", "--sign-up", "open", "--public-url", front.url, "--trusted-proxies", "127.0.0.1,::1",
        "--port", str(server_port),
    )
    password = tmp_path / "password"
    password.write_text("correct horse")
    for name in ["ana", "ben"]:
        server.command("account", "create", name, "--display-name", name, "--password-file", str(password))
    front.token = server.command("token", "create", "ana")
    front.friend = server.command("token", "create", "ben")
    wait_until(lambda: answers(front), "an answer through the proxy")
    yield front
    front.close()


def answers(front):
    try:
        return ask(front, "/readyz")[0] == 200
    except OSError:
        return False


def ask(front, path, body=None, kind=None, token=None):
    """The status and the body of an answer."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    request = urllib.request.Request(front.url + path, body, {**headers, "Content-Type": kind} if kind else headers)
    with urllib.request.urlopen(request, timeout=60, context=ANYONE) as answer:
        return answer.status, answer.read()


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
