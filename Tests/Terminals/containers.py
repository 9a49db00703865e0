"""Containers to try the screens on: copies of the samples, and one made of everything that steers or breaks a terminal."""

import json
import plistlib
import random
import shutil
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Examples"))

from samples.basics import (  # noqa: E402
    LEGACY, NOW, PREFERENCES, STANDARD, TARGET, WRITE_KEY, container, good_values, traits, write, xml
)

OPTIONS = ["--write-key", WRITE_KEY, "--now", NOW]

# Each does harm by itself on some terminal, or hides, or reorders, or has a width that programs disagree about.
STEERING = [
    "\x1b[2J\x1b[H", "\x1b]52;c;aGFjaw==\x07", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "\x1bPq#0\x1b\\",
    "\x1b]0;title\x07", "\x1b]2;title\x1b\\", "\x1b[?1049l", "\x1b[6n", "\x1bc", "\x9b31m", "\x9d0;t\x9c", "\x90q\x9c",
    "\x00\x01\x07\x08\x0b\x0c\x0e\x0f\x7f", "\r\n\t", "\x85",
    "\u202egnp.exe\u202c", "\u2066a\u2067b\u2068c\u2069", "\u200f\u200e\u061c", "\u2028\u2029",
]
HIDDEN = [
    "a\u200bb\u200cc\u200dd\ufeffe\u00adf", "\U000e0001\U000e0041\U000e007f", "x\ufe0fy\ufe0ez\U000e0100",
    "\ue000\U000f0000\U0010fffd", "\u0378", "\ufffe\uffff\U0010ffff", "\u3164\uffa0\u115f\u1160", "\u034f", "\u2800",
]
WIDE = [
    "漢字かな交じり文한국어", "ｆｕｌｌ", "👩‍👩‍👧‍👦", "🇩🇪🇯🇵", "👍🏽", "❤️", "1️⃣", "☺☻♥", "①②③", "§±×÷", "e\u0301\u0302\u0303\u0304\u0305\u0306",
    "\u0301lone", "z" + "\u0300\u0316" * 40, "שלום עולם", "مرحبا بالعالم", "ﷺ", "क्षत्रिय", "ที่นี่", "ᄒ\u1161ᆫ", "ြမန်", "🀄🃏🧪🫠", "〰〽㊗",
    "〈〉《》", "╳║═", "\u00a0\u2003\u3000", "ǅﬀ", "ẞ", "𐍈𝒜𝟘", "⌚⏩⏳♈⚓⚡⛄✅❌➕⬛⭐",
]
EVERYTHING = STEERING + HIDDEN + WIDE


def sample(name: str, folder: Path) -> Path:
    return Path(shutil.copytree(REPOSITORY / "Examples" / f"{name}.xcappdata", folder / f"{name}.xcappdata"))


def lone_surrogates(data: bytes) -> bytes:
    """Puts half a pair in the place of two private characters in a binary property list, which Python will not write."""
    return data.replace("\ue0f1".encode("utf-16-be"), b"\xd8\x00").replace("\ue0f2".encode("utf-16-be"), b"\xdc\x00")


