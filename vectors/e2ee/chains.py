"""The signed chains (device list, ledger, group), pairing and recovery, from what the chapters 3 and 5 say about them."""

import hashlib
import unicodedata

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from primitives import Wrong, b64, canonical, hkdf, hpke_schedule, raw, require, unb64, verify, x25519, x25519_public

MAX_DEVICES = 20
MAX_GROUP_MEMBERS = 1_000


class Broken(Exception):
    """A chain ends here: the first thing that is wrong with it, and where."""

    def __init__(self, problem, seq=None):
        super().__init__(problem)
        self.problem, self.seq = problem, seq


# --- what all chains share -------------------------------------------------------------------------------------------


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def signed_bytes(domain, statement, signatures=("signature",)):
    return domain.encode() + b"\n" + canonical({name: value for name, value in statement.items() if name not in signatures})


def is_signed(key, data, signature):
    try:
        return verify(unb64(key), data, unb64(signature))
    except (Wrong, ValueError):
        return False


def head_name(salt, kind, chain_id, length, head):
    name = {"purpose": "parley-chain-head-v1", "salt": salt, "kind": kind, "id": chain_id, "length": length, "head": head}
    return sha256(canonical(name))[:32]


def check_links(statements, seen=None):
    """The hashes of all statements. Links are checked first, of the whole chain."""
    if seen is not None and len(statements) < seen["length"]:
        raise Broken("shortened", len(statements) + 1)
    heads = []
    for seq, statement in enumerate(statements, 1):
        if statement["seq"] != seq:
            raise Broken("seq", seq)
        if statement["prev"] != (heads[-1] if heads else None):
            raise Broken("prev", seq)
        heads.append(sha256(canonical(statement)))
        if seen is not None and seen["length"] == seq and seen["head"] != heads[-1]:
            raise Broken("rewritten", seq)
    return heads


def counts_until(revocations, kind, chain_id, heads):
    """The last point of the chain that the revocation of a device names, and every recovery since; all of it for a
    device that is listed."""

    def last_named(revocation):
        points = enumerate(heads, 1)
        named = (n for n, head in points if head_name(revocation["salt"], kind, chain_id, n, head) in revocation["heads"])
        return max(named, default=0)

    return min(map(last_named, revocations), default=len(heads))


def revocations_by(case, field):
    by = {}
    for revocation in case.get("revocations", []):
        by.setdefault(revocation[field], []).append(revocation)
    return by


def outcome(fold):
    try:
        return fold()
    except Broken as broken:
        return {"ok": False, "problem": broken.problem, "seq": broken.seq}


def check_published(statements, bytes_of):
    for name, published in statements.items():
        require(bytes_of(published["statement"]).decode(), published["signed"], f"signed bytes of {name}")
        require(sha256(canonical(published["statement"])), published["hash"], f"hash of {name}")


def check_cases(cases, statements, fold):
    for case in cases:
        chain = [statements[name]["statement"] for name in case["list"]]
        require(outcome(lambda: fold(chain, case)), case["expect"], f"case {case['name']!r}")


# --- EE-17, EE-18: the device list -----------------------------------------------------------------------------------


def device_bytes(statement):
    second = {"create": "recovery_signature", "revoke": "next_signature", "rotate": "next_signature", "recover": "next_signature"}
    signatures = ("signature", second.get(statement["action"]))
    return signed_bytes("parley-device-list-v1", statement, signatures)


def is_held(statement):
    """Whoever rotates to a key proves to hold it."""
    rotation, proof = statement.get("rotation"), statement.get("next_signature")
    if rotation is None or proof is None:
        return rotation is proof
    return is_signed(rotation["account_key"], device_bytes(statement), proof)


