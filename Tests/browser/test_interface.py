"""The JSON interface against its own description: real answers, and whatever a fuzzer thinks of."""

import itertools
import json
import time
import urllib.error

import jsonschema_rs
import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from requests.structures import CaseInsensitiveDict
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    positive_data_acceptance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.transport.serialization import Binary

import app_answers
from accepted_calls import DEVICE, EXAMPLES, NOBODY, Things
from conftest import png
from people import befriend

pytestmark = pytest.mark.long

# A fuzzer asks more often than any person.
SERVER_FLAGS = ["--sign-up", "open"] + [
    word for kind in ["reads", "writes", "uploads"] for word in [f"--limit-{kind}", "100000000"]
]

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

# What every call answers to what doesn't fit its description.
OF_REFUSING = [negative_data_rejection]

# What a call answers to what fits. The description of a call that changes something can't say what fits the state, such as
# whose post an id is: such values are those of an example for each (`EXAMPLES`).
OF_ACCEPTING = [positive_data_acceptance]

# What is described, and refused in any case with a sentence that says why: posts aren't boosted here, and there are no
# other servers to block.
REFUSED_ALWAYS = {
    "POST /api/v1/statuses/{id}/reblog", "POST /api/v1/statuses/{id}/unreblog", "POST /api/v1/domain_blocks",
}  # fmt: skip

# What fits the description and is refused nevertheless: years that aren't in order, and sources that the server doesn't have.
REFUSED_NEVERTHELESS = {"/api/v1/past_photos"}

# The methods of requests, but OPTIONS, with which browsers ask before they send one from another site.
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY"]

# They answer for as long as one listens.
STREAMS = ("/api/v1/events", "/api/v1/streaming")

# What only an app's token opens; test_apps.py asks for it.
OF_APPS = {"/api/v1/apps/verify_credentials"}

# What ends things is fuzzed last, so that what others ask for is there as long as possible.
ENDING = ["/block", "/unfollow", "/remove_from_followers", "/clear", "/dismiss", "/close", "/reject", "DELETE"]

# Who asks, and with how many tries for each call: as described and not as described, with real things and invented
# ones. The things are ana's; she comes last, since she can end them.
CALLERS = [(None, 2), ("olga", 2), ("ana", 6)]

# With how many tries a call that changes something accepts what fits.
TRIES_OF_ACCEPTING = 3

# What depends on something else, so that its description can't say what is accepted: a name that nobody has, addresses and
# keys, words that the other people or the state of a thing decide, and one emoji of thousands.
OF_EXAMPLE = {
    "POST /api/v1/accounts": {"username", "invitation_code"},
    "POST /api/v1/apps": {"redirect_uris", "scopes", "website"},
    "POST /oauth/token": {
        "grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret", "scope",
    },
    "POST /oauth/revoke": {"token", "client_id", "client_secret"},
    "POST /api/v1/push/subscription": {
        "subscription[endpoint]", "subscription[keys][p256dh]", "subscription[keys][auth]",
    },
    "POST /api/v1/statuses": {"visibility"},
    "POST /api/v1/media": {"focus", "purpose"},
    "POST /api/v2/media": {"focus", "purpose"},
    "PUT /api/v1/media/{id}": {"focus"},
    "POST /api/v1/featured_tags": {"name"},
    "PUT /api/v1/chats/{id}/messages/{message}/reaction": {"emoji"},
    "POST /api/v1/snaps": {"feed_id", "sample_id"},
    "POST /api/v1/snaps/send": {"feed_id", "sample_id"},
    "POST /api/v1/collages": {"layout_id"},
    "PUT /api/v1/collages/{id}": {"layout_id"},
    "POST /api/v1/collage_drafts/{id}/swap": {"one", "other"},
    "POST /api/v1/contracts": {"ends_at", "publish_to"},
    "POST /api/v1/contracts/{id}/accept": {"publish_to"},
    "POST /api/v1/contracts/{id}/claim": {"rule"},
}  # fmt: skip

# With how many tries ana finds out that a call that changes something accepts nothing invalid.
TRIES_OF_REFUSING = 20


