"""The values in answers to apps, as strict as the strictest app (Documentation/Interface.md, "What apps need")."""

import datetime
import re
import urllib.parse
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints



def fits(condition, words):
    """A check of a value: `words` say what it has to be."""

    def check(value):
        if not condition(value):
            raise ValueError(words)
        return value

    return AfterValidator(check)


def is_date(form, pattern):
    def check(text):
        # `strptime` alone takes one digit for two, too.
        if not re.fullmatch(pattern, text):
            return False
        try:
            datetime.datetime.strptime(text, form)
        except ValueError:
            return False
        return True

    return check


def is_address(*schemes):
    def check(text):
        # Swift's URL takes neither spaces nor letters that aren't ASCII.
        if not re.fullmatch(r"[!#-;=?-Z\[\]_a-z~]+", text):
            return False
        parts = urllib.parse.urlsplit(text)
        return parts.scheme in schemes and bool(parts.hostname)

    return check


Words = Annotated[str, StringConstraints(min_length=1)]
# Digits without a zero in front, which fit into 63 bits: Pixelfed's app calculates with them.
Id = Annotated[
    str, StringConstraints(pattern=r"^[1-9][0-9]*$"), fits(lambda text: int(text) < 2**63, "an id has 63 bits at most")
]
Time = Annotated[
    str, fits(is_date("%Y-%m-%dT%H:%M:%S.%fZ", r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"), "a time has three decimals")
]
Day = Annotated[str, fits(is_date("%Y-%m-%d", r"\d{4}-\d\d-\d\d"), "a day has no time")]
Address = Annotated[str, fits(is_address("http", "https"), "an address is absolute")]
StreamAddress = Annotated[str, fits(is_address("ws", "wss"), "a stream's address is a WebSocket's")]
Count = Annotated[int, Field(ge=0)]
# Mastodon writes some numbers as texts.
WrittenNumber = Annotated[str, StringConstraints(pattern=r"^[0-9]+$")]
# Apps take any tag of the form of BCP 47.
Language = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9]{2,3}(-[A-Za-z0-9]{1,8})*$")]
BlurHash = Annotated[str, StringConstraints(pattern=r"^[0-9A-Za-z#$%*+,\-.:;=?@\[\]^_{|}~]{6,}$")]
# A point of P-256 without compression, and 16 or more secret bytes.
PublicKey = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{87}=?$")]
Visibility = Literal["public", "unlisted", "private", "direct"]
# What Mastodon 4.2 has. Apps ask for all others by name.
NotificationType = Literal["mention", "status", "reblog", "follow", "follow_request", "favourite", "poll", "update"]
Never = Annotated[list[Any], Field(max_length=0)]


class Model(BaseModel):
    """Something with members of exactly their types. What is allowed to be null says so, and has to be there nevertheless."""

    model_config = ConfigDict(strict=True)


def absent(default=None):
    """A member that may be missing. If it is there, it has a value, unless its type says that it may be null."""
    return Field(default=default)


class Nothing(Model):
    """An object that says that something is done."""
