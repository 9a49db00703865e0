#!/usr/bin/env python3
"""Compares carryover diff with an independent comparison, on random pairs of containers.

    python3 -B Tests/Diff COMMAND [COUNT [SEED]]

The values are of all types, nested, and packed up to three times: as JSON in text or data, as property lists of both formats, as
keyed archives. Python's plistlib and json read them here. The paths, the changes and the texts of scalars must be the same, the
exit status must be that of the result, and a container must be equal to itself written in other formats and orders."""

import datetime
import json
import pathlib
import plistlib
import random
import subprocess
import sys
import tempfile
from decimal import Decimal
from plistlib import UID

NAMES = [f"k{n}" for n in range(12)] + ["a.b", "", "é", "e\u0301", "line\nbreak", "\x1b[2J", "x[0]", '"q"', "日本"]
SYSTEM = ["AppleLanguages", "NSNavLastRoot", "WebKitDefaultFont", "com.apple.x", "AKLastLocale"]
OWN = ["AppleUserID", "NSFWFilter", "WebKits", "NS"]


class Keyed:
    """A value from a keyed archive."""

    def __init__(self, value):
        self.value = value


# Making

def scalar(rng: random.Random, plist: bool):
    makers = [
        lambda: rng.choice(["", "text", "{not json}", "[1, 2", "<plist", "ü" * 30, "42", "true", "x" * 300 + str(rng.randrange(9))]),
        lambda: rng.choice([0, 1, -1, 42, 2**53 + 1, 2**62, rng.randrange(10**6), 1763640000 + rng.randrange(5)]),
        lambda: rng.choice([0.0, 1.0, 0.1, 1e300, rng.random()]),
        lambda: rng.random() < 0.5,
    ]
    if plist:
        makers += [
            lambda: datetime.datetime(2025, 11, 20, 12, 0, rng.randrange(60)),
            lambda: rng.choice([b"", b"\x00\x01", bytes([255, rng.randrange(256)]) * 40, b"plain text", b"{broken"]),
        ]
    else:
        makers.append(lambda: None)
    return rng.choice(makers)()


def value(rng: random.Random, plist: bool, depth: int, packs: int):
    kind = rng.random()
    if depth > 0 and kind < 0.2:
        return {rng.choice(NAMES): value(rng, plist, depth - 1, packs) for _ in range(rng.randrange(5))}
    if depth > 0 and kind < 0.4:
        return [value(rng, plist, depth - 1, packs) for _ in range(rng.randrange(6))]
    if packs > 0 and kind < 0.6:
        return Packed(rng, plist, packs)
    return scalar(rng, plist)


class Packed:
    """A value that is written packed: in which form is chosen once, its spelling each time."""

    def __init__(self, rng: random.Random, plist: bool, packs: int):
        self.form = rng.choice(["json-text", "json-data", "plist-data", "archive-data", "archive", "xml-text"] if plist else
                               ["json-text", "xml-text"])
        inner = self.form not in ("json-text", "json-data")
        while True:
            self.inner = value(rng, inner, 2, packs - 1)
            # Only containers are recognised in JSON.
            if isinstance(self.inner, (dict, list)):
                break

    def copy(self, inner):
        other = Packed.__new__(Packed)
        other.form, other.inner = self.form, inner
        return other


def changed(rng: random.Random, old, plist: bool, rate: float):
    """A copy with some changes."""
    if rng.random() < rate / 3:
        return value(rng, plist, 2, 1)
    if isinstance(old, dict):
        new = {k: changed(rng, v, plist, rate) for k, v in old.items() if rng.random() > rate / 3}
        if rng.random() < rate:
            new[rng.choice(NAMES)] = value(rng, plist, 1, 1)
        items = list(new.items())
        rng.shuffle(items)
        return dict(items)
    if isinstance(old, list):
        new = [changed(rng, v, plist, rate / 2) for v in old if rng.random() > rate / 3]
        if rng.random() < rate:
            new.insert(rng.choice([0, len(new), rng.randrange(len(new) + 1)]), value(rng, plist, 1, 1))
        return new
    if isinstance(old, Packed):
        return old.copy(changed(rng, old.inner, old.form not in ("json-text", "json-data"), rate))
    return scalar(rng, plist) if rng.random() < rate / 2 else old


# Writing