class Scene:
    """Ana, who asks, and something of everything for her to ask for."""

    def __init__(self, server, picture):
        # The first account is the administrator.
        olga, ana, ben, cleo, dora = (server.person(name) for name in ["olga", "ana", "ben", "cleo", "dora"])
        # A picture that is seen once is shown only in the log-in that opened it, so all of ana's calls are an app's.
        ana.token = ana.token
        self.tokens = {"ana": ana.token, "olga": olga.token}
        emil, fritz, gina = (server.person(name) for name in ["emil", "fritz", "gina"])
        befriend(ana, ben)
        # Someone ana mutes, someone she may know, and a friend of both.
        ana.post(f"/api/v1/accounts/{emil.id}/mute")
        ana.post(f"/api/v1/accounts/{ben.id}/note", comment="From the club")
        for one, other in [(ana, ben), (ben, ana)]:
            one.post(f"/api/v1/accounts/{other.id}/endorse")
        crew = ana.post("/api/v1/lists", title="Crew")["id"]
        ana.post(f"/api/v1/lists/{crew}/accounts", account_ids=[ben.id])
        befriend(ben, fritz)
        befriend(ben, gina)
        ana.follow(gina)
        ana.call("PATCH", "/api/v1/accounts/update_credentials", b'{"locked": true}', "application/json")
        cleo.follow(ana)
        ana.post(f"/api/v1/accounts/{dora.id}/block")
        theirs = ben.share("#harbour, with @ana", picture, visibility="public")
        words = [{"keyword": "rain"}, {"keyword": "harbour"}]
        filter = ana.post("/api/v2/filters", title="Weather", context=["home"], keywords_attributes=words)
        single = ana.post(f"/api/v2/filters/{filter['id']}/statuses", status_id=theirs)["id"]
        for mark in ["favourite", "bookmark"]:
            ana.post(f"/api/v1/statuses/{theirs}/{mark}")
        mine = ana.share("Mine #boats", picture, visibility="public")
        for tag, verb in [("harbour", "follow"), ("sea", "feature")]:
            ana.post(f"/api/v1/tags/{tag}/{verb}")
        ben.post("/api/v1/tags/harbour/feature")
        featured = ana.get("/api/v1/featured_tags")[0]["id"]
        ben.post(f"/api/v1/statuses/{mine}/favourite")
        ben.post("/api/v1/statuses", status="Oh, @ana", in_reply_to_id=mine)
        chat = ana.post("/api/v1/chats", account_id=ben.id)["id"]
        ben.post(f"/api/v1/chats/{chat}/messages", text="Hello")
        message = ben.post(f"/api/v1/chats/{chat}/messages", photo_id=ben.upload(picture))["id"]
        snap = self._snap(ana, picture)
        seen = ben.post(f"/api/v1/snaps/{snap}/open")["view"]
        assert seen["url"]
        view = ana.post(f"/api/v1/snaps/{self._snap(ben, picture)}/open")["view"]["id"]
        secret = ben.upload(picture, purpose="view_once")
        once = ben.post(f"/api/v1/chats/{chat}/messages", media_id=secret, view_once=True)["id"]
        once_view = ana.post(f"/api/v1/chats/{chat}/messages/{once}/open")["view"]["id"]
        ana.post("/api/v1/markers", notifications={"last_read_id": 1})
        photo = ana.upload(picture)
        draft = ana.post("/api/v1/collage_drafts", layout_id="side-by-side", account_ids=[ben.id])["id"]
        fill = json.dumps({"photo_id": photo}).encode()
        ana.call("PUT", f"/api/v1/collage_drafts/{draft}/cells/0", fill, "application/json")
        cells = [{"photo_id": photo}, {"photo_id": photo}]
        collage = ana.post("/api/v1/collages", layout_id="side-by-side", size=512, cells=cells)["id"]
        pair = ana.post("/api/v1/rephotographs", photo_id=photo, media_id=ana.upload(picture))["id"]
        contract = self._contract(ana, ben, photo, ben.upload(picture))
        newest = ana.get("/api/v1/notifications")
        aside = json.dumps({"for_not_following": "filter"}).encode()
        ana.call("PATCH", "/api/v2/notifications/policy", aside, "application/json")
        cleo.share("Hello, @ana", picture, visibility="public")
        ana.post("/api/v1/push/subscription", subscription=DEVICE)
        self._parameters = {
            "/api/v1/accounts": {"id": ben.id},
            "/api/v1.1/accounts": {"id": ben.id, "username": "ben"},
            "/api/v1/suggestions": {"id": ben.id},
            "/api/v1/follow_requests": {"id": cleo.id},
            "/api/v1/notifications/requests": {"id": cleo.id},
            "/api/v1/statuses": {"id": mine},
            "/api/v1/media": {"id": photo},
            "/api/v1/photos": {"id": photo},
            "/api/v1/collage_drafts": {"id": draft, "index": 0},
            "/api/v1/collages": {"id": collage},
            "/api/v1/rephotographs": {"id": pair},
            "/api/v1/contracts": {"id": contract},
            "/api/v1/snaps": {"id": snap},
            "/api/v1/snap_views": {"view": view},
            "/api/v1/once_views": {"view": once_view},
            "/api/v1/chats": {"id": chat, "message": message, "account": ben.id},
            "/api/v1/conversations": {"id": chat},
            "/api/v1/notifications": {"id": newest[0]["id"]},
            "/api/v2/notifications": {"group_key": newest[0]["group_key"]},
            "/api/v1/lists": {"id": crew},
            "/api/v1/filters": {"id": filter["keywords"][0]["id"]},
            "/api/v2/filters/keywords": {"id": filter["keywords"][1]["id"]},
            "/api/v2/filters/statuses": {"id": single},
            "/api/v2/filters": {"id": filter["id"]},
            "/api/v1/timelines": {"id": crew, "hashtag": "harbour"},
            "/api/v1/tags": {"name": "harbour"},
            "/api/v1/featured_tags": {"id": featured},
        }
        # What can't be asked for without saying what.
        self._queries = {
            "/api/v1/accounts/lookup": {"acct": "ben"},
            "/api/v1/accounts/search": {"q": "ben"},
            "/api/v2/search": {"q": "ben"},
            "/api/v1/messages/search": {"q": "hello"},
            "/api/v1.1/direct/thread": {"pid": ben.id},
            "/api/v1/accounts/relationships": {"id[]": [ben.id]},
            "/api/v1/accounts/familiar_followers": {"id[]": [ben.id]},
            "/api/v1/accounts": {"id[]": [ben.id]},
            "/api/v1/statuses": {"id[]": [mine]},
            "/api/v1/markers": {"timeline[]": ["home", "notifications"]},
            "/api/v1/past_photos": {
                "latitude": 48.858,
                "longitude": 2.294,
                "radius_km": 2,
                "from_year": 1900,
                "to_year": 1980,
            },
        }

    @staticmethod
    def _snap(person, picture):
        media = person.upload(picture, purpose="snap")
        return person.post("/api/v1/snaps", media_id=media, feed_id="memes")["id"]

    @staticmethod
    def _contract(one, other, photo, others_photo):
        """A contract that binds two people; its id."""
        terms = {"publish_to": ["server"], "consent": True, "of_age": True}
        contract = one.post(
            "/api/v1/contracts", partner_id=other.id, promise="We swim on Sunday", stake_photo_id=photo,
            ends_at=time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(time.time() + 86_400)), **terms,
        )["id"]
        other.post(f"/api/v1/contracts/{contract}/accept", stake_photo_id=others_photo, **terms)
        return contract

    def parameters(self, operation):
        """Values of the path's parameters that name something real; nothing when it has none."""
        if "{" not in operation.path:
            return {}
        known = [value for path, value in self._parameters.items() if operation.path.startswith(path + "/")]
        assert known, f"{operation.path}: say here what stands for its parameters"
        return {name: value for name, value in known[0].items() if f"{{{name}}}" in operation.path}

    def query(self, operation):
        return self._queries.get(operation.path, {})


