"""Decisions are kept and the container stays whole, whatever is in the way: a kill at any moment, a second review, a full
disk, a folder nobody may write to, and anything at all in the place of the file that keeps them."""

import json
import os
import random
import shutil
import signal
import subprocess
import time

import containers
from display import Display
from session import plain_environment
from stream import Allowed, print_faults

NAME = ".carryover/review.json"
PREVIEW = ["g", "v", "G", " ", "\x1b", "a"]
HOSTILE = {
    "huge": lambda: b"[" + b"0," * 9_000_000 + b"0]", "deep": lambda: b"[" * 2_000_000,
    "deep valid": lambda: json_with(None, '"extra": ' + "[" * 400 + "]" * 400 + ","), "empty": lambda: b"", "nul": lambda: b"\0" * 4096,
    "array": lambda: b"[]", "null": lambda: b"null", "later": lambda: json_with("carryover.review/2"),
    "other": lambda: json_with("carryover.plan/1"), "number": lambda: json_with(number="1e999"),
    "number large": lambda: json_with(number="9223372036854775807"), "number below": lambda: json_with(number="-9223372036854775808"),
    "number fraction": lambda: json_with(number="0.5"), "version": lambda: json_with(version="99999999999999999999"),
    "moment": lambda: json_with(milliseconds="-9223372036854775808", known=True),
    "moment late": lambda: json_with(milliseconds="9223372036854775807", known=True),
    "field": lambda: json_with(field="\\u001b]0;t\\u0007\\u202e" * 1000), "value": lambda: json_with(value='{"type": "string"}'),
    "decision": lambda: json_with(decision="\\u001b[2J"), "schema": lambda: json_with("carryover.review/\\u001b[2J\\u202e"),
    "twice": lambda: json_with(times=2), "many": lambda: json_with(times=50_000, distinct=True),
    "surrogate": lambda: json_with(field="\\ud800"), "folder": None, "pipe": None, "link": None, "loop": None, "socket": None,
}
PLACES = ["file", "link", "link away", "pipe", "read-only"]


def json_with(schema="carryover.review/1", extra="", number="1", version="1", milliseconds="1763640000000", field="user_id",
              decision="migrate", value=None, times=1, distinct=False, known=False) -> bytes:
    value = f', "value": {value}' if value else ""
    def one(index):
        return (f'{{"field": "{field}{index if distinct else ""}", "decision": "{decision}"{value}, "basis": "' + "0" * 64 + '"}')
    decisions = ",".join(one(index) for index in range(times))
    return (f'{{"schema": "{schema or "carryover.review/1"}", {extra} "tool": "x", "number": {number}, "reviews": [{{"recipe": '
            f'{{"id": "rudderstack-objc", "version": {version}}}, "target": "{containers.TARGET}", "kept": "x", '
            f'"milliseconds": "{milliseconds}", "decisions": [{decisions}]}}]}}').encode()


def CASES(setting):
    many = 12 if setting.long else 2
    # A third of them each time, by the seed.
    hostile = list(HOSTILE) if setting.long else list(HOSTILE)[setting.seed % 3::3]
    return ([f"killed {number}" for number in range(many)] + [f"killed applying {number}" for number in range(many)]
            + [f"hangup applying {number}" for number in range(2)]
            + [f"hostile {name}" for name in hostile] + [f"place {name}" for name in PLACES]
            + ["two deciding", "two applying", "two rolling back", "full", "unwritable", "cleaned", "changed"])


def run(setting, case: str) -> list[str]:
    kind, _, what = case.partition(" ")
    return {"killed": killed, "hangup": killed, "hostile": hostile, "place": place, "two": two, "full": full, "unwritable": unwritable,
            "cleaned": cleaned, "changed": changed}[kind](setting, what if kind != "hangup" else "hangup " + what)


def open_review(setting, container, *options, **others):
    display = Display(100, 30)
    session = setting.review(container, *options, display=display, **others)
    session.settle()
    return session, display


def press(session, *keys):
    for key in keys:
        if session.status is not None:
            return
        session.type(key)
        session.settle()


def leave(session, *keys, clipboard=False) -> list[str]:
    press(session, *keys, "\x1b", "\x1b", "\x1b", "\x1b", "q", "y")
    status = session.ended(limit=20)
    output = bytes(session.output)
    return ([] if status == 0 else [f"status {status}"]) + Allowed("xterm-256color").faults(output, clipboard=clipboard)[:3]


