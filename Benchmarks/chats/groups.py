"""What groups cost: how long a message takes to all open pages of a group of fifty beside those of two, and the lists of somebody
with a thousand groups beside those of somebody with ten."""
import concurrent.futures
import itertools
import os
import pathlib
import subprocess

MEMBERS = 50
FEW, MANY = 10, 1_000
READS = 300
PATHS = ["/api/v1/chats?limit=20", "/messages", "/home"]


def befriend(one, other) -> None:
    one.call("POST", f"/api/v1/accounts/{other.id}/follow")
    other.call("POST", f"/api/v1/accounts/{one.id}/follow")


def measure(port: int, pid: int, person, benchmark: pathlib.Path, seconds: int) -> list[str]:
    """Returns the rows of a table. `person` makes somebody with a name."""
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        people = list(pool.map(person, (f"member{number}" for number in range(MEMBERS))))
        list(pool.map(lambda other: befriend(people[0], other), people[1:]))
        two = [person(f"few{number}") for number in range(3)]
    chat = people[0].call("POST", "/api/v1/chats", account_id=people[1].id)["id"]
    group = _group(people, "Fifty")
    first = _arrivals(port, people, chat, group, benchmark, seconds)
    lists = _lists(pid, people, two)
    return [*first, *lists, f"| with {MANY:,} groups each: | | | |", *_arrivals(port, people, chat, group, benchmark, seconds)]


def _group(people: list, title: str) -> str:
    return people[0].call("POST", "/api/v1/chats", account_ids=[one.id for one in people[1:]], title=title)["id"]


def _arrivals(port: int, people: list, chat: str, group: str, benchmark: pathlib.Path, seconds: int) -> list[str]:
    """Everyone has a page open, also who writes."""
    tokens = [one.token for one in people]
    lines = [[tokens[0], *tokens[:2], chat], [tokens[0], *tokens, group]]
    output = subprocess.run(
        [benchmark, "groups", str(port), str(seconds)], input="".join(" ".join(line) + "\n" for line in lines),
        capture_output=True, text=True, check=True).stdout
    found = [line.split()[1:] for line in output.splitlines()]
    rows = [
        f"| send to the last of {count} open pages | {float(p50):.2f} | {float(p99):.2f} | {messages} messages |"
        for count, p50, p99, messages in found
    ]
    ratio = [float(of_group) / float(of_two) for of_two, of_group in zip(found[0][1:3], found[1][1:3], strict=True)]
    return [*rows, f"| the group beside the two | × {ratio[0]:.2f} | × {ratio[1]:.2f} | |"]


def _lists(pid: int, people: list, two: list) -> list[str]:
    befriend(two[0], two[1])
    befriend(two[0], two[2])
    # One group of the thousand is that of fifty.
    for members, count in [(two, FEW), (people, MANY - 1)]:
        for number in range(count):
            _group(members, f"Group {number}")
    rows = []
    for path in PATHS:
        few, many = (_milliseconds(pid, owner, path) for owner in (two[0], people[0]))
        rows.append(f"| {path}: processor time of a request with {MANY:,} groups, with {FEW} | {many:.2f} | {few:.2f} | × {many / few:.2f} |")
    return rows


def _milliseconds(pid: int, person, path: str) -> float:
    """What a request costs the server, in milliseconds of its processor time."""
    for _ in range(20):
        person.get(path)
    before = _ticks(pid)
    for _ in itertools.repeat(None, READS):
        person.get(path)
    return (_ticks(pid) - before) / os.sysconf("SC_CLK_TCK") / READS * 1000


def _ticks(pid: int) -> int:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
