#!/usr/bin/env python3
"""Says which tests failed, and how many passed: results.py PROBLEMS FOLDER

FOLDER has the JUnit reports of all runs (*.xml) and the logs of the Swift runs (NAME.log). PROBLEMS is how many checks and runs
ended badly; a run that was killed has no report, or the beginning of one, and counts as failed too. What failed is said again
here because of a long output often only the end is kept."""

import re
import sys
import xml.etree.ElementTree as tree
from pathlib import Path

SHOWN = 20


def results(report):
    """Returns how many tests ran, and the names of those that failed. Not every runner puts tests into suites, or counts these."""
    ran = [case for case in tree.parse(report).iter("testcase") if case.find("skipped") is None]
    failed = [case for case in ran if case.find("failure") is not None or case.find("error") is not None]
    return len(ran), [f"{case.get('classname')} {case.get('name')}" for case in failed]


# A test in a log, by its name or its function.
TEST = r'Test (".*"|[^ "]+\(.*?\))'


def how_it_ended(log):
    """Returns lines that say how a run of Swift tests that has no whole report ended, and what it was at."""
    text = log.read_text(errors="replace") if log.exists() else ""
    crash = re.findall(r"^(?:\*\*\* .*|.*Fatal error.*|error: .*)$", text, re.M)
    began = set(re.findall(rf"^◇ {TEST} started\.$", text, re.M))
    ended = set(re.findall(rf"^[✔✘➜] {TEST}(?: with \d+ test cases?)? (?:passed after|failed after|skipped)", text, re.M))
    return [*crash[:SHOWN], *(f"had not ended: {name}" for name in sorted(began - ended)[:SHOWN])]


problems, folder = int(sys.argv[1]), Path(sys.argv[2])
total, failed, said = 0, 0, []
reported = {report.stem.removesuffix("-swift-testing") for report in folder.glob("*.xml")}
cut_off = {log.stem for log in folder.glob("*.log")} - reported
for report in sorted(folder.glob("*.xml")):
    try:
        ran, names = results(report)
        total, failed = total + ran, failed + len(names)
        said += names
    except tree.ParseError:
        cut_off.add(report.stem.removesuffix("-swift-testing"))
for run in sorted(cut_off):
    failed += 1
    said += [f"The run “{run}” did not end by itself.", *how_it_ended(folder / f"{run}.log")]
for line in said[: 3 * SHOWN]:
    print(f"✘ {line[:400]}")
failed = max(failed, problems)
print(f"\n{max(0, total - failed)} passed, {failed} failed")
sys.exit(1 if failed else 0)