def killed(setting, what: str) -> list[str]:
    """Killed while decisions are taken, or while they are applied."""
    chance = random.Random(f"{setting.seed} {what}")
    container = setting.sample("AcmeShop")
    before = containers.contents(container)
    whole = applied(setting)
    wrong = []
    for _ in range(4):
        session, display = open_review(setting, container)
        with session:
            if "Saved decisions" in display.text:
                press(session, "y")
            if "applying" in what or "hangup" in what:
                press(session, *PREVIEW)
                session.type("y")
                end = time.monotonic() + chance.random() * 0.05
                while time.monotonic() < end:
                    session.take(0)
                if "hangup" in what:
                    session.hang_up()
                else:
                    session.signal(signal.SIGKILL)
            else:
                session.type("".join(chance.choice([" ", "s", "j", "k", "u", "t", "A", "c"]) for _ in range(chance.randrange(1, 40))))
                end = time.monotonic() + chance.random() * 0.1
                while time.monotonic() < end:
                    session.take(0)
                session.signal(signal.SIGKILL)
            session.ended(limit=20)
        after = containers.contents(container)
        if "applying" not in what and "hangup" not in what and after != before:
            return ["a review that was killed has written"]
        # The next one ends what was begun, and then the container is as before or as applied.
        session, display = open_review(setting, container)
        with session:
            if "┌ Failed" in display.text or "cannot be read" in display.text:
                wrong.append(f"after the kill:\n{display.text}")
            wrong += leave(session, "\x1b", "\x1b")
        after = {os.path.relpath(path, bytes(container)): data for path, data in containers.contents(container).items()}
        if after not in (relative(container, before), whole):
            return wrong + [f"neither as before nor as applied: {sorted(set(after) ^ set(whole))}"]
        if after == whole:
            subprocess.run([setting.binary, "rollback", container, "--yes"], check=True, capture_output=True)
            if containers.contents(container) != before:
                return wrong + ["not rolled back"]
    return wrong + leftovers(container)


def leftovers(container) -> list[str]:
    found = [name for name in os.listdir(container / ".carryover") if ".tmp" in name] if (container / ".carryover").is_dir() else []
    return [f"left over: {found}"] if len(found) > 1 else []


def relative(container, files):
    return {os.path.relpath(path, bytes(container)): data for path, data in files.items()}


def applied(setting):
    """What the container is after the same was applied and nothing happened."""
    container = setting.sample("AcmeShop")
    session, _ = open_review(setting, container)
    with session:
        press(session, *PREVIEW, "y")
        leave(session)
    return relative(container, containers.contents(container))


def hostile(setting, what: str) -> list[str]:
    container = setting.sample("AcmeShop")
    path = container / NAME
    path.parent.mkdir(mode=0o700)
    before = containers.contents(container)
    secret = setting.folder / "secret"
    secret.write_text("mine")
    make = HOSTILE[what]
    if make:
        path.write_bytes(make())
    elif what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "socket":
        import socket
        socket.socket(socket.AF_UNIX).bind(os.path.relpath(path))
    else:
        path.symlink_to(secret if what == "link" else path)
    kept = path.read_bytes() if make else None
    wrong = []
    start = time.monotonic()
    session, display = open_review(setting, container)
    with session:
        if time.monotonic() - start > 15:
            wrong.append(f"opens in {time.monotonic() - start:.0f} s")
        if "Saved decisions" in display.text:
            wrong += [f"offered: {line}" for line in display.broken_frames()]
            press(session, "j", "G", "y", "n", "\x1b")
        press(session, "j", " ", "s", "?", "\x1b", "L", "\x1b")
        wrong += leave(session)
    if containers.contents(container) != before:
        wrong.append("written into the container")
    if secret.read_text() != "mine" or what == "link" and not path.is_symlink():
        wrong.append("a link was followed, or replaced")
    if what in ("later", "schema") and path.read_bytes() != kept:
        wrong.append("a later version's decisions are gone")
    for words in (["history"], ["recover"], ["history", "prune", "--keep", "1", "--yes"], ["apply", "--yes"], ["review", "--accessible"],
                  ["report"], ["inspect"]):
        options = containers.OPTIONS if words[0] in ("apply", "review", "report") else []
        result = subprocess.run([setting.binary, *words[:1], *([words[1]] if words[1:2] == ["prune"] else []), container,
                                 *words[2 if words[1:2] == ["prune"] else 1:], *options], capture_output=True, input=b"",
                                timeout=60, env=plain_environment())
        if result.returncode < 0 or result.returncode > 64:
            wrong.append(f"{words}: {result.returncode} {result.stderr[-300:]!r}")
        wrong += print_faults(result.stdout + result.stderr)[:2]
    return wrong


