#!/usr/bin/env python3
"""Checks the language of the comments in Sources, by the rules of CONTRIBUTING.md, "Rules for all code".

- The comment of a function begins with a verb in the present: "Returns …", "Opens …". In each folder, 95 of 100 such
  comments have to. An initialiser may have a list of parameters alone.
- No comment begins with "The same": documentation windows show each comment alone.
- No comment uses the words of BANNED.

Prints the share of each folder, and what has to be reworded. `comments.py Sources/Storage` checks that folder alone.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHARE = 0.95

# Words that a reader stumbles over, and what to say instead.
BANNED = {
    r"one's": "your, their, or the owner's",
    r"whoever": "the person who, anyone who",
    r"whosever": "whose, the owner's",
    r"anew": "again",
    r"stands(?! (in )?for\b)": "is",
    r"tells of": "reports",
    r"(is|are) told to": "is sent to, is asked to",
    r"makes way": "is replaced",
    r"at hand": "already loaded",
    r"to be had": "available",
}

# Words in -s with which a comment may begin and which are no verbs.
NOT_VERBS = {
    "accounts", "across", "actions", "addresses", "albums", "always", "areas", "as", "attempts", "authors",
    "badges", "besides", "blobs", "boards", "bounds", "buttons", "bytes", "captions", "cards", "cells", "chats",
    "collages", "columns", "comments", "contracts", "crops", "days", "degrees", "details", "dimensions",
    "drafts", "edges", "effects", "elements", "entries", "errors", "events", "faces", "features", "feeds",
    "fields", "figures", "files", "filters", "folders", "followers", "formats", "friends", "galleries", "grids",
    "guests", "hashes", "headings", "hours", "images", "instances", "invitations", "is", "items", "its", "jobs",
    "keys", "kinds", "layouts", "less", "letters", "lines", "locations", "members", "messages", "metres",
    "milliseconds", "minutes", "neighbours", "networks", "notices", "notifications", "numbers", "others",
    "ours", "pages", "pairs", "parameters", "parts", "people's", "perhaps", "photos", "pictures", "pixels",
    "places", "points", "portraits", "proposals", "queries", "quotes", "reactions", "readers",
    "readings", "refusals", "rephotographs", "rows", "rules", "scopes", "screens", "scripts", "seconds",
    "sections", "services", "sessions", "settings", "sides", "sizes", "snaps", "sources", "statements",
    "statuses", "stickers", "streams", "styles", "subjects", "tables", "tabs", "tags", "templates", "texts",
    "themes", "these", "things", "this", "thus", "tokens", "topics", "transactions", "uploads", "users",
    "values", "variants", "vertices", "viewers", "was", "whereas", "whose", "words", "years", "yes",
}

DECLARATION = re.compile(
    r"\s*(?:@\w+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s+)*"
    r"(?:(?:package|public|private|fileprivate|internal|open|static|class|final|override|mutating|nonmutating|"
    r"nonisolated(?:\(unsafe\))?|consuming|borrowing|convenience|required|isolated|distributed|prefix|postfix|infix|"
    r"indirect)\s+)*"
    r"(func\b|init\b[?!]?\s*[(<])"
)
ATTRIBUTE = re.compile(r"\s*@\w+(\(.*\))?\s*$")
PARAMETERS = re.compile(r"- (Parameters?|Returns|Throws)\b")


def comment_of(line):
    """Returns the text of a line's comment, or None: what is inside a string is no comment."""
    place = line.find("//")
    while place >= 0:
        before = line[:place]
        # An address ("https://…") is no comment either.
        if before.replace('\\"', "").count('"') % 2 == 0 and not before.endswith(":"):
            return line[place:].lstrip("/").strip()
        place = line.find("//", place + 2)
    return None


def blocks_of(lines):
    """Yields each block of comment lines: the number of its first line, its text, and the number of the line below."""
    start, text = None, []
    for number, line in enumerate([*lines, ""], 1):
        stripped = line.lstrip()
        if stripped.startswith("//"):
            if start is None:
                start = number
            text.append(stripped.lstrip("/").strip())
        elif start is not None:
            yield start, text, number
            start, text = None, []


def is_verb(word):
    """Returns whether a sentence's first word is a verb in the third person."""
    word = word.lower()
    return word.endswith("s") and not word.endswith("ss") and word not in NOT_VERBS


def begins_with_verb(text):
    """Returns whether a comment's first sentence begins with a verb."""
    match = re.match(r"([A-Za-z’']+)", text)
    return bool(match) and is_verb(match[1])


def below(lines, number):
    """Returns the first line at or below `number` that isn't an attribute alone."""
    while number <= len(lines) and ATTRIBUTE.match(lines[number - 1]):
        number += 1
    return lines[number - 1] if number <= len(lines) else ""


def check(path, failures):
    """Counts a file's function comments, and those that begin with a verb. Adds to `failures` what has to change."""
    lines = path.read_text().split("\n")
    name = path.relative_to(ROOT)
    count = good = 0
    multiline = False
    for number, line in enumerate(lines, 1):
        if line.count('"""') % 2 == 1:
            multiline = not multiline
        comment = None if multiline else comment_of(line)
        if comment is None:
            continue
        for word, instead in BANNED.items():
            if match := re.search(rf"\b{word}\b", comment.replace("’", "'"), re.IGNORECASE):
                failures.words.append(f"{name}:{number}: “{match[0]}”: say {instead}")
    for start, text, end in blocks_of(lines):
        if re.match(r"The same\b", text[0]):
            failures.words.append(f"{name}:{start}: begins with “The same”: name the thing again")
        declaration = DECLARATION.match(below(lines, end))
        if not declaration or not lines[end - 2].lstrip().startswith("///"):
            continue
        if PARAMETERS.match(text[0]) and declaration[1].startswith("init"):
            continue
        count += 1
        if begins_with_verb(text[0]):
            good += 1
        else:
            failures.verbs[name.parent].append(f"{name}:{start}: {text[0]}")
    return count, good


class Failures:
    """What has to be reworded."""

    def __init__(self):
        self.words = []
        self.verbs = defaultdict(list)


def main(folders):
    """Checks the folders, or all of Sources. Returns how many of them fail."""
    failures = Failures()
    counts = defaultdict(lambda: [0, 0])
    roots = [(ROOT / folder).resolve() for folder in folders or ["Sources"]]
    for root in roots:
        for path in sorted(root.rglob("*.swift")):
            count, good = check(path, failures)
            # Sources/Module/Folder: what is deeper belongs to its folder.
            folder = Path(*path.relative_to(ROOT).parent.parts[:3])
            counts[folder][0] += count
            counts[folder][1] += good
    broken = 0
    for folder, (count, good) in sorted(counts.items()):
        share = good / count if count else 1
        print(f"{folder}: {good} of {count} functions' comments begin with a verb ({share:.0%})")
        if share < SHARE:
            broken += 1
            for parent, places in failures.verbs.items():
                if Path(*parent.parts[:3]) == folder:
                    print("\n".join(f"    {place}" for place in places))
    for place in failures.words:
        print(place)
    return broken + len(failures.words)


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
