"""The alerts for Prometheus and the dashboard for Grafana."""

import json
import pathlib
import re
import subprocess
import urllib.request

import pytest

ROOT = pathlib.Path(__file__).parents[2]
DEPLOYMENT = ROOT / "Deployment"
NAME = re.compile(r"\b(?:tintype|process)_[a-z_]+\b")


@pytest.mark.long
def test_each_alert_fires_for_its_trouble_and_none_for_a_server_that_is_well():
    done = subprocess.run(
        ["promtool", "test", "rules", str(ROOT / "Tests" / "alerts" / "alerts.test.yml")],
        capture_output=True, text=True, check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_alert_is_tried():
    alerts = set(re.findall(r"alert: (\w+)", (DEPLOYMENT / "alerts.yml").read_text()))
    tests = (ROOT / "Tests" / "alerts" / "alerts.test.yml").read_text()
    assert alerts == set(re.findall(r'alertname="(\w+)"', tests)) == set(re.findall(r"alertname: (\w+)", tests))


def test_alerts_and_dashboard_name_only_what_the_server_measures(server):
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=60) as answer:
        measured = set(NAME.findall(answer.read().decode()))
    panels = json.loads((DEPLOYMENT / "dashboard.json").read_text())["panels"]
    queries = " ".join(target["expr"] for panel in panels for target in panel["targets"])
    alerts = "".join(re.findall(r"expr: (?:\|\n(?: {10,}.*\n)+|.*\n)", (DEPLOYMENT / "alerts.yml").read_text()))
    named = set(NAME.findall(queries + alerts))
    assert len(named) > 15 and named <= measured, named - measured