def place(setting, what: str) -> list[str]:
    """Something else where the state folder is to be."""
    container = setting.sample("AcmeShop")
    before = containers.contents(container)
    folder, away = container / ".carryover", setting.folder / "away"
    away.mkdir()
    if what == "file":
        folder.write_text("mine")
    elif what == "pipe":
        os.mkfifo(folder)
    elif what == "read-only":
        folder.mkdir(mode=0o500)
    else:
        folder.symlink_to(away if what == "link away" else "nowhere")
    there = os.lstat(folder)
    session, display = open_review(setting, container)
    wrong = []
    with session:
        # Nothing could be taken back from here: it is looked at, and says so.
        if what != "read-only" and "Read-only: no backup" not in display.text:
            wrong.append(f"does not say that it only looks:\n{display.text}")
        press(session, "j", " ", *PREVIEW)
        if what == "read-only":
            return leave(session)
        press(session, "y")
        if "Preview" not in display.text:
            wrong.append(f"y has left the preview:\n{display.text}")
        wrong += leave(session)
    now = os.lstat(folder)
    if containers.contents(container) != before or os.listdir(away) or (now.st_ino, now.st_mode) != (there.st_ino, there.st_mode):
        wrong.append("written")
    return wrong


def two(setting, what: str) -> list[str]:
    """Two reviews of one container."""
    container = setting.sample("AcmeShop")
    before = containers.contents(container)
    wrong = []
    one, shown = open_review(setting, container)
    other, seen = open_review(setting, container)
    with one, other:
        if what == "deciding":
            for _ in range(10):
                press(one, "j", " ")
                press(other, "j", "s")
            wrong += leave(one) + leave(other)
            if containers.contents(container) != before:
                wrong.append("written")
        else:
            press(one, *PREVIEW)
            press(other, *PREVIEW)
            press(one, "y")
            if "Result" not in shown.text:
                wrong.append(f"not applied:\n{shown.text}")
            after = containers.contents(container)
            if what == "rolling back":
                press(one, "R", "y")
                if containers.contents(container) != before:
                    wrong.append(f"not taken back:\n{shown.text}")
                after = before
            press(other, "y")
            written = containers.contents(container)
            if what == "applying" and written != after:
                wrong.append(f"the second review has written over the first:\n{seen.text}")
            if "trap" in seen.text or other.status is not None:
                wrong.append(f"the second has ended:\n{seen.text}")
            wrong += leave(other) + leave(one)
    session, display = open_review(setting, container)
    with session:
        if "cannot be read" in display.text:
            wrong.append(display.text)
        wrong += leave(session, "y")
    return wrong


def limited(setting, container, *words):
    """The review with a limit on the sizes of files: a full disk, as far as a program can tell."""
    from session import Session
    display = Display(100, 30)
    session = Session(["/bin/sh", "-c", 'ulimit -f 0; exec "$@"', "sh", setting.binary, container, *containers.OPTIONS, *words],
                      shows=display.feed)
    session.settle()
    return session, display


def full(setting, _) -> list[str]:
    container = setting.sample("AcmeShop")
    before = containers.contents(container)
    session, display = limited(setting, container)
    with session:
        press(session, "j", " ", *PREVIEW, "y")
        wrong = [] if "┌ Failed" in display.text else [f"a full disk is not told of:\n{display.text}"]
        press(session, "\x1b", "q")
        if "cannot be saved" not in display.text:
            wrong.append(f"that nothing can be kept is not told:\n{display.text}")
        wrong += leave(session)
    if containers.contents(container) != before:
        wrong.append("written")
    session, display = open_review(setting, container)
    with session:
        press(session, "\x1b", *PREVIEW, "y")
        if "Result" not in display.text:
            wrong.append(f"the next one cannot go on:\n{display.text}")
        wrong += leave(session)
    return wrong


