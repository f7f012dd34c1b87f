#!/usr/bin/env python3
"""Checks the vectors of this folder and of `ledger/` with an implementation of its own: Python and the `cryptography`
package.

It shares no code with the TypeScript packages. Every action of a transcript is done again, with the randomness written
down there: what is sealed must come out byte for byte, what is opened must give the plaintext. Every chain is folded
again, with its signatures.
"""

import hashlib
import json
import sys
from pathlib import Path

from chains import check_device_list, check_group_chain, check_ledger, check_pairing, check_recovery
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from primitives import (
    Wrong,
    b64,
    canonical,
    expand,
    extract,
    hkdf,
    hpke_schedule,
    mac,
    raw,
    require,
    sign,
    unb64,
    verify,
    x25519,
    x25519_public,
)

HERE = Path(__file__).parent


# --- L4: Double Ratchet ----------------------------------------------------------------------------------------------


class Ratchet:
    def __init__(self, root, own_private, remote=None, sending=None):
        self.root, self.own, self.remote = root, own_private, remote
        self.sending, self.sent = sending, 0
        self.receiving, self.received = None, 0
        self.previous, self.skipped = 0, {}

    @staticmethod
    def root_step(root, dh):
        output = hkdf(root, dh, b"parley-ratchet-root-v1", 64)
        return output[:32], output[32:]

    @staticmethod
    def associate(dh, pn, n, associated):
        return dh + pn.to_bytes(4, "big") + n.to_bytes(4, "big") + associated

    def encrypt(self, secret, associated):
        message_key, self.sending = mac(self.sending, b"\x01"), mac(self.sending, b"\x02")
        dh, pn, n = x25519_public(self.own), self.previous, self.sent
        self.sent += 1
        return dh, pn, n, AESGCM(message_key).encrypt(bytes(12), secret, self.associate(dh, pn, n, associated))

    def skip(self, until):
        while self.receiving is not None and self.received < until:
            self.skipped[(self.remote, self.received)] = mac(self.receiving, b"\x01")
            self.receiving = mac(self.receiving, b"\x02")
            self.received += 1

    def decrypt(self, dh, pn, n, sealed, associated, draw):
        message_key = self.skipped.pop((dh, n), None)
        if message_key is None:
            if dh != self.remote or self.receiving is None:
                self.skip(pn)
                self.turn(dh, draw)
            self.skip(n)
            message_key, self.receiving = mac(self.receiving, b"\x01"), mac(self.receiving, b"\x02")
            self.received += 1
        return AESGCM(message_key).decrypt(bytes(12), sealed, self.associate(dh, pn, n, associated))

    def turn(self, dh, draw):
        self.previous, self.sent, self.received, self.remote = self.sent, 0, 0, dh
        self.root, self.receiving = self.root_step(self.root, x25519(self.own, dh))
        self.own = draw(32)
        self.root, self.sending = self.root_step(self.root, x25519(self.own, dh))


# --- the parties of a transcript -------------------------------------------------------------------------------------


class Party:
    def __init__(self, keys):
        self.sender = keys["sender"]
        self.address = self.sender.get("device_id", self.sender["id"])
        self.identity = unb64(keys["identity"]["private_key"])
        self.exchange = unb64(keys["exchange"]["private_key"])
        self.signed = {key["key_id"]: unb64(key["private_key"]) for key in keys["signed_prekeys"]}
        self.one_time = {key["key_id"]: unb64(key["private_key"]) for key in keys["one_time_prekeys"]}
        # By peer: session ids, the one to write in first; by session id: its state.
        self.order, self.sessions = {}, {}
        self.group_keys = []
        require(b64(raw(Ed25519PrivateKey.from_private_bytes(self.identity).public_key())), keys["identity"]["public_key"], "identity")
        for private, public in [(self.exchange, keys["exchange"])] + [
            (unb64(key["private_key"]), key) for key in keys["signed_prekeys"] + keys["one_time_prekeys"]
        ]:
            require(b64(x25519_public(private)), public["public_key"], "public key")

    @property
    def identity_key(self):
        return raw(Ed25519PrivateKey.from_private_bytes(self.identity).public_key())

    @property
    def public(self):
        return self.identity_key + x25519_public(self.exchange)

    def first(self, peer, session_id):
        order = self.order.setdefault(peer, [])
        if session_id in order:
            order.remove(session_id)
        order.insert(0, session_id)