def json_text(rng: random.Random, item) -> str:
    gap = rng.choice(["", " ", "\n  "])
    if isinstance(item, dict):
        return "{" + gap + ("," + gap).join(json.dumps(k, ensure_ascii=rng.random() < 0.5) + ":" + gap + json_text(rng, v)
                                           for k, v in item.items()) + gap + "}"
    if isinstance(item, list):
        return "[" + gap + ("," + gap).join(json_text(rng, v) for v in item) + gap + "]"
    if isinstance(item, int) and not isinstance(item, bool) and rng.random() < 0.3:
        return f"{item}.0" if rng.random() < 0.5 else f"{item}e0"
    return json.dumps(item, ensure_ascii=rng.random() < 0.5)


def plist_bytes(rng: random.Random, item) -> bytes:
    try:
        return plistlib.dumps(item, fmt=rng.choice([plistlib.FMT_BINARY, plistlib.FMT_XML]), sort_keys=False)
    except (ValueError, TypeError):  # XML has no control characters and no UIDs
        return plistlib.dumps(item, fmt=plistlib.FMT_BINARY, sort_keys=False)


def archive(rng: random.Random, item) -> dict:
    objects = ["$null"]

    def add(thing) -> UID:
        if isinstance(thing, dict) and "$archiver" in thing:  # An object of an archive is no reference.
            thing = plistlib.dumps(thing, fmt=plistlib.FMT_BINARY)
        index = len(objects)
        objects.append(None)
        if isinstance(thing, dict):
            objects[index] = {"NS.keys": [add(k) for k in thing], "NS.objects": [add(v) for v in thing.values()],
                              "$class": add_class("NSDictionary")}
        elif isinstance(thing, list):
            objects[index] = {"NS.objects": [add(v) for v in thing], "$class": add_class("NSArray")}
        elif isinstance(thing, datetime.datetime):
            seconds = (thing - datetime.datetime(2001, 1, 1)).total_seconds()
            objects[index] = {"NS.time": seconds, "$class": add_class("NSDate")}
        else:
            objects[index] = thing
        return UID(index)

    def add_class(name: str) -> UID:
        objects.append({"$classname": name, "$classes": [name, "NSObject"]})
        return UID(len(objects) - 1)

    if rng.random() < 0.5:  # Objects may be anywhere.
        objects.append("unused")
    root = add(item)
    return {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": root}, "$objects": objects}


def written(rng: random.Random, item):
    """The item with all that is packed as plistlib writes it."""
    if isinstance(item, dict):
        return {k: written(rng, v) for k, v in item.items()}
    if isinstance(item, list):
        return [written(rng, v) for v in item]
    if not isinstance(item, Packed):
        return item
    inner = written(rng, item.inner)
    if item.form == "json-text":
        return json_text(rng, inner)
    if item.form == "json-data":
        return json_text(rng, inner).encode()
    if item.form == "xml-text":
        try:
            return plistlib.dumps(inner, fmt=plistlib.FMT_XML, sort_keys=False).decode()
        except (ValueError, TypeError):
            return "no XML"
    if item.form == "plist-data":
        return plist_bytes(rng, inner)
    made = archive(rng, inner)
    return made if item.form == "archive" else plist_bytes(rng, made)


def place(folder: pathlib.Path, rng: random.Random, stores: dict) -> dict:
    """Writes the stores, and returns what is in them."""
    plain = {}
    for path, items in stores.items():
        item = written(rng, items)
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        data = json_text(rng, item).encode() if path.endswith(".json") else plist_bytes(rng, item)
        file.write_bytes(data)
        # As it can be read, with the spelling of numbers.
        plain[path] = from_json(data) if path.endswith(".json") else plistlib.loads(data)
    (folder / "Library/Preferences").mkdir(parents=True, exist_ok=True)
    return plain


# Comparing

def opened(item):
    """The content of an item, and what it was packed in."""
    packings = []
    while True:
        plist = None
        if isinstance(item, Number):
            return item, packings
        if isinstance(item, str) or isinstance(item, bytes):
            data = item.encode() if isinstance(item, str) else item
            if data.startswith((b"<?xml", b"<plist", b"bplist")):
                try:
                    plist = plistlib.loads(data)
                except Exception:
                    return item, packings
                packings.append("plist")
                item = plist
            elif data.strip()[:1] in (b"{", b"["):
                try:
                    item = from_json(data)
                except ValueError:
                    return item, packings
                packings.append("json")
                return item, packings
            else:
                return item, packings
        if is_archive(item) and (plist is not None or not packings):
            if plist is not None:
                packings.pop()
                packings.append("data")
            packings.append("archive")
            return from_archive(item), packings
        if isinstance(item, (dict, list)) or plist is None:
            return item, packings


class Number:
    """A number of JSON."""

    def __init__(self, text: str):
        self.value = Decimal(text)


class JSONBox:
    """A value of JSON, which is of another kind than one of a property list."""

    def __init__(self, value):
        self.value = value


def from_json(data: bytes):
    def boxed(item):
        if isinstance(item, dict):
            return JSONBox({k: boxed(v) for k, v in item.items()})
        if isinstance(item, list):
            return JSONBox([boxed(v) for v in item])
        return item if isinstance(item, Number) else JSONBox(item)

    return boxed(json.loads(data, parse_int=Number, parse_float=Number))


def is_archive(item) -> bool:
    return isinstance(item, dict) and {"$archiver", "$top", "$objects"} <= item.keys()


def from_archive(made: dict):
    objects = made["$objects"]

    def read(uid: UID):
        thing = objects[uid.data]
        if uid.data == 0:
            return None
        if isinstance(thing, dict):
            name = objects[thing["$class"].data]["$classname"]
            if name == "NSDictionary":
                return Keyed({read(k): read(v) for k, v in zip(thing["NS.keys"], thing["NS.objects"])})
            if name == "NSArray":
                return Keyed([read(v) for v in thing["NS.objects"]])
            return datetime.datetime(2001, 1, 1) + datetime.timedelta(seconds=thing["NS.time"])
        return thing

    return read(made["$top"]["root"])


def kind(item) -> str:
    if isinstance(item, Number):
        return "json number"
    if isinstance(item, JSONBox):
        return "json " + type(item.value).__name__
    if isinstance(item, Keyed):
        return "keyed " + type(item.value).__name__
    return type(item).__name__


def same_scalar(old, new) -> bool:
    if isinstance(old, Number):
        return old.value == new.value
    if isinstance(old, float):
        return old.hex() == new.hex()
    return old == new


def inside(item):
    return item.value if isinstance(item, (JSONBox, Keyed)) else item


def differences(old, new) -> list:
    """Paths from here: [(change, path, before, after)]."""
    here = [("changed", (), old, new)]
    if kind(old) != kind(new):
        return here
    stored = (old, new)
    boxes = [isinstance(x, JSONBox) and isinstance(x.value, str) for x in (old, new)]
    (old, packed), (new, others) = opened(old.value if boxes[0] else old), opened(new.value if boxes[1] else new)
    if packed != others:
        return here
    if boxes[0] and not packed:
        return [] if old == new else here
    if kind(old) != kind(new):
        return here
    left, right = inside(old), inside(new)
    if isinstance(left, dict):
        found = [("removed", (k,), left[k], None) for k in left.keys() - right.keys()]
        found += [("added", (k,), None, right[k]) for k in right.keys() - left.keys()]
        for k in left.keys() & right.keys():
            found += [(c, (k,) + p, b, a) for c, p, b, a in differences(left[k], right[k])]
        return found
    if isinstance(left, list):
        return elements(left, right)
    del stored
    return [] if same_scalar(old if isinstance(old, Number) else left, new if isinstance(new, Number) else right) else here


def elements(left: list, right: list) -> list:
    """The pairing that the manual describes: equal ends, then a queue that moved, otherwise place by place."""
    same = lambda i, j: not differences(left[i], right[j])
    n, m = len(left), len(right)
    straight = [i for i in range(min(n, m)) if not same(i, i)]
    pairs = {i: i for i in range(min(n, m))}
    if n != m or len(straight) > 1:
        start = 0
        while start < min(n, m) and same(start, start):
            start += 1
        end = 0
        while end < min(n, m) - start and same(n - 1 - end, m - 1 - end):
            end += 1
        a, b = n - start - end, m - start - end
        unequal = sum(1 for i in range(min(a, b)) if not same(start + i, start + i)) + abs(a - b)
        forth = max(k for k in range(min(a, b) + 1) if all(same(start + a - k + i, start + i) for i in range(k)))
        back = max(k for k in range(min(a, b) + 1) if all(same(start + i, start + b - k + i) for i in range(k)))
        best = max(forth, back)
        pairs = {i: i for i in range(start)} | {n - 1 - i: m - 1 - i for i in range(end)}
        if a + b - 2 * best < unequal:
            pairs |= {start + a - best + i: start + i for i in range(best)} if forth >= back else \
                {start + i: start + b - best + i for i in range(best)}
        else:
            pairs |= {start + i: start + i for i in range(min(a, b))}
    found = [("removed", (i,), left[i], None) for i in range(n) if i not in pairs]
    found += [("added", (j,), None, right[j]) for j in range(m) if j not in pairs.values()]
    for i, j in pairs.items():
        found += [(c, (j,) + p, b, a) for c, p, b, a in differences(left[i], right[j])]
    return found


def expected(before: dict, after: dict) -> tuple:
    found, system = [], 0
    for path in before.keys() | after.keys():
        if path not in after or path not in before:
            change = "added" if path in after else "removed"
            items = opened(inside((after if path in after else before)[path]))[0]
            items = inside(items)
            values = [(change, (k,)) for k in (range(len(items)) if isinstance(items, list) else items if isinstance(items, dict) else [])]
            if not values:
                found.append((path, change, ()))
        else:
            values = [d[:2] for d in differences(before[path], after[path])]
        for change, keys in values:
            found.append((path, change, keys))
    kept = []
    counted = set()
    for path, change, keys in found:
        if keys and path.endswith(".plist") and keys[0] in SYSTEM:
            counted.add((path, keys[0]))
        else:
            kept.append((path, change, keys))
    return sorted(kept, key=repr), len(counted)


def shown(document: dict) -> tuple:
    found = []
    for store in document["stores"]:
        if store["whole"]:
            found.append((store["path"], store["change"], ()))
        for item in store["values"]:
            found.append((store["path"], item["change"], tuple(item["path"])))
    return sorted(found, key=repr), document["systemKeys"]


def texts(document: dict, before: dict, after: dict) -> None:
    """The texts of changed scalars are those in the stores."""
    for store in document["stores"]:
        path = store["path"]
        if path not in before or path not in after:
            continue
        values = differences(before[path], after[path])
        known = {(c, p): (b, a) for c, p, b, a in values}
        for item in store["values"]:
            for side, one in zip(("before", "after"), known.get((item["change"], tuple(item["path"])), (None, None))):
                plain = opened(inside(one))[0] if isinstance(one, JSONBox) else one
                if isinstance(plain, str) and opened(plain)[1] == []:
                    assert item[side]["value"] == plain, (item, plain)
                if isinstance(plain, bool):
                    assert item[side]["value"] == str(plain).lower(), (item, plain)
                elif isinstance(plain, int):
                    assert item[side]["value"] == str(plain), (item, plain)


def run(command: str, *arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([command, "diff", *arguments], capture_output=True, text=True, encoding="utf-8")


def check(command: str, seed: int, folder: pathlib.Path) -> None:
    rng = random.Random(seed)
    paths = ["Library/Preferences/com.acme.shop.plist", "Library/Preferences/com.other.plist",
             "Library/Application Support/state.json"]
    old, new = {}, {}
    for path in paths:
        plist = path.endswith(".plist")
        items = {rng.choice(NAMES + OWN + (SYSTEM if plist else [])): value(rng, plist, 3, 3) for _ in range(rng.randrange(1, 9))}
        if rng.random() < 0.9:
            old[path] = items
        if rng.random() < 0.9:
            new[path] = changed(rng, items, plist, rng.choice([0, 0.05, 0.3, 0.8]))
    before, after = place(folder / "A", rng, old), place(folder / "B", rng, new)
    result = run(command, str(folder / "A"), str(folder / "B"), "--json")
    assert result.returncode in (0, 2), result.stderr
    document = json.loads(result.stdout)
    wanted, found = expected(before, after), shown(document)
    assert wanted == found, f"missing {set(wanted[0]) - set(found[0])}, not wanted {set(found[0]) - set(wanted[0])}, {wanted[1]} {found[1]}"
    assert result.returncode == (2 if found[0] else 0)
    texts(document, before, after)
    # The same values, spelled in another way, are equal.
    place(folder / "C", rng, old)
    same = run(command, str(folder / "A"), str(folder / "C"), "--all", "--json")
    assert same.returncode == 0, same.stdout + same.stderr
    plain = run(command, str(folder / "A"), str(folder / "B"))
    assert plain.returncode == result.returncode and "\x1b" not in plain.stdout


def main() -> None:
    command = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    for number in range(seed, seed + count):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(command, number, pathlib.Path(folder))
            except AssertionError as failure:
                sys.exit(f"pair {number}: {failure}\nrepeat it with: python3 -B Tests/Diff {sys.argv[1]} 1 {number}")
    print(f"{count} pairs compared: all alike")


if __name__ == "__main__":
    main()