@pytest.fixture(scope="module")
def scene(server, tmp_path_factory):
    picture = tmp_path_factory.mktemp("interface") / "picture.png"
    picture.write_bytes(png(64, 48))
    return Scene(server, picture)


@pytest.fixture(scope="module")
def operations(server):
    """Every call that the server describes, those that end things last."""
    return described(server)


@pytest.fixture(scope="module")
def texts(server):
    """The same calls, sent plain texts: no pattern can say which characters of Unicode show anything."""
    return described(server, codec="ascii")


def described(server, codec="utf-8"):
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    schema.config.generation.codec = codec
    # Who asks is up to the tests.
    schema.config.generation.with_security_parameters = False
    # A picture has no such part, or was seen before.
    schema.config.checks.positive_data_acceptance.expected_statuses += ["410", "416"]
    found = [one.ok() for one in schema.get_all_operations()]

    def order(operation):
        return operation.method.upper() != "GET", any(word in operation.label for word in ENDING)

    asked = (
        one for one in found
        if (not one.path.startswith(STREAMS) or one.path.endswith("/health")) and one.path not in OF_APPS
    )
    return sorted(asked, key=order)


def is_text_in_form(case):
    """
    Whether a body fits its description once it is a form: there a number or an object for a text is a text, too, and an empty
    field is none.
    """
    if case.media_type in (None, "application/json") or not isinstance(case.body, dict):
        return False
    schema = case.operation.definition.raw["requestBody"]["content"][case.media_type]["schema"]
    texts = {name for name, described in schema["properties"].items() if described == {"type": "string"}}
    # Files are bytes, which aren't JSON.
    sent = {
        name: "" if name in texts or isinstance(value, (bytes, Binary)) else value
        for name, value in case.body.items()
        if name in schema.get("required", []) or value not in ("", None, [], {})
    }
    return jsonschema_rs.validator_for(schema).is_valid(sent)


