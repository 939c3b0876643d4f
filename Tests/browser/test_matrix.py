"""The main screens in every size and both themes: none scrolls sideways, complains or shuts anyone out."""

import json

import pytest

from contracts import Deal
from looks import accessibility_problems, scrolls_sideways
from people import befriend, ready

pytestmark = pytest.mark.long

# Once the page is laid out for a new size.
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"

SIZES = [(320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800), (1440, 900)]

# Those with axe are looked at by it as well, on the phone and on the desktop.
AXE = {"/home", "/posts/{post}/comments", "/notifications", "/snaps", "/messages/{chat}", "/messages/{group}",
       "/messages/{group}/group", "/messages/new/group", "/library", "/@ben", "/settings", "/administration", "/users", "/snaps/camera", "/contracts", "/contracts/{contract}", "/contracts/new/{ben}",
       "/nowhere", "/guest/{guest}", "/lists", "/lists/{list}", "/lists/{list}/edit", "/@ben/lists", "/tags/boats", "/settings/filters",
       "/settings/filters/{filter}", "/settings/posts", "/settings/hashtags", "/search/posts?q=boats", "/messages/search?q=hello"}

SCREENS = [
    "/home", "/posts/{post}", "/posts/{post}/comments", "/posts/{post}/likes", "/posts/{post}/options",
    "/posts/{mine}/options", "/posts/{post}/share", "/posts/{post}/report", "/posts/new", "/notifications", "/saved",
    "/notifications/requests", "/notifications/requests/{stranger}", "/posts/{post}/filter", "/posts/{comment}/edit",
    "/@ben", "/@ana", "/@ben/options", "/@ben/followers", "/users", "/requests", "/snaps", "/snaps/new",
    "/snaps/{snap}", "/create", "/messages", "/messages/new", "/messages/requests", "/messages/{chat}",
    "/messages/{chat}/{message}/report", "/messages/{group}", "/messages/{group}/group",
    "/messages/{group}/group/add", "/messages/new/group", "/feed", "/library", "/library/{photo}", "/settings", "/settings/profile",
    "/settings/notifications", "/settings/privacy", "/settings/blocked", "/settings/muted", "/settings/devices", "/settings/apps",
    "/settings/password", "/settings/invitations", "/install", "/share",
    "/settings/data", "/settings/delete", "/who-can-see-what", "/administration", "/administration/accounts", "/administration/record",
    "/administration/sign-up", "/snaps/camera", "/contracts", "/contracts/{contract}", "/contracts/{contract}/claim",
    "/contracts/new", "/contracts/new/{ben}", "/contracts/{offer}/accept", "/then-and-now", "/collage", "/nowhere",
    "/lists", "/lists/{list}", "/lists/{list}/edit", "/@ben/lists", "/tags/boats", "/tags/nobodyusesthis", "/settings/filters",
    "/settings/filters/new", "/settings/filters/{filter}", "/settings/posts", "/settings/hashtags", "/search/posts",
    "/search/posts?q=boats", "/search/posts?q=nothing", "/messages/search", "/messages/search?q=hello",
    "/messages/search?q=nothing", "/messages/{chat}/search?q=hello",
]

# Those that somebody without an account sees.
OUTSIDE = ["/login", "/signup", "/who-can-see-what", "/guest/{guest}", "/nowhere"]


