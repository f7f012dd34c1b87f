"""Encodings, primitives and HPKE: Python and the `cryptography` package, nothing of ours."""

import base64
import hashlib
import hmac
import json

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat


class Wrong(Exception):
    """What was found is not what the vector says."""


def require(found, expected, what):
    if found != expected:
        raise Wrong(f"{what}: found {found!r}, expected {expected!r}")


# --- encodings -------------------------------------------------------------------------------------------------------


def b64(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text):
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if b64(data) != text:
        raise Wrong("base64url that is not canonical")
    return data


def canonical(value):
    """RFC 8785, for the texts and integers that stand in envelopes and statements (keys are ASCII)."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


# --- primitives ------------------------------------------------------------------------------------------------------


def raw(key):
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def x25519_public(private):
    return raw(X25519PrivateKey.from_private_bytes(private).public_key())


def x25519(private, public):
    return X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(public))


def sign(seed, data):
    return Ed25519PrivateKey.from_private_bytes(seed).sign(data)


def verify(public, data, signature):
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, data)
        return True
    except InvalidSignature:
        return False


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def extract(salt, ikm):
    return mac(salt or bytes(32), ikm)


def expand(prk, info, length):
    output, block, count = b"", b"", 1
    while len(output) < length:
        block = mac(prk, block + info + bytes([count]))
        output += block
        count += 1
    return output[:length]


def hkdf(salt, ikm, info, length):
    return expand(extract(salt, ikm), info, length)


# --- L2: HPKE, RFC 9180, base mode -----------------------------------------------------------------------------------

KEM = b"KEM" + (0x0020).to_bytes(2, "big")


def labeled_extract(suite, salt, label, ikm):
    return extract(salt, b"HPKE-v1" + suite + label + ikm)


def labeled_expand(suite, prk, label, info, length):
    return expand(prk, length.to_bytes(2, "big") + b"HPKE-v1" + suite + label + info, length)


def hpke_schedule(dh, enc, recipient, info, aead_id):
    prk = labeled_extract(KEM, b"", b"eae_prk", dh)
    shared = labeled_expand(KEM, prk, b"shared_secret", enc + recipient, 32)
    suite = b"HPKE" + b"".join(n.to_bytes(2, "big") for n in (0x0020, 0x0001, aead_id))
    context = b"\x00" + labeled_extract(suite, b"", b"psk_id_hash", b"") + labeled_extract(suite, b"", b"info_hash", info)
    secret = labeled_extract(suite, shared, b"secret", b"")
    key = labeled_expand(suite, secret, b"key", context, 16 if aead_id == 1 else 32)
    return shared, key, labeled_expand(suite, secret, b"base_nonce", context, 12)