class Transcript:
    def __init__(self, vector):
        self.parties = {address: Party(keys) for address, keys in vector["parties"].items()}
        self.actions = vector["actions"]
        self.random = []

    def draw(self, length):
        data = unb64(self.random.pop(0))
        require(len(data), length, "length of random bytes")
        return data

    def run(self):
        for number, action in enumerate(self.actions):
            self.random = list(action["random"])
            try:
                getattr(self, action["do"])(action)
                require(self.random, [], "randomness left over")
            except (Wrong, InvalidTag) as problem:
                raise Wrong(f"action {number} ({action['do']}): {problem or 'does not open'}") from problem

    # L5: X3DH.
    def begin(self, action):
        own, peer = self.parties[action["who"]], self.parties[action["with"]]
        signed_id = max(peer.signed)
        signed = x25519_public(peer.signed[signed_id])
        ephemeral = self.draw(32)
        secrets = [x25519(own.exchange, signed), x25519(ephemeral, x25519_public(peer.exchange)), x25519(ephemeral, signed)]
        handshake = {"exchange_key": b64(x25519_public(own.exchange)), "signed_prekey_id": signed_id}
        if "one_time_prekey_id" in action:
            handshake["one_time_prekey_id"] = action["one_time_prekey_id"]
            secrets.append(x25519(ephemeral, x25519_public(peer.one_time[action["one_time_prekey_id"]])))
        secret = hkdf(bytes(32), b"\xff" * 32 + b"".join(secrets), b"parley-x3dh-v1", 32)
        ratchet_key = self.draw(32)
        root, sending = Ratchet.root_step(secret, x25519(ratchet_key, signed))
        session_id = b64(x25519_public(ephemeral))
        ratchet = Ratchet(root, ratchet_key, remote=signed, sending=sending)
        own.sessions[session_id] = {"ratchet": ratchet, "associated": own.public + peer.public, "handshake": handshake}
        own.first(peer.address, session_id)

    def answer(self, own, peer, wrap):
        handshake = wrap["handshake"]
        require(handshake["exchange_key"], b64(x25519_public(peer.exchange)), "exchange key")
        signed, ephemeral = own.signed[handshake["signed_prekey_id"]], unb64(wrap["session"])
        secrets = [x25519(signed, unb64(handshake["exchange_key"])), x25519(own.exchange, ephemeral), x25519(signed, ephemeral)]
        if "one_time_prekey_id" in handshake:
            secrets.append(x25519(own.one_time.pop(handshake["one_time_prekey_id"]), ephemeral))
        secret = hkdf(bytes(32), b"\xff" * 32 + b"".join(secrets), b"parley-x3dh-v1", 32)
        own.sessions[wrap["session"]] = {"ratchet": Ratchet(secret, signed), "associated": peer.public + own.public}

    # L1 to L3, and the wraps.
    def seal(self, action):
        own, header = self.parties[action["who"]], action["header"]
        cek, nonce = self.draw(32), self.draw(12)
        ciphertext = nonce + AESGCM(cek).encrypt(nonce, unb64(action["plaintext"]), canonical(header))
        grouped = action["envelope"]["wraps"][0]["kind"] == "group"
        if grouped:
            wraps = self.wrap_for_group(own, action, cek)
        else:
            wraps = [self.wrap(own, address, action, cek, "content") for address in action["to"]]
        envelope = {"header": header, "ciphertext": b64(ciphertext), "wraps": wraps}
        envelope["signature"] = b64(sign(own.identity, b"parley-envelope-v1\n" + canonical(envelope)))
        require(envelope, action["envelope"], "envelope")

    def wrap(self, own, to, action, secret, carries):
        peer, context = self.parties[to], wrap_context(action["header"], to, carries)
        if action["mode"] == "webhook":
            prekey_id = max(peer.signed)
            recipient, ephemeral = x25519_public(peer.signed[prekey_id]), self.draw(32)
            enc = x25519_public(ephemeral)
            _, key, nonce = hpke_schedule(x25519(ephemeral, recipient), enc, recipient, b"parley-wrap-v1", 2)
            sealed = AESGCM(key).encrypt(nonce, secret, context)
            return {"kind": "hpke", "to": to, "prekey_id": prekey_id, "enc": b64(enc), "ct": b64(sealed)}
        session_id = own.order[to][0]
        session = own.sessions[session_id]
        dh, pn, n, sealed = session["ratchet"].encrypt(secret, session["associated"] + context)
        wrap = {"kind": "ratchet", "to": to, "session": session_id, "dh": b64(dh), "pn": pn, "n": n, "ct": b64(sealed)}
        if "handshake" in session:
            wrap["handshake"] = session["handshake"]
        return wrap

    # EE-12.
    def wrap_for_group(self, own, action, cek):
        members = sorted([own.address, *action["to"]])
        given = []
        if not own.group_keys or own.group_keys[0]["members"] != members:
            key = self.draw(32)
            name = group_key_name(action["header"]["conversation_id"], key)
            own.group_keys.insert(0, {"id": name, "key": key, "members": members, "sent": 0})
            given = [self.wrap(own, address, action, key, f"group:{name}") for address in action["to"]]
        key = own.group_keys[0]
        nonce = self.draw(12)
        sealed = AESGCM(key["key"]).encrypt(nonce, cek, wrap_context(action["header"], key["id"], "content"))
        number, key["sent"] = key["sent"], key["sent"] + 1
        return [{"kind": "group", "key": key["id"], "n": number, "ct": b64(nonce + sealed)}, *given]

    def open(self, action):
        own, peer = self.parties[action["who"]], self.parties[action["from"]]
        envelope = self.actions[action["action"]]["envelope"]
        signed = {name: envelope[name] for name in ("header", "ciphertext", "wraps")}
        data, signature = b"parley-envelope-v1\n" + canonical(signed), unb64(envelope["signature"])
        require(verify(peer.identity_key, data, signature), True, "signature")
        require(verify(peer.identity_key, data[:-1], signature), False, "signature of something else")
        header, ciphertext = envelope["header"], unb64(envelope["ciphertext"])
        require(header["sender"], peer.sender, "sender")
        mine = next((wrap for wrap in envelope["wraps"] if wrap.get("to") == own.address), None)
        if envelope["wraps"][0]["kind"] == "group":
            cek = self.unwrap_for_group(own, peer, envelope, mine)
        else:
            cek = self.unwrap(own, peer, header, mine, "content")
        plaintext = AESGCM(cek).decrypt(ciphertext[:12], ciphertext[12:], canonical(header))
        require(b64(plaintext), action["plaintext"], "plaintext")

    def unwrap(self, own, peer, header, wrap, carries):
        context, sealed = wrap_context(header, own.address, carries), unb64(wrap["ct"])
        if wrap["kind"] == "hpke":
            private, enc = own.signed[wrap["prekey_id"]], unb64(wrap["enc"])
            _, key, nonce = hpke_schedule(x25519(private, enc), enc, x25519_public(private), b"parley-wrap-v1", 2)
            return AESGCM(key).decrypt(nonce, sealed, context)
        if wrap["session"] not in own.sessions:
            self.answer(own, peer, wrap)
        session = own.sessions[wrap["session"]]
        header = (unb64(wrap["dh"]), wrap["pn"], wrap["n"])
        secret = session["ratchet"].decrypt(*header, sealed, session["associated"] + context, self.draw)
        session.pop("handshake", None)
        own.first(peer.address, wrap["session"])
        return secret

    def unwrap_for_group(self, own, peer, envelope, mine):
        header, wrap = envelope["header"], envelope["wraps"][0]
        key = next((key for key in own.group_keys if key["id"] == wrap["key"]), None)
        if key is None:
            secret = self.unwrap(own, peer, header, mine, f"group:{wrap['key']}")
            require(group_key_name(header["conversation_id"], secret), wrap["key"], "name of the group key")
            members = sorted([peer.address, *(given["to"] for given in envelope["wraps"][1:])])
            key = {"id": wrap["key"], "key": secret, "members": members, "sent": 0}
            own.group_keys.insert(0, key)
        sealed = unb64(wrap["ct"])
        return AESGCM(key["key"]).decrypt(sealed[:12], sealed[12:], wrap_context(header, wrap["key"], "content"))


