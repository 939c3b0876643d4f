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


def how_it_ended(log):
    """Returns lines that say how a run of Swift tests that has no whole report ended, and what it was at."""
    text = log.read_text(errors="replace")
    crash = re.findall(r"^(?:\*\*\* .*|.*Fatal error.*|error: .*)$", text, re.M)
    began, ended = (set(re.findall(rf"^{sign} Test (.+?) {verb}", text, re.M)) for sign, verb in
                    (("◇", "started"), ("[✔✘➜]", "(?:passed|failed|skipped)")))
    return [*crash[:SHOWN], *(f"had not ended: {name}" for name in sorted(began - ended)[:SHOWN])]


problems, folder = int(sys.argv[1]), Path(sys.argv[2])
total, failed, said = 0, 0, []
for report in sorted(folder.glob("*.xml")):
    try:
        ran, names = results(report)
        total, failed = total + ran, failed + len(names)
        said += names
    except tree.ParseError:
        name = report.stem.removesuffix("-swift-testing")
        failed += 1
        said += [f"The run “{name}” did not end by itself.", *how_it_ended(folder / f"{name}.log")]
for line in said[: 3 * SHOWN]:
    print(f"✘ {line[:400]}")
failed = max(failed, problems)
print(f"\n{max(0, total - failed)} passed, {failed} failed")
sys.exit(1 if failed else 0)
