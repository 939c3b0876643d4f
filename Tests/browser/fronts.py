"""Proxies of operators in front of a test server, by the files of `Deployment/` with other names and ports."""

import os
import pathlib
import ssl
import subprocess
import urllib.request

from cluster import Certificates, wait_until
from servers import free_port

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
        self.url = f"https://localhost:{self.port}"
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
        self.url = f"https://localhost:{self.port}"
        with open(folder / "caddy.log", "wb") as log:
            self._process = subprocess.Popen(
                ["setpriv", "--pdeathsig", "TERM", "/usr/bin/caddy", "run", "--config", f"{folder}/Caddyfile"],
                env={**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)},
                stdout=log, stderr=log,
            )

    close = Nginx.close


def with_server(kind, folder, start):
    """A proxy of a kind and a server behind it, each of which has to know the other's address."""
    server_port = free_port()
    place = folder / "front"
    place.mkdir()
    # nginx's workers have a user of their own.
    for path in [place, *place.parents][:-1]:
        path.chmod(0o755)
    front = kind(place, server_port)
    server = start(
        folder / "data", "--sign-up", "open", "--public-url", front.url, "--trusted-proxies", "127.0.0.1,::1",
        "--port", str(server_port),
    )
    wait_until(lambda: answers(front), "an answer through the proxy")
    return front, server


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