def unwritable(setting, _) -> list[str]:
    """As somebody who may only read."""
    if os.getuid() != 0 or not shutil.which("setpriv"):
        return []
    from session import Session
    container = setting.sample("AcmeShop")
    before = containers.contents(container)
    os.chmod(setting.folder, 0o755)
    for folder, _, _ in os.walk(setting.folder):
        os.chmod(folder, 0o755)
    display = Display(100, 30)
    binary = shutil.copy(setting.binary, setting.folder / "carryover")
    os.chmod(binary, 0o755)
    session = Session(["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", binary, container,
                       *containers.OPTIONS], shows=display.feed)
    session.settle()
    with session:
        press(session, "j", " ", *PREVIEW, "y")
        wrong = [] if "┌ Failed" in display.text else [f"not told of:\n{display.text}"]
        press(session, "\x1b", "q")
        if "cannot be saved" not in display.text:
            wrong.append(f"that nothing can be kept is not told:\n{display.text}")
        wrong += leave(session)
    if containers.contents(container) != before or (container / ".carryover").exists():
        wrong.append("written")
    return wrong


def cleaned(setting, _) -> list[str]:
    """What clears up leaves the decisions that are kept."""
    container = setting.sample("AcmeShop")
    wrong = []
    session, _ = open_review(setting, container)
    with session:
        press(session, *PREVIEW, "y")
        wrong += leave(session, "\x1b")
    subprocess.run([setting.binary, "rollback", container, "--yes"], check=True, capture_output=True)
    session, _ = open_review(setting, container)
    with session:
        press(session, "j", "s")
        wrong += leave(session)
    path = container / NAME
    kept = path.read_bytes() if path.exists() else None
    if not kept:
        return wrong + ["nothing is kept"]
    for words in (["history", "prune", container, "--keep", "0", "--yes"], ["recover", container], ["cleanup", container, "--yes"]):
        result = subprocess.run([setting.binary, *words], capture_output=True)
        if result.returncode not in (0, 1, 2, 64):
            wrong.append(f"{words}: {result.returncode} {result.stderr!r}")
        if not path.exists() or path.read_bytes() != kept:
            wrong.append(f"{words} has taken the decisions along: {result.stdout!r}")
            break
    return wrong


def changed(setting, _) -> list[str]:
    """The container changes under the review between any two keys."""
    chance = random.Random(setting.seed)
    container = setting.sample("AcmeShop")
    target, legacy = container / containers.TARGET, container / containers.LEGACY
    originals = {path: path.read_bytes() for path in (target, legacy) if path.exists()}
    keys = ["f", "a\r", "v", "G", " ", "/", "i\r", "n", "a", "y", "\x1b", "H", "\r", "R", "y", "\x1b", "A", "F", "j", "\r", "s", "u", "U", "e",
            "\x1b", "x", "b", "\x1b", "q", "n", "L", "w", "j", "k", "g"]
    wrong = []
    for _ in range(6 if setting.long else 2):
        session, display = open_review(setting, container)
        with session:
            for _ in range(60):
                if session.status is not None:
                    break
                way = chance.randrange(4)
                path = chance.choice([target, legacy])
                if way == 0 and path in originals:
                    path.write_bytes(originals[path])
                elif way == 1:
                    import plistlib
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(plistlib.dumps({"user_id": str(chance.random()), "rl_traits": "{}", "n": chance.randrange(9)}))
                elif way == 2 and path.exists():
                    path.unlink()
                else:
                    path.write_bytes(b"bplist00" + bytes([chance.randrange(256)]) * 40)
                press(session, chance.choice(keys))
                wrong += display.broken_frames()[:1]
            if session.status not in (None, 0):
                return wrong + [f"status {session.status}\n{display.text}"]
            if session.status is None:
                # One of the keys, y, copies where it does not answer.
                wrong += leave(session, "\x1b", "\x1b", "\x1b", clipboard=True)
        for path, data in originals.items():
            path.write_bytes(data)
        shutil.rmtree(container / ".carryover", ignore_errors=True)
    return wrong[:6]