def hostile(folder: Path) -> Path:
    everything = "".join(EVERYTHING)
    user_traits = json.dumps(
        {"anonymousId": "other", "userId": 42, "id": everything, **{piece + "k": piece for piece in EVERYTHING}},
        ensure_ascii=False)
    values = {
        **good_values(), "rl_anonymous_id": STEERING[0] + "漢" + everything, "rl_traits": user_traits,
        "rl_application_build_key": "\x1b[31m4\u202e", "rl_application_version_key": WIDE[2] + STEERING[5],
        "rl_event_deletion_status": everything,
    }
    own = {f"{piece}": {piece: [piece, {"n" + piece: piece}]} for piece in EVERYTHING}
    own |= {"rl_" + piece: piece for piece in EVERYTHING}
    own |= {"long": "x\u202e\x1b[1m漢" * 100_000, "marks": "o" + "\u0301" * 10_000, "lone\ue0f1key": "a\ue0f1b\ue0f2c",
            "data": everything.encode(), "json": user_traits, "many": {str(n): n for n in range(3000)}}
    plain = {key: value for key, value in values.items() if isinstance(value, (str, int, bool))}
    bad_xml = xml({"launch": 1, "café": "caf\xe9"}).replace("caf\xe9".encode(), b"caf\xe9\x9b31m\xc2\x9b\xff\xfe\xed\xa0\x80")
    legacy = plistlib.dumps(plain, fmt=plistlib.FMT_BINARY)
    files = container({
        LEGACY: legacy,
        STANDARD: lone_surrogates(plistlib.dumps({**own, **values}, fmt=plistlib.FMT_BINARY, sort_keys=False)),
        TARGET: plistlib.dumps({"anonymous_id": everything, "user_id": "u\x1b[0m\u202e", "own" + everything: everything},
                               fmt=plistlib.FMT_BINARY),
        f"{PREFERENCES}/com.acme.bad.plist": bad_xml,
        f"{PREFERENCES}/com.acme.\u202emoc\u200d\x1b[31m.漢👍🏽.plist": plistlib.dumps({"k": everything}, fmt=plistlib.FMT_BINARY),
        f"{PREFERENCES}/torn\x1b]0;t\x07.plist": b"bplist00\x1b[2J",
        "AppData/Documents/x\x9b31m.json": b'{"a\xff\x1b":"\xc2\x9b\xe2\x80\xae", "b": [1, 2',
        "AppData/Documents/good.json": json.dumps({piece: piece for piece in EVERYTHING}, ensure_ascii=False).encode(),
    })
    name = plistlib.loads(files["AppDataInfo.plist"])
    name["CFBundleDisplayName"] = "Acme\u202e 漢👍🏽" + STEERING[4].replace("\x1b", "")
    files["AppDataInfo.plist"] = plistlib.dumps(name, fmt=plistlib.FMT_BINARY)
    made = write(folder / "Ho\u202estile\x1b[31m漢.xcappdata", files)
    strange = str(made).encode() + b"/AppData/Documents/raw\xff\x9b\xc3.json"
    with open(strange, "wb") as file:
        file.write(b'{"a": "\x1b"}')
    return made


def generated(folder: Path, chance: random.Random) -> Path:
    """A container of random hostile values, the same for the same seed."""
    def text() -> str:
        return "".join(chance.choice(EVERYTHING) for _ in range(chance.randrange(5))) + chance.choice(["", "42", "u-1"])

    def value(depth: int = 0):
        kind = chance.randrange(9 if depth < 4 else 5)
        if kind < 3:
            return text()
        if kind == 3:
            return chance.choice([0, -1, 2**63 - 1, 1763640000, True, False])
        if kind == 4:
            return chance.choice([0.5, -1e300, text().encode()])
        if kind < 7:
            return [value(depth + 1) for _ in range(chance.randrange(6))]
        return {text() + str(n): value(depth + 1) for n in range(chance.randrange(6))}

    values = {key: value() if chance.randrange(4) == 0 else known for key, known in good_values().items()}
    if chance.randrange(2):
        values["rl_traits"] = traits(chance.choice(["u-1", "漢\\u001b"]), others=json.dumps({text(): text()})[1:-1])
    own = {text() + str(n): value() for n in range(chance.randrange(1, 60))}
    return write(folder / "Generated.xcappdata", container({
        LEGACY: plistlib.dumps(values, fmt=plistlib.FMT_BINARY),
        STANDARD: plistlib.dumps({**own, **values}, fmt=plistlib.FMT_BINARY, sort_keys=False),
        f"{PREFERENCES}/com.acme.other.plist": plistlib.dumps({text() + "x": value()}, fmt=plistlib.FMT_BINARY),
    }))


def contents(folder: Path) -> dict[Path, bytes]:
    """Every file of a container by its path there, less the state that the review keeps beside it."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*")
            if ".carryover" not in path.parts and path.is_file()}
