#!/usr/bin/env python3
"""Checks the language of comments, names of tests and documentation, by CONTRIBUTING.md, "Rules for all code".

- In Sources, the comment of a function in Swift or JavaScript begins with a verb in the present: "Returns …",
  "Opens …". In each folder, 95 of 100 such comments have to. A list of parameters or a type needs no sentence.
- No comment begins with "The same": documentation windows show each comment alone.
- No comment, name of a test or sentence of the documentation uses the words of BANNED.

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
    r"heeds?": "checks, follows, uses",
    r"unless told otherwise": "by default, unless",
}
ANY_BANNED = re.compile(rf"\b(?:{'|'.join(BANNED)})\b", re.IGNORECASE)

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
    "points", "portraits", "proposals", "queries", "quotes", "reactions", "readers",
    "readings", "refusals", "rephotographs", "rows", "rules", "scopes", "screens", "scripts", "seconds",
    "sections", "services", "sessions", "settings", "sides", "sizes", "snaps", "sources", "statements",
    "statuses", "stickers", "streams", "styles", "subjects", "tables", "tabs", "tags", "templates", "texts",
    "themes", "these", "things", "this", "thus", "tokens", "topics", "transactions", "uploads", "users",
    "values", "variants", "vertices", "viewers", "was", "whereas", "whose", "words", "years", "yes",
}

# What is read, by the ends of the files' names. Migrations are left out: their text may not change.
KINDS = {".swift", ".js", ".css", ".c", ".h", ".py", ".md"}
FOLDERS = ["Sources", "Tests", "Benchmarks", "Documentation", "README.md", "CONTRIBUTING.md"]

FUNCTIONS = {
    ".swift": re.compile(
        r"\s*(?:@\w+(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?\s+)*"
        r"(?:(?:package|public|private|fileprivate|internal|open|static|class|final|override|mutating|nonmutating|"
        r"nonisolated(?:\(unsafe\))?|consuming|borrowing|convenience|required|isolated|distributed|prefix|postfix|"
        r"infix|indirect)\s+)*"
        r"(?:func\b|init\b[?!]?\s*[(<])"
    ),
    # A function, a constant that holds one, or a method. What has `get` or `set` is a property.
    ".js": re.compile(
        r"\s*(?:export )?(?:default )?(?:(?:async )?function\b"
        r"|(?:const|let) \w+ = (?:async )?(?:function\b|\w+ =>|\(.*\) =>)"
        r"|(?:static )?(?!(?:if|for|while|switch) )(?:async )?\*?#?\w+\(.*\{$)"
    ),
}
ATTRIBUTE = re.compile(r"\s*@\w+(\(.*\))?\s*$")
# What may be a function's whole comment: a list of parameters, or a type of JSDoc.
PARAMETERS = re.compile(r"- (Parameters?|Returns|Throws)\b|@\w+")
# The name of a test on a line, which begins with `@Test(` where that is the end of the line above.
TEST_NAME = re.compile(r'@(?:Test|Suite)\(\s*"(.*?)"|\bdef (test_\w+)|\btest\("(.*?)"')


def line_comment_of(line, marker):
    """Returns the text of a line's comment, or None: what is inside a string is no comment."""
    place = line.find(marker)
    while place >= 0:
        before = line[:place]
        # An address ("https://…") is no comment either.
        if before.replace('\\"', "").count('"') % 2 == 0 and not before.endswith(":"):
            return line[place:].lstrip(marker).strip()
        place = line.find(marker, place + len(marker))
    return None