@pytest.fixture(scope="module")
def check():
    """Compares an answer with its description, and with what apps read; what is wrong, in words."""

    def check(case, answer, checks=()):
        try:
            case.validate_response(answer, checks=[*CHECKS, *checks])
        except FailureGroup as failures:
            said = "; ".join(str(failure).strip() for failure in failures.exceptions)
            return f"{case.operation.label} answered {answer.status_code} to {answer.request.url}: {said}"
        headers = CaseInsensitiveDict({name: values[0] for name, values in answer.headers.items()})
        return app_answers.problem_of(
            answer.request.method, answer.request.url, answer.status_code, headers, answer.content
        )

    return check


@pytest.fixture(scope="module")
def call(scene, check):
    """Makes a call as somebody, or without a login; what is wrong with the answer, in words, and the answer."""
    session = requests.Session()

    def call(case, caller="ana", checks=()):
        headers = {"Authorization": f"Bearer {scene.tokens[caller]}"} if caller else {}
        answer = case.call(session=session, headers=headers, timeout=60)
        # An empty value counts as none, which the description of a parameter can't say.
        if "" in (case.query or {}).values() or is_text_in_form(case):
            checks = ()
        return check(case, answer, checks), answer

    return call


def test_what_can_be_asked_for_is_answered_as_described(operations, scene, call):
    problems = []
    for operation in operations:
        if operation.method.upper() != "GET":
            continue
        case = operation.Case(
            path_parameters=scene.parameters(operation), query=scene.query(operation), method="GET"
        )
        problem, answer = call(case)
        if problem:
            problems.append(problem)
        elif answer.status_code != 200:
            problems.append(f"{operation.label} answered {answer.status_code}")
        elif "json" in answer.headers["content-type"][0]:
            # An empty list would have been compared with nothing.
            is_planned = operation.definition.raw["summary"] == "Always empty"
            if (answer.json() == []) != is_planned:
                problems.append(f"{operation.label} answered with {len(answer.json())} things")
    assert problems == []


@pytest.fixture(scope="module")
def things(server, tmp_path_factory):
    picture = tmp_path_factory.mktemp("accepted") / "picture.png"
    picture.write_bytes(png(64, 48))
    return Things(server, picture)


