#!/usr/bin/env python3
"""Prints messages as http-ece of PyPI encrypts them, with all keys, as JSON: what ours must encrypt to the same bytes.

usage: ~/.cache/tintype/venv/bin/python Tests/push/with_http_ece.py > Tests/push/messages.json
"""

import base64
import json
import random

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

COUNT = 50
# The bytes of most messages, and of the last ones: as few and as many as fit into a record. (http-ece 1.2.1 makes no
# record of an empty message.)
USUAL, LAST = 160, [1, 2, 3993]

chance = random.Random(8291)


def point(key):
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def text(data):
    return base64.b64encode(data).decode()


def message(size):
    # A private key is any number below the order of the curve, which is less than 2^256 by 2^224.
    receiver, sender = (ec.derive_private_key(chance.randrange(1, 2**255), ec.SECP256R1()) for _ in range(2))
    plain, secret, salt = chance.randbytes(size), chance.randbytes(16), chance.randbytes(16)
    keys = {"salt": salt, "private_key": sender, "dh": point(receiver), "auth_secret": secret}
    return {
        "text": text(plain), "receiver": text(point(receiver)), "secret": text(secret),
        "sender": text(sender.private_numbers().private_value.to_bytes(32)), "salt": text(salt),
        **{coding: text(http_ece.encrypt(plain, version=coding, **keys)) for coding in ["aes128gcm", "aesgcm"]},
    }


sizes = [chance.randrange(1, USUAL) for _ in range(COUNT - len(LAST))] + LAST
print(json.dumps([message(size) for size in sizes], indent=0))
