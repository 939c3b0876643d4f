"""What a server says that can't use its database on three machines (cluster.py), and that it ends."""

import base64
import os

import pytest

from cluster import Certificates, needs_cluster
from servers import run
from services import needs_store

pytestmark = [needs_cluster, needs_store, pytest.mark.long, pytest.mark.alone]


@pytest.fixture
def refused(store, tmp_path, monkeypatch):
    """Starts a server, and returns why it doesn't: `refused(address)`."""
    monkeypatch.setenv("PGPASSWORD", "the password")
    key = tmp_path / "secrets-key"
    key.write_bytes(base64.b64encode(os.urandom(32)))
    key.chmod(0o600)

    def refused(address):
        done = run(
            "serve", "--data", str(tmp_path / "data"), "--port", "0", *store.flags, "--database", address,
            "--secrets-key-file", str(key),
        )
        assert done.returncode == 1, done.stdout
        return done.stdout + done.stderr

    return refused


def test_a_certificate_of_another_authority_is_refused(cluster, refused, tmp_path):
    other = Certificates(tmp_path).authority
    assert "certificate verify failed" in refused(cluster.address.replace(str(cluster.certificates.authority), str(other)))


def test_without_encryption_nobody_gets_in(cluster, refused):
    assert "no encryption" in refused(f"{cluster.address}&sslmode=disable")


def test_a_wrong_password_is_refused(cluster, refused, monkeypatch):
    monkeypatch.setenv("PGPASSWORD", "another word")
    reason = refused(cluster.address)
    assert "password authentication failed" in reason
    assert "another word" not in reason


def test_a_standby_alone_is_refused(cluster, refused):
    address = cluster.address_at(cluster.synchronous)
    reason = refused(address)
    assert "session is read-only. It is a standby" in reason
    assert "name the server that takes writes, or all of them" in reason
    assert "takes no writes. It is a standby" in refused(f"{address}&target_session_attrs=any")