class DeviceList:
    """What a list says so far."""

    def __init__(self):
        self.account_key = self.recovery_key = None
        self.devices, self.revoked, self.boxes, self.recoveries = {}, {}, {}, 0

    def apply(self, said):
        action, data, signature = said["action"], device_bytes(said), said["signature"]
        if (action == "create") != (self.account_key is None):
            raise Broken("action")
        if action == "create":
            signed = is_signed(said["account_key"], data, signature) and is_signed(
                said["recovery_key"], data, said["recovery_signature"]
            )
        else:
            key = self.recovery_key if action == "recover" else self.account_key
            signed = is_signed(key, data, signature) and is_held(said)
        if not signed:
            raise Broken("signature")
        getattr(self, action)(said)

    def create(self, said):
        if said["account_key"] == said["recovery_key"] or not any(device["keeper"] for device in said["devices"]):
            raise Broken("keeper")
        self.insert(said["devices"])
        self.account_key, self.recovery_key = said["account_key"], said["recovery_key"]

    def insert(self, added):
        for device in added:
            known = [*self.devices.values(), *(gone["device"] for gone in self.revoked.values())]
            fields = ("device_id", "identity_key", "exchange_key")
            if any(one[field] == device[field] for one in known for field in fields):
                raise Broken("device")
            self.devices[device["device_id"]] = device
        if len(self.devices) > MAX_DEVICES:
            raise Broken("device")

    def add(self, said):
        self.insert([{**said["device"], "keeper": False}])

    def keep(self, said):
        device_id = said["box"]["device_id"]
        if device_id not in self.devices:
            raise Broken("device")
        if self.devices[device_id]["keeper"]:
            raise Broken("keeper")
        self.devices[device_id] = {**self.devices[device_id], "keeper": True}
        self.boxes[device_id] = said["box"]

    def revoke(self, said):
        device = self.devices.get(said["device_id"])
        if device is None:
            raise Broken("device")
        if device["keeper"] and "rotation" not in said:
            raise Broken("keeper")
        self.withdraw([device], said)
        if "rotation" in said:
            self.rotate(said)

    def withdraw(self, gone, said):
        for device in gone:
            del self.devices[device["device_id"]]
            self.boxes.pop(device["device_id"], None)
            self.revoked[device["device_id"]] = {"device": device, "named": [said]}

    def rotate(self, said):
        key, boxes = said["rotation"]["account_key"], said["rotation"]["boxes"]
        keepers = {device_id for device_id, device in self.devices.items() if device["keeper"]}
        named = [box["device_id"] for box in boxes]
        if key in (self.account_key, self.recovery_key) or not keepers.issuperset(named) or len(set(named)) < len(named):
            raise Broken("keeper")
        self.account_key, self.boxes = key, {box["device_id"]: box for box in boxes}

    def recover(self, said):
        if not any(device["keeper"] for device in said["devices"]):
            raise Broken("keeper")
        staying = {device["device_id"]: device for device in said["devices"]}
        if len(staying) < len(said["devices"]):
            raise Broken("device")
        for gone in self.revoked.values():
            gone["named"].append(said)
        self.withdraw([device for name, device in self.devices.items() if name not in staying], said)
        for name, device in self.devices.items():
            if any(device[field] != staying[name][field] for field in ("identity_key", "exchange_key")):
                raise Broken("device")
        self.insert([device for name, device in staying.items() if name not in self.devices])
        self.devices = staying
        self.recoveries += 1
        self.rotate(said)


def fold_device_list(statements, account_id):
    return read_device_list(statements, account_id)[0]


def read_device_list(statements, account_id):
    heads = check_links(statements)
    state = DeviceList()
    for statement in statements:
        try:
            if statement["account_id"] != account_id:
                raise Broken("account")
            state.apply(statement)
        except Broken as broken:
            raise Broken(broken.problem, statement["seq"]) from broken
    if not statements:
        raise Broken("action", 1)
    summary = {
        "ok": True,
        "length": len(statements),
        "root": heads[0],
        "head": heads[-1],
        "account_key": state.account_key,
        "recovery_key": state.recovery_key,
        "recoveries": state.recoveries,
        "devices": list(state.devices.values()),
        "revoked": list(state.revoked),
        "boxes": list(state.boxes),
    }
    return summary, state


def compare_lists(seen, offered, seen_hashes, offered_hashes):
    """`seen_hashes`: of all statements that were seen, or None where only the end of the list was."""
    if seen["root"] != offered["root"]:
        return "foreign"
    if offered["recoveries"] > seen["recoveries"]:
        return "settled"
    if offered_hashes[seen["length"] - 1 : seen["length"]] == [seen["head"]]:
        return "continues"
    is_shorter = offered["length"] < seen["length"]
    if is_shorter and (seen_hashes is None or seen_hashes[offered["length"] - 1] == offered["head"]):
        return "shortened"
    return "superseded" if offered["recoveries"] < seen["recoveries"] else "forked"


def open_box(box, exchange, account_id, account_key):
    enc, private = unb64(box["enc"]), unb64(exchange["private_key"])
    context = {"purpose": "parley-account-key-box-v1", "account_id": account_id, "account_key": account_key}
    aad = canonical({**context, "device_id": box["device_id"]})
    _, key, nonce = hpke_schedule(x25519(private, enc), enc, x25519_public(private), b"parley-wrap-v1", 2)
    return AESGCM(key).decrypt(nonce, unb64(box["ciphertext"]), aad)


