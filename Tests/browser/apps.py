"""Apps that people let in: Mastodon.py, and the page that asks."""

import mastodon

OUT_OF_BAND = "urn:ietf:wg:oauth:2.0:oob"
SCOPES = ["read", "write", "follow", "push"]


def code_for(page, url):
    """The code that the page shows, once the person who is logged in has let the app in."""
    page.goto(url)
    page.get_by_role("button", name="Allow").click()
    return page.get_by_label("Code").input_value()


def client(page, url, scopes=SCOPES):
    """Mastodon.py on the server at an address, logged in by the person whose browser is given."""
    identifier, secret = mastodon.Mastodon.create_app(
        "Mastodon.py", scopes=scopes, api_base_url=url, website="https://github.com/halcy/Mastodon.py"
    )
    api = mastodon.Mastodon(
        client_id=identifier, client_secret=secret, api_base_url=url, ratelimit_method="throw", request_timeout=120
    )
    code = code_for(page, api.auth_request_url(scopes=scopes, allow_http=True))
    api.log_in(code=code, scopes=scopes, allow_http=True)
    return api
