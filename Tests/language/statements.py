#!/usr/bin/env python3
"""Reports the SQL of stores that no test has run, and exceptions of StatementPlans that excuse nothing.

Only statements that a test runs are explained, so one that no test runs could read a whole table unnoticed.

    Tests/language/statements.py FILE    FILE: the statements that the Swift tests ran, one a line (TINTYPE_STATEMENTS)
"""

import pathlib
import re
import sys

root = pathlib.Path(__file__).parents[2]
plans = root / "Tests/TintypeTests/Features/StatementPlans.swift"
modules = ["Core", "People", "Feeds", "Making", "Tintype"]
# How a statement begins, or what follows a beginning that several statements share.
verb = re.compile(r"\s*(SELECT|INSERT|UPDATE|DELETE FROM|WITH)\s")
clause = re.compile(r"\s*(FROM|JOIN|WHERE|AND|ORDER BY)\s")

# What is done to the copy in a backup, and to the database that `back-out` makes before anybody uses it. Neither is watched, and
# whole tables are read there. BackupTests and test_upgrade.py see to it.
in_copies = [
    "DELETE FROM jobs WHERE kind = $1",
    "UPDATE snaps SET description = ''",
    "UPDATE once_looks SET view_hash = NULL, session_id = NULL WHERE view_hash IS NOT NULL",
    "SELECT id FROM contracts WHERE state IN ('proposed', 'active', 'claimed', 'disputed') ORDER BY id",
    "UPDATE contract_members SET list = 'ended' WHERE list IN ('active', 'waiting')",
    "UPDATE connected_servers SET sealed_secret = ''",
    "FROM cross_posts WHERE ending = '' OR ending = 'uncertain' ORDER BY id",
    "AS o SET … = (…) WHERE … <> (…)",
    "DELETE FROM main.…",
    "INSERT INTO main.… (account_id, byte_count) SELECT owner_id, sum(byte_count)",
    "INSERT INTO main.… (id, kind, payload, run_at) SELECT",
]


def one_line(text):
    return " ".join(text.split())


def literals(source):
    """Yields the string literals of a Swift file with their lines: each is a list of the parts between interpolations."""
    place = 0
    while place < len(source):
        if source.startswith("//", place):
            place = source.index("\n", place)
        elif source[place] == '"':
            begin = place
            parts, place = literal(source, place)
            yield source.count("\n", 0, begin) + 1, parts
        else:
            place += 1


def literal(source, place):
    """Returns the parts of the literal that begins at a place, and the place after it."""
    quote = '"""' if source.startswith('"""', place) else '"'
    place += len(quote)
    parts = [""]
    while not source.startswith(quote, place):
        if source.startswith("\\(", place):
            place = after_interpolation(source, place + 2)
            parts.append("")
        elif source[place] == "\\":
            parts[-1] += {"n": "\n", "\n": " "}.get(source[place + 1], source[place + 1])
            place += 2
        else:
            parts[-1] += source[place]
            place += 1
    return parts, place + len(quote)


def after_interpolation(source, place):
    """Returns the place after an interpolation whose content begins at a place."""
    depth = 1
    while depth:
        if source[place] == '"':
            _, place = literal(source, place)
            continue
        depth += {"(": 1, ")": -1}.get(source[place], 0)
        place += 1
    return place


def is_statement(parts):
    """Returns whether a literal is a statement, or continues the beginning of one."""
    return bool(verb.match(parts[0]) or (len(parts) > 1 and not parts[0] and clause.match(parts[1])))


def pattern(parts):
    """Returns what matches the statements that a literal makes, whatever is between its parts."""
    return re.compile(".*?".join(re.escape(one_line(part)) for part in parts))


def main():
    file = pathlib.Path(sys.argv[1])
    seen = sorted(set(file.read_text().splitlines())) if file.exists() else []
    if len(seen) < 500:
        sys.exit(f"Only {len(seen)} statements were seen: run all Swift tests.")
    text = "\n".join(seen)
    checked = 0
    problems = []
    excused = set()
    for path in sorted(path for module in modules for path in root.glob(f"Sources/{module}/**/*.swift")):
        for line, parts in literals(path.read_text()):
            if not is_statement(parts):
                continue
            checked += 1
            if pattern(parts).search(text):
                continue
            statement = one_line("…".join(parts))
            reasons = [words for words in in_copies if words in statement]
            excused.update(reasons)
            if not reasons:
                problems.append(f"{path.relative_to(root)}:{line}: no test runs {statement}")
    problems += [f"“{words}” is excused, but needs no excuse" for words in in_copies if words not in excused]
    allowed = re.search(r"let allowed: .*?\n    \]\n", plans.read_text(), re.DOTALL)
    for words in re.findall(r'^        \("((?:[^"\\]|\\.)*)",', allowed.group(), re.MULTILINE):
        if not any(words in statement for statement in seen):
            problems.append(f"{plans.name}: no statement has the words “{words}”, which are excused")
    print("\n".join([*problems, f"{checked} statements in the sources, {len(seen)} seen in tests"]))
    sys.exit(1 if problems else 0)


main()
