"""What an operator does with the program: settings, commands, stopping it."""

import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import pytest

from conftest import png
from servers import BINARY, free_port, run

GUIDE = pathlib.Path(__file__).parents[2] / "Documentation" / "Operating.md"


def send(server, path, **fields):
    """What becomes of a form: the status of the answer, and where it leads."""
    form = urllib.parse.urlencode(fields).encode()
    request = urllib.request.Request(server.url + path, form, {"Sec-Fetch-Site": "same-origin"})
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.build_opener(Redirects).open(request, timeout=60)
    return answer.value.code, answer.value.headers["Location"]


class Redirects(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to the test."""

    def redirect_request(self, *_):
        return None


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        (["--tls-certificate", "a.pem"], "--tls-key has to be given too"),
        (["--log-level", "loud"], "isn't one of trace, debug, info"),
        (["--config", "{file}"], '"prot" isn\'t a setting.'),
    ],
)
def test_a_wrong_setting_starts_nothing_and_is_told_in_a_sentence(tmp_path, flags, sentence):
    file = tmp_path / "settings.json"
    file.write_text('{"prot": 80}')
    done = run("serve", "--data", str(tmp_path / "data"), *[flag.format(file=file) for flag in flags])
    assert done.returncode == 1
    assert sentence in done.stderr
    assert not (tmp_path / "data").exists()


def test_every_setting_of_the_guide_is_a_flag_and_every_flag_is_in_the_guide():
    flags = set(re.findall(r"^ +--([a-z-]+) <", run("serve", "--help").stdout, re.MULTILINE)) - {"config"}
    listed = re.findall(r"^\| `([a-z-]+)` \|", GUIDE.read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(flags)


def test_the_code_of_invite_create_lets_one_person_in(tmp_path, start):
    server = start(tmp_path / "data", "--sign-up", "invitation")
    server.person("olga")
    code, link = server.command("invite", "create").splitlines()
    assert link.endswith(f"/signup?code={code}")

    def sign_up(username, code):
        return send(server, "/signup", username=username, display_name=username, password="correct horse",
                    invitation_code=code)[0]

    assert sign_up("eve", "NOT-A-CODE") == 422
    assert sign_up("nour", code) == 303
    assert sign_up("eve", code) == 422


def test_setup_writes_the_settings_and_its_link_makes_the_owner_choose_a_password(tmp_path, start):
    settings, data = tmp_path / "tintype.json", tmp_path / "data"
    settings.write_text('{"limit-reads": 70000}')
    done = run("setup", "--config", str(settings), "--data", str(data), "--public-url", "http://localhost:8080/",
               "--administrator", "ana")
    assert done.returncode == 0, done.stderr
    assert json.loads(settings.read_text()) == {
        "data": str(data), "limit-reads": 70000, "public-url": "http://localhost:8080/"
    }
    [code] = re.findall(r"http://localhost:8080/login/new-password\?code=(\S+)", done.stdout)
    server = start(data, "--config", str(settings))
    assert send(server, "/login/new-password", code=code, password="correct horse") == (303, "/home")
    assert send(server, "/login", username="ana", password="correct horse")[0] == 303
    # For those who have forgotten theirs, the same.
    link = server.command("account", "link", "ana")
    assert send(server, "/login/new-password", code=link.split("=")[1], password="another horse") == (303, "/home")
    assert server.command("check", "--quick") == "No problems found."


def test_setup_asks_for_what_is_not_said(tmp_path):
    settings = tmp_path / "tintype.json"
    command = [BINARY, "setup", "--config", str(settings), "--data", str(tmp_path / "data")]
    answers = "https://photos.example.org\nana\n"
    done = subprocess.run(command, input=answers, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0 and "https://photos.example.org/login/new-password?code=" in done.stdout, done.stderr
    silent = subprocess.run(command, input="", capture_output=True, text=True, timeout=120, check=False)
    assert silent.returncode == 64 and "Say --public-url." in silent.stderr
    wrong = run(*command[1:], "--public-url", "photos", "--administrator", "ana")
    assert wrong.returncode == 1 and "isn't a URL" in wrong.stderr
    assert json.loads(settings.read_text())["public-url"] == "https://photos.example.org"


@pytest.mark.skipif(os.geteuid() != 0, reason="root alone can be somebody else")
def test_root_does_not_work_on_the_data_of_somebody_else(tmp_path):
    data = tmp_path / "data"
    assert run("migrate", "--data", str(data)).returncode == 0
    for path in [data, *data.rglob("*")]:
        os.chown(path, 65534, 65534)
    done = run("check", "--data", str(data))
    assert done.returncode == 1
    assert "belongs to nobody. Run this command as nobody: sudo -u nobody tintype" in done.stderr
    assert {path.stat().st_uid for path in data.rglob("*")} == {65534}


def test_the_log_is_json_where_a_program_reads_it(tmp_path):
    done = run("migrate", "--data", str(tmp_path / "data"), "--log-format", "json")
    assert done.returncode == 0
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    assert {line["message"] for line in lines} == {"migration applied"}
    assert lines[0]["metadata"]["migration"] == "0001-accounts"


def test_a_server_goes_on_when_nobody_reads_what_it_says(tmp_path):
    port = free_port()
    reading, writing = os.pipe()
    os.close(reading)
    server = subprocess.Popen(
        [BINARY, "serve", "--data", tmp_path / "data", "--port", str(port), "--log-format", "json"], stdout=writing, stderr=writing
    )
    os.close(writing)
    try:
        wait_for(lambda: not refuses(port))
        server.send_signal(signal.SIGTERM)
        assert server.wait(timeout=60) == 0
    finally:
        server.kill()


@pytest.mark.long
def test_someone_is_promoted_and_given_a_new_password_beside_the_running_server(tmp_path, start):
    server = start(tmp_path / "data", "--sign-up", "open")
    for username in ["olga", "ana"]:
        server.person(username)
    new = tmp_path / "password"
    new.write_text("another horse\n")

    server.command("account", "promote", "ana")
    # The only one left has to stay.
    server.command("account", "demote", "olga")
    last = run("account", "demote", "ana", "--data", server.data)
    assert last.returncode != 0 and "@ana is the only administrator." in last.stderr
    unknown = run("account", "promote", "nobody", "--data", server.data)
    assert unknown.returncode != 0 and "Nobody here is called @nobody." in unknown.stderr

    server.command("account", "password", "olga", "--password-file", str(new))
    with server.database() as database:
        admins = database.execute("SELECT username FROM accounts WHERE is_admin = 1").fetchall()
        log_ins = database.execute("SELECT a.username FROM sessions s JOIN accounts a ON a.id = s.account_id").fetchall()
    assert admins == [("ana",)]
    assert log_ins == [("ana",)]

    assert send(server, "/login", username="olga", password="correct horse")[0] == 401
    assert send(server, "/login", username="olga", password="another horse")[0] == 303


@pytest.mark.long
def test_processes_that_start_together_on_a_new_folder_all_find_it_in_order(tmp_path):
    password = tmp_path / "password"
    password.write_text("correct horse")
    account = ["account", "create", "olga", "--display-name", "Olga", "--password-file", str(password)]
    for number in range(6):
        data = str(tmp_path / f"data{number}")
        commands = [["migrate"], account if number % 2 else ["migrate"], ["migrate"]]
        together = [
            subprocess.Popen([BINARY, *command, "--data", data], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for command in commands
        ]
        for process in together:
            errors = process.communicate(timeout=120)[1]
            assert process.returncode == 0, errors
        checked = run("check", "--data", data)
        assert (checked.returncode, checked.stdout.strip()) == (0, "No problems found.")


@pytest.mark.long
def test_a_command_may_run_while_the_first_server_starts(tmp_path, start):
    data = str(tmp_path / "data")
    command = subprocess.Popen([BINARY, "migrate", "--data", data], stderr=subprocess.PIPE, text=True)
    server = start(data)
    errors = command.communicate(timeout=120)[1]
    assert command.returncode == 0, errors
    server.person("olga")


@pytest.mark.long
def test_a_second_server_on_a_folder_says_so_and_leaves_the_first_alone(tmp_path, start):
    server = start(tmp_path / "data", "--sign-up", "open")
    second = run("serve", "--data", server.data, "--port", "0")
    assert second.returncode == 1
    assert f"Another server is using {server.data}." in second.stderr
    olga = server.person("olga")
    assert olga.get("/api/v1/accounts/verify_credentials")["username"] == "olga"
    # A killed one leaves the folder to the next at once.
    server.kill()
    server.start()


@pytest.mark.long
def test_a_stop_lets_a_slow_upload_finish(tmp_path, start):
    server = start(tmp_path / "data", "--sign-up", "open")
    ana = server.person("ana")
    picture = tmp_path / "photo.png"
    picture.write_bytes(png(1600, 1200, 1))
    body = (
        b'--cut\r\nContent-Disposition: form-data; name="file"; filename="photo.png"\r\n\r\n'
        + picture.read_bytes()
        + b"\r\n--cut--\r\n"
    )
    head = (
        f"POST /api/v2/media HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {ana.token}\r\n"
        f"Content-Type: multipart/form-data; boundary=cut\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()
    with socket.create_connection(("localhost", server.port), timeout=60) as upload:
        upload.sendall(head + body[: len(body) // 2])
        # The server has begun to receive it once there is a file for it.
        incoming = pathlib.Path(server.data, "blobs", "incoming")
        wait_for(lambda: any(file.stat().st_size > 0 for file in incoming.glob("*/*")))
        server.process.send_signal(signal.SIGTERM)
        # It is stopping once it takes nobody new.
        wait_for(lambda: refuses(server.port))
        upload.sendall(body[len(body) // 2 :])
        answer = b""
        while chunk := upload.recv(65_536):
            answer += chunk
    assert answer.startswith(b"HTTP/1.1 200"), answer[:500]
    assert server.process.wait(timeout=60) == 0
    with server.database() as database:
        assert database.execute("SELECT count(*) FROM photos").fetchone() == (1,)
    server.command("check")


@pytest.mark.long
def test_the_demo_is_full_of_people_and_nothing_is_wrong_with_it(tmp_path, start):
    data = str(tmp_path / "data")
    done = run("demo", "--data", data, timeout=600)
    assert done.returncode == 0, done.stderr
    checked = run("check", "--data", data)
    assert (checked.returncode, checked.stdout.strip()) == (0, "No problems found.")
    server = start(data)
    with server.database() as database:
        count = lambda table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        assert count("accounts") >= 12
        assert count("posts WHERE parent_id IS NULL") >= 55
        assert count("likes") > 100 and count("follows") > 40
        assert count("pairs") == 3
    # What it prints as the way in is one, and the log-in page names it.
    page = urllib.request.urlopen(f"{server.url}/login", timeout=60).read().decode()
    name, password = re.search(r"Look around as <code>(.+?)</code> with the password <code>(.+?)</code>", page).groups()
    assert send(server, "/login", username=name, password=password) == (303, "/home")
    # Who wants to be there under another name signs up.
    assert send(server, "/signup", username="newcomer", display_name="New", password="correct horse")[0] == 303
    server.stop()
    # A second demo goes into no folder that has people in it.
    again = run("demo", "--data", data)
    assert again.returncode != 0


def test_a_stop_refuses_pictures_that_wait_and_finishes_the_others(tmp_path, start):
    """Before, a stop took until all pictures that waited were done."""
    server = start(tmp_path / "data", "--sign-up", "open")
    people = [server.person(name) for name in ["ana", "ben", "cleo"]]
    picture = tmp_path / "photo.png"
    picture.write_bytes(png(8000, 6000, 1))
    answers = []

    def upload(person):
        try:
            person.upload(picture)
            answers.append((200, None))
        except urllib.error.HTTPError as error:
            answers.append((error.code, error.headers["Retry-After"]))

    uploads = [threading.Thread(target=upload, args=(person,)) for person in people * 6]
    for one in uploads:
        one.start()
    wait_for(lambda: waiting_pictures(server) >= 10)
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=30) == 0
    for one in uploads:
        one.join()
    done = answers.count((200, None))
    assert len(answers) == 18 and answers.count((503, "10")) == 18 - done, answers
    assert done < 9
    with server.database() as database:
        assert database.execute("SELECT count(*) FROM photos").fetchone() == (done,)
    server.command("check")


def waiting_pictures(server):
    with urllib.request.urlopen(f"{server.url}/metrics", timeout=30) as answer:
        return int(re.search(r"^tintype_pictures_waiting (\d+)$", answer.read().decode(), re.MULTILINE)[1])


def refuses(port):
    try:
        socket.create_connection(("localhost", port), timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


def wait_for(state, seconds=60):
    """Asks until something is so."""
    deadline = time.monotonic() + seconds
    while not state():
        assert time.monotonic() < deadline, "it never came to be"
        time.sleep(0.01)
