"""The processes that decode pictures: they die with the server, cost one upload, and are missed in a sentence."""

import json
import os
import pathlib
import shutil
import signal
import threading
import urllib.error

import pytest

import servers
from conftest import png
from test_operator import wait_for

LARGE = pathlib.Path(__file__).parents[1] / "ImagingTests" / "Fixtures" / "98-megapixels.png"


def children(parent):
    """The numbers of the processes that a process has started."""
    return [number for number in filter(str.isdigit, os.listdir("/proc")) if stat(number)[1:2] == [str(parent)]]


def workers(server):
    """The numbers of the server's warm processes, which fork one for each picture."""
    return children(server.process.pid)


def stat(number):
    """The fields of a process from its state on (proc(5), /proc/PID/stat); none when it is gone."""
    try:
        return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return []


def ticks(number):
    """The processor time that a process has used."""
    fields = stat(number)
    return int(fields[11]) + int(fields[12]) if fields else 0


@pytest.fixture
def picture(tmp_path):
    path = tmp_path / "photo.png"
    path.write_bytes(png(640, 480))
    return path


def test_a_server_that_takes_no_pictures_has_no_worker_and_one_that_is_killed_leaves_none(tmp_path, start, picture):
    server = start(tmp_path / "data", "--sign-up", "open")
    ana = server.person("ana")
    assert workers(server) == []
    ana.upload(picture)
    [worker] = workers(server)
    server.kill()
    # Its new parent may not have noticed yet.
    wait_for(lambda: stat(worker)[:1] in ([], ["Z"]))


def test_a_process_that_is_killed_costs_one_upload_and_no_other_lives_between_two(tmp_path, start, picture):
    server = start(tmp_path / "data", "--sign-up", "open", "--picture-threads", "1")
    ana = server.person("ana")
    ana.upload(picture)
    [worker] = workers(server)
    assert children(worker) == []
    refusals, jobs = [], []

    def upload():
        try:
            ana.upload(LARGE)
        except urllib.error.HTTPError as error:
            refusals.append((error.code, json.load(error)["error"]))

    sending = threading.Thread(target=upload)
    sending.start()
    # It has begun once it has worked for a few hundredths of a second; the picture takes it seconds.
    wait_for(lambda: jobs.extend(job for job in children(worker) if ticks(job) > 3) or jobs)
    os.kill(int(jobs[0]), signal.SIGKILL)
    sending.join()
    [(status, sentence)] = refusals
    assert status == 415 and "couldn’t be read" in sentence
    files = server.pictures()
    ana.upload(picture)
    [other] = workers(server)
    # The next have other addresses.
    assert other != worker
    # Of the refused picture nothing is left: the same upload before made as many files.
    assert len(server.pictures()) == 2 * len(files)
    assert "tintype_picture_workers_lost_total 1\n" in ana.bytes("/metrics").decode()
    assert f"signal {signal.SIGKILL.value}" in pathlib.Path(f"{server.data}.log").read_text()


@pytest.mark.long
def test_without_the_program_that_decodes_the_server_says_so_and_the_rest_works(tmp_path, start, picture):
    folder = tmp_path / "program"
    folder.mkdir()
    built = pathlib.Path(servers.BINARY)
    shutil.copy(built, folder / "tintype")
    (folder / "tintype_Core.resources").symlink_to(built.parent / "tintype_Core.resources")
    server = start(tmp_path / "data", "--sign-up", "open", binary=str(folder / "tintype"))
    log = pathlib.Path(f"{server.data}.log").read_text()
    assert f"{folder}/tintype-pictures is missing, so no picture can be taken." in log
    ana = server.person("ana")
    with pytest.raises(urllib.error.HTTPError) as answer:
        ana.upload(picture)
    assert answer.value.code == 503
    assert "can’t prepare pictures right now" in json.load(answer.value)["error"]
    assert server.pictures() == set()