def wrap_context(header, to, carries):
    return f"parley-wrap-v1\n{carries}\n{to}\n".encode() + canonical(header)


def group_key_name(conversation_id, key):
    return b64(hashlib.sha256(f"parley-group-key-v1\n{conversation_id}\n".encode() + key).digest()[:16])


# --- the files -------------------------------------------------------------------------------------------------------


def check_primitives(vectors):
    h = bytes.fromhex
    for v in vectors["x25519"]:
        require(x25519(h(v["private_key"]), h(v["public_key"])).hex(), v["shared"], v["source"])
    for point in vectors["x25519_low_order"]:
        try:
            x25519(b"\x07" * 32, h(point))
        except ValueError:
            continue
        raise Wrong(f"the low-order point {point} was taken")
    for v in vectors["ed25519"]:
        require(sign(h(v["seed"]), h(v["message"])).hex(), v["signature"], v["source"])
        require(verify(h(v["public_key"]), h(v["message"]), h(v["signature"])), True, v["source"])
    for v in vectors["hkdf_sha256"]:
        require(extract(h(v["salt"]), h(v["ikm"])).hex(), v["prk"], v["source"])
        require(expand(h(v["prk"]), h(v["info"]), len(v["okm"]) // 2).hex(), v["okm"], v["source"])
    for v in vectors["hmac_sha256"]:
        require(mac(h(v["key"]), h(v["message"])).hex(), v["mac"], v["source"])
    for v in vectors["sha512"]:
        require(hashlib.sha512(h(v["message"])).hexdigest(), v["digest"], v["source"])
    for v in vectors["aes_gcm"]:
        sealed = AESGCM(h(v["key"])).encrypt(h(v["nonce"]), h(v["plaintext"]), h(v["aad"]))
        require(sealed.hex(), v["ciphertext"], v["source"])
    for v in vectors["hpke_base"]:
        ephemeral, recipient = h(v["sender_private_key"]), h(v["recipient_public_key"])
        enc = x25519_public(ephemeral)
        shared, key, nonce = hpke_schedule(x25519(ephemeral, recipient), enc, recipient, h(v["info"]), v["aead_id"])
        for name, found in (("enc", enc), ("shared_secret", shared), ("key", key), ("base_nonce", nonce)):
            require(found.hex(), v.get(name, found.hex()), f"{v['source']}, {name}")
        require(AESGCM(key).encrypt(nonce, h(v["plaintext"]), h(v["aad"])).hex(), v["ciphertext"], v["source"])


def check_statements(v):
    def check(statement, key, signature, what):
        require(verify(unb64(key), canonical(statement), unb64(signature)), True, what)
        altered = {**statement, "purpose": statement["purpose"] + "x"}
        require(verify(unb64(key), canonical(altered), unb64(signature)), False, f"{what}, altered")

    certificate = dict(v["certificate"])
    signature = certificate.pop("signature")
    require(certificate["purpose"], "parley-device-v1", "purpose of the certificate")
    check(certificate, v["account_key"], signature, "certificate")
    prekey = dict(v["signed_prekey"])
    signature = prekey.pop("signature")
    check({**prekey, "purpose": "parley-signed-prekey-v1"}, v["identity_key"], signature, "signed prekey")
    for mode in v["connection_modes"]:
        statement = {name: mode[name] for name in ("agent_id", "connection_mode", "exchange_key")}
        statement["purpose"] = "parley-connection-mode-v1"
        check(statement, v["identity_key"], mode["signature"], mode["connection_mode"])
    halves = []
    for party in v["fingerprints"]:
        name, key = party["id"].encode(), unb64(party["key"])
        data = b"parley-fingerprint-v1\n" + len(name).to_bytes(2, "big") + name + key
        require(b64(hashlib.sha256(data).digest()), party["fingerprint"], "fingerprint")
        digest = hashlib.sha512(b"parley-safety-number-v1\n" + key + name).digest()
        for _ in range(5199):
            digest = hashlib.sha512(digest + key).digest()
        groups = (int.from_bytes(digest[i : i + 5], "big") % 100_000 for i in range(0, 30, 5))
        halves.append("".join(f"{group:05}" for group in groups))
    require("".join(sorted(halves)), v["safety_number"], "safety number")


def check_stream(v):
    stream_key = unb64(v["stream_key"])
    for stream in v["streams"]:
        place = {name: stream[name] for name in ("conversation_id", "stream_id", "sender")}
        context = b"parley-stream-v1\n" + canonical(place)
        key = AESGCM(hkdf(b"", stream_key, context, 32))
        for number, delta in enumerate(stream["deltas"]):
            require(delta["index"], number, "number of the delta")
            aad = context + b"\n" + str(number).encode()
            sealed = key.encrypt(number.to_bytes(12, "big"), unb64(delta["plaintext"]), aad)
            signed = b"parley-stream-delta-v1\n" + aad + b"\n" + sealed
            signature = Ed25519PrivateKey.from_private_bytes(unb64(stream["identity"]["private_key"])).sign(signed)
            require(b64(sealed + signature), delta["sealed"], f"delta {number}")


def main():
    checks = {
        "stream": check_stream,
        "primitives": check_primitives,
        "statements": check_statements,
        "device-list": check_device_list,
        "group-chain": check_group_chain,
        "pairing": check_pairing,
        "recovery": check_recovery,
        "chain": check_ledger,
    }
    files = sorted([*HERE.glob("*.json"), *(HERE.parent / "ledger").glob("*.json")])
    failed = 0
    for path in files:
        vector = json.loads(path.read_text(encoding="utf-8"))
        name = f"{path.parent.name}/{path.name}"
        try:
            check = checks.pop(path.stem, None) or (lambda v: Transcript(v).run())
            check(vector)
            print(f"ok    {name}")
        except Wrong as problem:
            failed += 1
            print(f"FAIL  {name}: {problem}")
    for missing in checks:
        failed += 1
        print(f"FAIL  no vectors of {missing} found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