def sentences_of(kind, lines):
    """Yields each line's number and what a reader reads in it: its comment, the name of a test, or a page's text."""
    if kind == ".md":
        is_text = True
        for number, line in enumerate(lines, 1):
            if line.startswith("```"):
                is_text = not is_text
            elif is_text:
                yield number, line
        return
    # What ends the text of several lines that a line is in: a comment's `*/`, or `"""`.
    end, is_comment = None, False
    for number, line in enumerate(lines, 1):
        if end:
            if is_comment:
                yield number, line
            if end in line:
                end = None
            continue
        is_below = lines[number - 2].rstrip().endswith("@Test(")
        if name := TEST_NAME.search("@Test(" + line.lstrip() if is_below else line):
            yield number, (name[1] or name[2] or name[3]).replace("_", " ")
        if kind in {".swift", ".py"} and line.count('"""') == 1:
            # In Python, a text that begins a line is documentation.
            end, is_comment = '"""', kind == ".py" and line.lstrip().startswith('"""')
            comment = line if is_comment else None
        elif kind != ".py" and (opening := re.search(r'(?:^|[\s;{}])/\*(?![^"]*"$)', line)):
            comment = line[opening.end() :]
            end, is_comment = None if "*/" in comment else "*/", True
        elif kind == ".py":
            comment = line if line.lstrip().startswith('"""') else line_comment_of(line, "#")
        else:
            comment = None if kind == ".css" else line_comment_of(line, "//")
        if comment is not None:
            yield number, comment


def blocks_of(lines):
    """Yields each block of comment lines: the number of its first line, its text, and the number of the line below."""
    start, text = None, []
    is_open = False
    for number, line in enumerate([*lines, ""], 1):
        stripped = line.strip()
        if is_open or stripped.startswith(("//", "/**")):
            if start is None:
                start = number
            is_open = (is_open or stripped.startswith("/**")) and "*/" not in stripped
            text.append(stripped.removesuffix("*/").lstrip("/*").strip())
        elif start is not None:
            yield start, [line for line in text if line] or [""], number
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


def folder_of(path):
    """Returns the folder whose share a file counts in: Sources/Module/Folder, and the scripts' own folders."""
    parts = path.relative_to(ROOT).parent.parts
    return Path(*parts[: 6 if "js" in parts else 3])


class Findings:
    """What has to be reworded, and each folder's number of functions' comments, all and good ones."""

    def __init__(self):
        self.words = []
        self.verbs = defaultdict(list)
        self.counts = defaultdict(lambda: [0, 0])

    def read(self, path):
        """Checks a file."""
        lines = path.read_text().split("\n")
        for number, text in sentences_of(path.suffix, lines):
            if match := ANY_BANNED.search(text.replace("’", "'")):
                instead = next(say for word, say in BANNED.items() if re.fullmatch(word, match[0], re.IGNORECASE))
                self.words.append(f"{path.relative_to(ROOT)}:{number}: “{match[0]}”: say {instead}")
        if path.suffix in FUNCTIONS:
            self.read_blocks(path, lines)

    def read_blocks(self, path, lines):
        """Checks how the comments of a file begin."""
        name, folder = path.relative_to(ROOT), folder_of(path)
        for start, text, end in blocks_of(lines):
            if re.match(r"The same\b", text[0]):
                self.words.append(f"{name}:{start}: begins with “The same”: name the thing again")
            is_documentation = lines[end - 2].lstrip().startswith(("///", "/**", "*"))
            if not is_documentation or not FUNCTIONS[path.suffix].match(below(lines, end)):
                continue
            if name.parts[0] != "Sources" or PARAMETERS.match(text[0]):
                continue
            self.counts[folder][0] += 1
            if begins_with_verb(text[0]):
                self.counts[folder][1] += 1
            else:
                self.verbs[folder].append(f"    {name}:{start}: {text[0]}")


def main(folders):
    """Checks the folders and files, or all. Returns how many folders and words fail."""
    findings = Findings()
    for root in [(ROOT / folder).resolve() for folder in folders or FOLDERS]:
        for path in [root] if root.is_file() else sorted(root.rglob("*")):
            if path.suffix in KINDS and path != Path(__file__).resolve():
                findings.read(path)
    broken = 0
    for folder, (count, good) in sorted(findings.counts.items()):
        print(f"{folder}: {good} of {count} functions' comments begin with a verb ({good / count:.0%})")
        if good / count < SHARE:
            broken += 1
            print("\n".join(findings.verbs[folder]))
    for finding in findings.words:
        print(finding)
    return broken + len(findings.words)


if __name__ == "__main__":
    sys.exit(1 if main(sys.argv[1:]) else 0)