def check_boxes(v):
    for given in v["boxes"]:
        said, device = v["statements"][given["statement"]]["statement"], v["devices"][given["device"]]
        boxes = [said["box"]] if said["action"] == "keep" else said["rotation"]["boxes"]
        box = next(box for box in boxes if box["device_id"] == device["device_id"])
        pair, what = v["account_keys"][given["account_key"] - 1], f"box of {given['device']} in {given['statement']}"
        opened = open_box(box, device["exchange"], v["account_id"], pair["public_key"])
        require(b64(opened), pair["private_key"], what)
        try:
            open_box({**box, "device_id": v["account_id"]}, device["exchange"], v["account_id"], pair["public_key"])
        except InvalidTag:
            continue
        raise Wrong(f"{what}: opened for another device")


def check_device_list(v):
    statements = v["statements"]
    check_published(statements, device_bytes)
    check_cases(v["cases"], statements, lambda chain, case: fold_device_list(chain, case.get("account_id", v["account_id"])))
    for pair in [*v["account_keys"], v["recovery_key"], *(device["identity"] for device in v["devices"].values())]:
        require(ed25519_public(unb64(pair["private_key"])), pair["public_key"], "public key")
    for device in v["devices"].values():
        require(b64(x25519_public(unb64(device["exchange"]["private_key"]))), device["exchange"]["public_key"], "public key")
    require(recovery_pair(v["recovery_secret"]), v["recovery_key"], "recovery key")
    check_boxes(v)
    for given in v["heads"]:
        said = statements[given["statement"]]["statement"]
        named = [c["id"] for c in v["chains"] if head_name(said["salt"], c["kind"], c["id"], c["length"], c["head"]) in said["heads"]]
        require(named, given["names"], f"heads that {given['statement']} names")
    for given in v["signatures"]:
        _, state = read_device_list([statements[name]["statement"] for name in given["list"]], v["account_id"])
        named = state.revoked[v["devices"][given["device"]]["device_id"]]["named"]
        counts = [
            c["id"]
            for c in v["chains"]
            if all(head_name(said["salt"], c["kind"], c["id"], c["length"], c["head"]) in said["heads"] for said in named)
        ]
        require(counts, given["chains"], f"what {given['device']} signed, after {given['list'][-1]!r}")
    for comparison in v["comparisons"]:
        lists = [[statements[name]["statement"] for name in comparison[side]] for side in ("seen", "offered")]
        seen, offered = (fold_device_list(chain, v["account_id"]) for chain in lists)
        hashes = [[statements[name]["hash"] for name in comparison[side]] for side in ("seen", "offered")]
        what = f"after {comparison['seen'][-1]!r}, {comparison['offered'][-1]!r} is offered"
        require(compare_lists(seen, offered, *hashes), comparison["expect"], what)
        by_end = compare_lists(seen, offered, None, hashes[1])
        require(by_end, comparison["where_only_the_end_was_seen"], f"{what}, where only the end was seen")


# --- RL-10, EE-19: the grant ledger ----------------------------------------------------------------------------------


def entry_bytes(entry):
    return signed_bytes(f"parley-ledger-v{entry['version']}", entry)


def contradiction(entry, last):
    """Why an entry that counts may not follow the last one that does."""
    action, ids = entry["action"], [scope["id"] for scope in entry["scopes"]]
    if last is not None and last["action"] == "revoke":
        return "action"
    if action == ("change" if entry["seq"] == 1 else "grant"):
        return "action"
    if (action == "revoke" and ids) or len(set(ids)) < len(ids):
        return "scopes"
    if last is None:
        return None
    if entry["version"] < last["version"]:
        return "version"
    same = ["agent_id", "account_id", *(["conversation_id"] if last["version"] == 2 else [])]
    if any(entry[field] != last[field] for field in same):
        return "party"
    return "manifest" if entry["manifest_version"] < last["manifest_version"] else None