@pytest.fixture(scope="module")
def scene(server, photos):
    """Ana, who administers the server, and something on every screen of hers."""
    ana, ben, cleo, dora, emil = (server.person(name) for name in ["ana", "ben", "cleo", "dora", "emil"])
    for friend in [ben, emil]:
        befriend(ana, friend)
    ana.call("PATCH", "/api/v1/accounts/update_credentials", b'{"locked": true}', "application/json")
    cleo.follow(ana)
    ana.post(f"/api/v1/accounts/{dora.id}/block")
    words = "A caption that goes on for a while about the harbour, the boats and @ana, with averyveryverylongword" * 2
    post = ben.share(words, photos[0], photos[1])
    for mark in ["favourite", "bookmark"]:
        ana.post(f"/api/v1/statuses/{post}/{mark}")
    comment = ana.post("/api/v1/statuses", status="Where is this?", in_reply_to_id=post)["id"]
    ben.post("/api/v1/statuses", status="At home, @ana. " * 9, in_reply_to_id=comment)
    mine = ana.share("Mine", photos[2])
    aside = {"for_not_following": "filter", "for_new_accounts": "accept"}
    ana.call("PATCH", "/api/v2/notifications/policy", json.dumps(aside).encode(), "application/json")
    stranger = server.person("astranger")
    for words in ["Hello, @ana", "What a lovely harbour, @ana. " * 9]:
        stranger.share(words, photos[0], visibility="public")
    ana.post(f"/api/v1/accounts/{ben.id}/endorse")
    ben.post(f"/api/v1/statuses/{mine}/favourite")
    ben.post("/api/v1/reports", account_id=cleo.id, status_ids=[], comment="Not nice. " * 20)
    cleo.post("/api/v1/reports", account_id=ben.id)
    chat = ana.post("/api/v1/chats", account_id=ben.id)["id"]
    ana.post(f"/api/v1/chats/{chat}/messages", text="Hello " * 30)
    message = ben.post(f"/api/v1/chats/{chat}/messages", photo_id=ben.upload(photos[1]))["id"]
    group = ana.post("/api/v1/chats", account_ids=[ben.id, emil.id], title="Averyveryverylongname of a group " + "x" * 20)["id"]
    for person in [ben, ben, emil, ana]:
        person.post(f"/api/v1/chats/{group}/messages", text="Hello, all of you. " * 9)
    snap = ana.post("/api/v1/snaps", media_id=ana.upload(photos[0], purpose="snap"), feed_id="memes")["id"]
    ben.post(f"/api/v1/snaps/{snap}/open")
    ben.post("/api/v1/snaps", media_id=ben.upload(photos[0], purpose="snap"), feed_id="memes")
    photo = ana.upload(photos[0], "A picture of soft colours")
    guest = ana.post(f"/api/v1/statuses/{mine}/guest_link")["url"].rsplit("/", 1)[1]
    contract = Deal(ana, ben, photos, rules=["Calls don’t count. " * 5, "Restaurants count."]).id
    offer = Deal(ben, ana, photos, accepted=False).id
    for title in ["Crew", "Averyveryverylongname of a list " + "x" * 40]:
        crew = ana.post("/api/v1/lists", title=title, exclusive=True)["id"]
        ana.post(f"/api/v1/lists/{crew}/accounts", account_ids=[ben.id, emil.id])
    for title, word in [("Weather", "rain"), ("Averyveryverylongname of a filter " + "x" * 40, "averyveryverylongword " * 4)]:
        keywords = [{"keyword": word}, {"keyword": "snow"}]
        filtered = ana.post("/api/v2/filters", title=title, context=["home", "public"], keywords_attributes=keywords)["id"]
    ben.share("At the #boats, in the harbour " * 3, photos[0], photos[1], visibility="public")
    for tag in ["boats", "averyveryverylonghashtag" + "x" * 60]:
        for verb in ["follow", "feature"]:
            ana.post(f"/api/v1/tags/{tag}/{verb}")
    ids = {"post": post, "mine": mine, "chat": chat, "group": group, "message": message, "snap": snap, "photo": photo, "guest": guest}
    ids |= {"ben": ben.id, "contract": contract, "offer": offer, "list": crew, "filter": filtered}
    ids |= {"stranger": stranger.id, "comment": comment}
    return ana, [[(screen, screen.format(**ids)) for screen in screens] for screens in [SCREENS, OUTSIDE]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_in_every_size(scene, phone, stranger, scheme):
    ana, (screens, outside) = scene
    problems = look_at(phone(ana, color_scheme=scheme).page, screens)
    problems += look_at(stranger(color_scheme=scheme), outside)
    assert problems == []


def look_at(page, screens):
    """What is wrong with screens, in words."""
    problems = []
    page.on("pageerror", lambda error: problems.append(f"{page.url}: {error}"))
    page.on("console", lambda message: message.type == "error" and problems.append(f"{page.url}: {message.text}"))
    for screen, path in screens:
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            if (width, height) == SIZES[0]:
                known = len(problems)
                answer = page.goto(path)
                ready(page)
                if screen == "/nowhere":
                    # The browser complains of it, too.
                    del problems[known:]
                assert answer.status == (404 if screen == "/nowhere" else 200), path
            page.evaluate(DRAWN)
            if scrolls_sideways(page):
                problems.append(f"{path} is wider than {width}")
            if screen in AXE and width in (390, 1280):
                problems += [f"{path} at {width}: {problem}" for problem in accessibility_problems(page)]
    return problems
