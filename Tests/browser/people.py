"""People of a test server, through the JSON interface."""

import json
import pathlib
import time
import urllib.request
import uuid


class Person:
    """Someone with an account. `page` is their phone, when they have one."""

    # Where tests look at each answer; the fuzzers use this file too, without what that needs.
    see = None

    def __init__(self, server, username, cookie, token=None):
        self.server = server
        self.username = username
        # The value of the session cookie, as the phone and its scripts send it.
        self.cookie = cookie
        # Without a cookie, all calls come from an app.
        self._token, self._is_program = token, token is not None
        self.page = None
        self.id = self.get("/api/v1/accounts/verify_credentials")["id"]

    def again(self, password="correct horse"):
        """The same person with another log-in, as on another device."""
        return Person(self.server, self.username, self.server.enter("/login", username=self.username, password=password))

    @property
    def token(self):
        """A bearer token of theirs, made when it is first asked for. Setting one lets all calls come from that app."""
        if self._token is None:
            self._token = self.server.command("token", "create", self.username)
        return self._token

    @token.setter
    def token(self, token):
        self._token, self._is_program = token, True

    @property
    def credentials(self):
        """The headers that make a call theirs."""
        if self._is_program:
            return {"Authorization": f"Bearer {self.token}"}
        return {"Cookie": f"tintype_session={self.cookie}", "Sec-Fetch-Site": "same-origin"}

    def get(self, path):
        return self.call("GET", path)

    def post(self, path, key=None, **members):
        """Sends an object; the parsed answer. With a key, what is sent again is done once."""
        return self.call("POST", path, json.dumps(members).encode(), "application/json", key)

    def call(self, method, path, body=None, content_type=None, key=None):
        """Calls the JSON interface; the parsed answer."""
        headers = {"Idempotency-Key": key} if key else {}
        return json.loads(self._answer(method, path, body, content_type, headers))

    def bytes(self, path):
        """Fetches a picture."""
        return self._answer("GET", path)

    def _answer(self, method, path, body=None, content_type=None, headers=None):
        request = urllib.request.Request(
            self.server.url + path, body, {**(headers or {}), **self.credentials}, method=method
        )
        if content_type:
            request.add_header("Content-Type", content_type)
        with urllib.request.urlopen(request, timeout=30) as answer:
            body = answer.read()
            if Person.see:
                Person.see(method, request.full_url, answer.status, answer.headers, body)
            return body

    def upload(self, path, description="", purpose=None, key=None):
        """Uploads a picture; its id. With a key, what is sent again is uploaded once."""
        boundary = uuid.uuid4().hex
        fields = {"description": description, **({"purpose": purpose} if purpose else {})}
        parts = [
            f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
            for name, value in fields.items()
        ]
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="photo.png"\r\n\r\n'
        parts += [head.encode(), pathlib.Path(path).read_bytes(), f"\r\n--{boundary}--\r\n".encode()]
        kind = f"multipart/form-data; boundary={boundary}"
        return self.call("POST", "/api/v2/media", b"".join(parts), kind, key)["id"]

    def share(self, caption, *photos, description="A picture of soft colours", visibility="private"):
        """Posts pictures; the post's id."""
        ids = [self.upload(path, description) for path in photos]
        return self.post("/api/v1/statuses", status=caption, media_ids=ids, visibility=visibility)["id"]

    def edit(self, id, caption):
        """Changes the words of an own post or comment."""
        body = json.dumps({"status": caption}).encode()
        return self.call("PUT", f"/api/v1/statuses/{id}", body, "application/json")

    def follow(self, other):
        self.post(f"/api/v1/accounts/{other.id}/follow")

    def log_out_others(self):
        """Ends all other log-ins of theirs, as Settings does."""
        self._answer("POST", "/settings/devices/end", b"")

    def open(self, path):
        """Opens a page on the phone, and waits until its scripts have started."""
        self.page.goto(path)
        ready(self.page)
        return self.page


def befriend(one, other):
    """Lets two people follow each other."""
    one.follow(other)
    other.follow(one)


def acknowledged(control):
    """Waits until the server has answered what a control shows already: it is busy until then."""
    # The fuzzers use this file too, without a browser.
    from playwright.sync_api import expect

    expect(control).to_have_attribute("aria-busy", "false")


def until_true(page, function, arg=None, patience=30):
    """Waits until an asynchronous function gives true; seconds at most. (`wait_for_function` takes its promise for that.)"""
    end = time.monotonic() + patience
    while not page.evaluate(function, arg):
        assert time.monotonic() < end, f"still not so after {patience} s: {function}"
        page.wait_for_timeout(50)


def ready(page):
    """Waits until the page's scripts have started."""
    page.wait_for_selector("html[data-ready=on]", state="attached")