def fold_ledger(entries, relation_id, devices, revocations, seen):
    heads = check_links(entries, seen)
    scopes, last = [], None
    for entry in entries:
        seq, device_id = entry["seq"], entry["device_id"]
        if entry["relation_id"] != relation_id:
            raise Broken("relation", seq)
        if device_id not in devices and entry["version"] == 1 and (last is None or last["version"] == 1):
            left = {scope["id"] for scope in entry["scopes"]}
            scopes = [scope for scope in scopes if scope["id"] in left]
            continue
        if device_id not in devices:
            raise Broken("device", seq)
        if not is_signed(devices[device_id]["public_key"], entry_bytes(entry), entry["signature"]):
            raise Broken("signature", seq)
        if seq > counts_until(revocations.get(device_id, []), "ledger", relation_id, heads):
            left = {scope["id"] for scope in entry["scopes"]}
            scopes = [scope for scope in scopes if scope["id"] in left]
            continue
        problem = contradiction(entry, last)
        if problem is not None:
            raise Broken(problem, seq)
        scopes, last = entry["scopes"], entry
    named = ("relation_id", "agent_id", "account_id", "conversation_id", "agent_key")
    return {
        "ok": True,
        "length": len(entries),
        "head": heads[-1] if heads else None,
        "scopes": scopes,
        "revoked": last is not None and last["action"] == "revoke",
        "subject": {name: last[name] for name in named} if last is not None and last["version"] == 2 else None,
    }


def check_ledger(v):
    check_published(v["entries"], entry_bytes)
    for device in v["devices"].values():
        require(ed25519_public(unb64(device["seed"])), device["public_key"], "public key")

    def fold(chain, case):
        revocations = revocations_by(case, "device_id")
        return fold_ledger(chain, case.get("relation_id", v["relation_id"]), v["devices"], revocations, case.get("seen"))

    check_cases(v["cases"], v["entries"], fold)


# --- EE-20: the members of a group -----------------------------------------------------------------------------------


def group_bytes(statement):
    return signed_bytes("parley-group-v1", statement)


def party(who):
    return (who["kind"], who["id"])


def apply_group(members, said):
    """The members after a statement that counts."""
    if (said["action"] == "create") != (said["seq"] == 1):
        raise Broken("action")
    if said["action"] == "create":
        return create_group(said)
    author = members.get(party(said["by"]))
    if author is None:
        raise Broken("author")
    target, member = members.get(party(said["member"])), said["member"]
    return set_member(members, author, target, member) if said["action"] == "set" else remove_member(members, author, target, said)


def create_group(said):
    owner = {"kind": "human", "id": said["by"]["id"], "role": "owner"}
    made = {party(member): member for member in [owner, *said["members"]]}
    if len(made) < 1 + len(said["members"]) or any(party_admin(member) for member in said["members"]):
        raise Broken("member")
    return made


def party_admin(member):
    return member["kind"] == "agent" and member["role"] == "admin"


def set_member(members, author, target, member):
    if author["role"] == "member" or ((member["role"] == "admin" or target is not None) and author["role"] != "owner"):
        raise Broken("author")
    if (target is not None and target["role"] == "owner") or party_admin(member):
        raise Broken("member")
    if target is None and len(members) >= MAX_GROUP_MEMBERS:
        raise Broken("member")
    return {**members, party(member): member}


def remove_member(members, author, target, said):
    if target is None:
        raise Broken("member")
    if target is not author:
        if author["role"] == "member" or target["role"] == "owner":
            raise Broken("author")
        if author["role"] == "admin" and target["role"] == "admin":
            raise Broken("author")
    left = {name: member for name, member in members.items() if name != party(target)}
    if "next_owner" not in said:
        return left
    heir = left.get(("human", said["next_owner"]))
    if target["role"] != "owner" or heir is None:
        raise Broken("member")
    return {**left, party(heir): {**heir, "role": "owner"}}


def without_taken(members, said):
    """A void statement gives nothing; what its author might have taken stays away, but never the owner."""
    try:
        after = apply_group(members, said)
    except Broken:
        return members
    target = members.get(party(said["member"]))
    if target is None or target["role"] == "owner":
        return members
    gives = said["action"] == "set" and said["member"]["role"] == "admin"
    return members if gives else after


def fold_group(statements, conversation_id, authors, revocations, seen):
    heads = check_links(statements, seen)
    if not statements or statements[0]["action"] != "create":
        raise Broken("action", 1)
    members, has_void = {}, False
    for said in statements:
        seq = said["seq"]
        if said["conversation_id"] != conversation_id:
            raise Broken("conversation", seq)
        name = next((name for name, author in authors.items() if author["by"] == said["by"]), None)
        if name is None:
            raise Broken("author", seq)
        if not is_signed(authors[name]["public_key"], group_bytes(said), said["signature"]):
            raise Broken("signature", seq)
        if seq > counts_until(revocations.get(name, []), "group", conversation_id, heads):
            if seq == 1:
                raise Broken("author", seq)
            has_void, members = True, without_taken(members, said)
            continue
        try:
            members = apply_group(members, said)
        except Broken as broken:
            if not has_void:
                raise Broken(broken.problem, seq) from broken
    return {
        "ok": True,
        "length": len(statements),
        "head": heads[-1],
        "title": statements[0]["title"],
        "creator": statements[0]["by"]["id"],
        "members": list(members.values()),
    }