def test_every_call_that_changes_something_accepts_an_example(server, operations, things, check):
    session, problems = requests.Session(), []
    writing = [operation for operation in operations if operation.method.upper() != "GET"]
    assert {operation.label for operation in writing} == set(EXAMPLES)
    for operation in writing:
        try:
            example = EXAMPLES[operation.label](things)
        except urllib.error.HTTPError as refusal:
            problems.append(f"{operation.label}: {refusal.url} answered {refusal.code}: {refusal.read()[:300]}")
            continue
        body = {} if example.body is None else {"body": example.body, "media_type": media_type(example.body)}
        case = operation.Case(path_parameters=example.path, method=operation.method.upper(), **body)
        answer = case.call(session=session, headers=credentials(example, things), timeout=60)
        # Cookies of answers are nobody's here.
        session.cookies.clear()
        problem = check(case, answer) or not_described(operation, case)
        if problem:
            problems.append(problem)
        elif answer.status_code >= 300 and operation.label not in REFUSED_ALWAYS:
            problems.append(f"{operation.label} answered {answer.status_code}: {answer.text[:300]}")
        elif operation.label in REFUSED_ALWAYS and answer.status_code != 422:
            problems.append(f"{operation.label} isn't refused any more: {answer.status_code}")
    assert problems == []


def media_type(body):
    return "multipart/form-data" if "file" in body else "application/json"


def not_described(operation, case):
    """What the description doesn't allow in the body of an example, in words."""
    if not isinstance(case.body, dict):
        return None
    schema = operation.definition.raw["requestBody"]["content"][case.media_type]["schema"]
    named = {name: value for name, value in flat(case.body, schema["properties"]) if name != "file"}
    required = [name for name in schema["required"] if name != "file"]
    wrong = jsonschema_rs.validator_for({**schema, "required": required, "additionalProperties": False})
    return "; ".join(f"{operation.label}: {error.message}" for error in wrong.iter_errors(named)) or None


def flat(members, described, around=""):
    """The members of nested JSON by the names that the description has: `source[privacy]`, `words[][keyword]`."""
    for key, value in members.items():
        name = f"{around}[{key}]" if around else key
        if name in described or not isinstance(value, (dict, list)):
            yield name, value
        elif name + "[]" in described:
            # A list in a form.
            yield name + "[]", value
        elif isinstance(value, dict):
            yield from flat(value, described, name)
        else:
            for element in value:
                yield from flat(element, described, name + "[]")


def test_whatever_fits_is_accepted_by_calls_that_change_something(server, texts, things, check):
    """Each is about something new of an example, from which also that is which no description can say (`is_of_example`)."""
    session, problems, refused_examples = requests.Session(), [], []
    numbers = map(str, itertools.count())
    for operation in texts:
        if not has_anything_to_generate(operation):
            continue
        of_whom = things
        if operation.path.startswith("/api/v1/contracts"):
            # Nobody has many open contracts.
            of_whom = Things(server, things.picture, next(numbers))

        def call(case, operation=operation, of_whom=of_whom):
            try:
                example = EXAMPLES[operation.label](of_whom)
            except urllib.error.HTTPError as refusal:
                refused_examples.append(f"{operation.label}: {refusal.url} answered {refusal.code}: {refusal.read()[:300]}")
                return None, None
            case.path_parameters, case.body = example.path, with_example(operation, case, example)
            answer = case.call(session=session, headers=credentials(example, of_whom), timeout=60)
            session.cookies.clear()
            problem = check(case, answer, OF_ACCEPTING)
            return problem and f"{problem}\n{case.media_type} {case.body}\n{answer.text[:300]}", answer

        problems += fuzz(operation, GenerationMode.POSITIVE, None, call, TRIES_OF_ACCEPTING, can_have_example)
    assert problems + refused_examples == []


def credentials(example, things):
    """The headers of the person who sends an example, or of an app."""
    if example.token:
        return {"Authorization": f"Bearer {example.token}"}
    return {} if example.by is NOBODY else (example.by or things.ana).credentials


def properties(operation, media_type):
    return operation.definition.raw["requestBody"]["content"][media_type]["schema"]["properties"]


def has_anything_to_generate(operation):
    if operation.method.upper() == "GET" or operation.label in REFUSED_ALWAYS or not operation.body:
        return False
    return any(
        not is_of_example(operation, name, described)
        for body in operation.body for name, described in properties(operation, body.media_type).items()
    )