def check_group_chain(v):
    check_published(v["statements"], group_bytes)
    for author in v["authors"].values():
        require(ed25519_public(unb64(author["private_key"])), author["public_key"], "public key")

    def fold(chain, case):
        revocations = revocations_by(case, "author")
        conversation_id = case.get("conversation_id", v["conversation_id"])
        return fold_group(chain, conversation_id, v["authors"], revocations, case.get("seen"))

    check_cases(v["cases"], v["statements"], fold)


# --- EE-16: pairing --------------------------------------------------------------------------------------------------


def pairing_key(code, purpose, pairing):
    digits = "".join(c for c in unicodedata.normalize("NFKC", code) if c in "0123456789")
    if len(digits) != 25:
        return None
    context = {"purpose": purpose, **{name: pairing[name] for name in ("account_id", "identity_key", "exchange_key")}}
    return hkdf(b"parley-pairing-v1", digits.encode(), canonical(context), 32)


def pairing_fits(code, pairing):
    """Does the code fit the request, and does it open the welcome?"""
    request = pairing_key(code, "parley-pairing-request-v1", pairing)
    key = pairing_key(code, "parley-pairing-welcome-v1", pairing)
    if key is None:
        return False, False
    sealed = unb64(pairing["welcome"]["sealed"])
    try:
        opened = AESGCM(key).decrypt(sealed[:12], sealed[12:], b"")
        require(b64(opened), pairing["welcome"]["plaintext"], "plaintext of the welcome")
        opens = True
    except InvalidTag:
        opens = False
    return b64(request) == pairing["request"], opens


def check_pairing(v):
    for pairing in v["pairings"]:
        require(len(pairing["code"]), 29, "length of a code")
        require(pairing_fits(pairing["code"], pairing), (True, True), f"code {pairing['code']}")
        for name in ("account_id", "identity_key", "exchange_key"):
            altered = {**pairing, name: pairing[name][::-1]}
            require(pairing_fits(pairing["code"], altered), (False, False), f"another {name}")
    for kind, fits in (("typed", True), ("mistyped", False)):
        for code in v[kind]["codes"]:
            require(pairing_fits(code, v["pairings"][v[kind]["pairing"]]), (fits, fits), f"{kind} {code!r}")


# --- EE-17: recovery -------------------------------------------------------------------------------------------------

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def ed25519_public(seed):
    return b64(raw(Ed25519PrivateKey.from_private_bytes(seed).public_key()))


def base32(value, letters):
    return "".join(CROCKFORD[value >> (5 * place) & 31] for place in reversed(range(letters)))


def write_secret(entropy):
    check = int.from_bytes(hashlib.sha256(entropy).digest()[:2], "big") >> 6
    text = base32(int.from_bytes(entropy, "big"), 26) + base32(check, 2)
    return "-".join(text[at : at + 4] for at in range(0, 28, 4))


def read_secret(text):
    text = unicodedata.normalize("NFKC", text).upper()
    letters = "".join(c for c in text if not c.isspace() and unicodedata.category(c) != "Pd")
    letters = letters.replace("O", "0").replace("I", "1").replace("L", "1")
    if len(letters) != 28 or any(letter not in CROCKFORD for letter in letters):
        return None
    value = 0
    for letter in letters[:26]:
        value = value << 5 | CROCKFORD.index(letter)
    if value >> 128:
        return None
    entropy = value.to_bytes(16, "big")
    return entropy if write_secret(entropy).replace("-", "") == letters else None


def recovery_pair(text):
    entropy = read_secret(text)
    if entropy is None:
        return None
    seed = hkdf(b"parley-recovery-v1", entropy, b"ed25519", 32)
    return {"private_key": b64(seed), "public_key": ed25519_public(seed)}


def check_recovery(v):
    for given in v["secrets"]:
        require(write_secret(unb64(given["entropy"])), given["secret"], "recovery secret")
        pair = {name: given[name] for name in ("private_key", "public_key")}
        require(recovery_pair(given["secret"]), pair, given["secret"])
    meant = recovery_pair(v["secrets"][v["typed"]["secret"]]["secret"])
    for text in v["typed"]["texts"]:
        require(recovery_pair(text), meant, f"typed {text!r}")
    for text in v["mistyped"]:
        require(recovery_pair(text), None, f"mistyped {text!r}")