def is_of_example(operation, name, described):
    """Whether a value can't be described: ids, files, objects, what belongs together by its place, and `OF_EXAMPLE`."""
    if "[][" in name or name.removesuffix("[]") in OF_EXAMPLE.get(operation.label, ()):
        return True
    return any(sign in json.dumps(described) for sign in ["{0,19}", "{1,19}", "binary", '"object"'])


def with_example(operation, case, example):
    """What is generated, with values of the example for what can't be described."""
    described = properties(operation, case.media_type)
    of_example = {name for name in described if is_of_example(operation, name, described[name])}
    generated = case.body if isinstance(case.body, dict) else {}
    sent = {name: value for name, value in generated.items() if name not in of_example}
    return sent | {name: value for name, value in flat(example.body, described) if name in of_example}


def can_have_example(case):
    """Whether a body can have objects, which forms have by their members only."""
    described = case.operation.definition.raw["requestBody"]["content"]
    objects = [
        name for name, one in described.get("application/json", {"schema": {"properties": {}}})["schema"]["properties"].items()
        if '"object"' in json.dumps(one)
    ]
    return case.media_type == "application/json" or not objects


def test_without_a_login_nothing_is_answered_but_what_is_public(operations, scene, call):
    problems = []
    for operation in operations:
        case = operation.Case(
            path_parameters=scene.parameters(operation), query=scene.query(operation),
            method=operation.method.upper(),
        )
        problem, answer = call(case, None)
        is_public = operation.definition.raw.get("security") == []
        if problem:
            problems.append(problem)
        elif operation.path.startswith("/oauth/"):
            # There an app logs in, and no person.
            assert answer.status_code == 401
        elif (answer.status_code == 401) == is_public:
            problems.append(f"{operation.label} answered {answer.status_code}")
    assert problems == []


def test_a_method_that_a_call_does_not_take_is_named(server, scene):
    session, headers = requests.Session(), {"Authorization": f"Bearer {scene.tokens['ana']}"}
    described = session.get(f"{server.url}/api/openapi.json").json()["paths"]
    problems = []
    for path, operations in described.items():
        allowed = {method.upper() for method in operations} | ({"HEAD"} if "get" in operations else set())
        url = server.url + path.replace("{", "").replace("}", "")
        for method in METHODS:
            if method in allowed:
                continue
            answer = session.request(method, url, headers=headers, timeout=60)
            named = set(answer.headers.get("Allow", "").split(", "))
            if answer.status_code != 405 or named != allowed:
                problems.append(f"{method} {path} answered {answer.status_code}, and allows {named}")
    assert len(described) > 200 and problems == []


@pytest.mark.parametrize(("caller", "examples"), CALLERS)
def test_whatever_is_asked_is_answered_as_described(operations, scene, call, caller, examples):
    problems = []
    rounds = [
        (mode, parameters)
        for mode in [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
        for parameters in ["invented", "real"]
    ]
    for mode, parameters in rounds:
        for operation in operations:
            real = scene.parameters(operation) if parameters == "real" else {}
            if parameters == "real" and not real:
                continue
            is_reading = operation.method.upper() == "GET"
            checks, tries = [], examples
            if mode == GenerationMode.NEGATIVE and caller:
                checks = OF_REFUSING
                tries = examples if is_reading or caller != "ana" else TRIES_OF_REFUSING
            elif is_reading and operation.path not in REFUSED_NEVERTHELESS and caller:
                checks = OF_ACCEPTING
            problems += fuzz(
                operation, mode, real, lambda case, checks=checks: call(case, caller, checks), tries
            )
    assert problems == []


def fuzz(operation, mode, parameters, call, examples, fits=lambda _: True):
    """The first problem that a few tries find, the same ones each time."""
    found = []
    cases = operation.as_strategy(generation_mode=mode, path_parameters=parameters or None).filter(fits)

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def attempt(case):
        problem, _ = call(case)
        if problem and not found:
            found.append(problem)

    try:
        attempt()
    except Exception as error:
        # Without parameters there is nothing to get wrong.
        if type(error).__name__ not in {"Unsatisfiable", "SkipTest", "Skipped"}:
            raise
    return found
