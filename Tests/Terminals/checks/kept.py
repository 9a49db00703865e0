"""Decisions are kept and the container stays whole, whatever is in the way: a kill at any moment, a second review, and a
container that changes. ReviewFileFaultTests and SavedReviewTests have the file that keeps them, LineAgreementTests and
CommandTests a disk that is full."""

import os
import plistlib
import random
import signal
import subprocess

import containers
from stream import Allowed

PREVIEW = ["g", "v", "G", " ", "\x1b", "a"]


def CASES(setting):
    rounds = range(12 if setting.long else 2)
    return ([f"killed {how} {number}" for how in ("applying", "hung-up") for number in rounds]
            + ["two applying", "two rolling back", "changed"])


def run(setting, case: str) -> list[str]:
    kind, _, what = case.partition(" ")
    return {"killed": killed, "two": two, "changed": changed}[kind](setting, what)


def leave(session, *keys, clipboard=False) -> list[str]:
    session.press(*keys, "\x1b", "\x1b", "\x1b", "\x1b", "q", "y")
    return session.end(limit=20) + Allowed("xterm-256color").faults(bytes(session.output), clipboard=clipboard)[:3]


def applied(setting):
    container = setting.sample("AcmeShop")
    session, _ = setting.review(container)
    with session:
        session.press(*PREVIEW, "y")
        leave(session)
    return containers.contents(container)


def killed(setting, what: str) -> list[str]:
    """Killed while decisions are applied; the next review ends what was begun."""
    chance = random.Random(f"{setting.seed} {what}")
    container = setting.sample("AcmeShop")
    before, whole = containers.contents(container), applied(setting)
    wrong = []
    for _ in range(4):
        session, display = setting.review(container)
        with session:
            session.press(*["y"] * ("Saved decisions" in display.text))
            session.press(*PREVIEW)
            session.type("y")
            session.watch(chance.random() * 0.05)
            if what.startswith("hung-up"):
                session.hang_up()
            else:
                session.signal(signal.SIGKILL)
            session.ended(limit=20)
        session, display = setting.review(container)
        with session:
            if "┌ Failed" in display.text or "cannot be read" in display.text:
                wrong.append(f"after the kill:\n{display.text}")
            wrong += leave(session, "\x1b", "\x1b")
        after = containers.contents(container)
        if after not in (before, whole):
            return wrong + [f"neither as before nor as applied: {sorted(set(after) ^ set(whole))}"]
        if after == whole:
            subprocess.run([setting.binary, "rollback", container, "--yes"], check=True, capture_output=True)
            if containers.contents(container) != before:
                return wrong + ["not rolled back"]
    state = container / ".carryover"
    left = [name for name in os.listdir(state) if ".tmp" in name] if state.is_dir() else []
    return wrong + ([f"left over: {left}"] if len(left) > 1 else [])


def two(setting, what: str) -> list[str]:
    container = setting.sample("AcmeShop")
    before = containers.contents(container)
    wrong = []
    one, shown = setting.review(container)
    other, seen = setting.review(container)
    with one, other:
        one.press(*PREVIEW)
        other.press(*PREVIEW)
        one.press("y")
        if "Result" not in shown.text:
            wrong.append(f"not applied:\n{shown.text}")
        after = containers.contents(container)
        if what == "rolling back":
            one.press("R", "y")
            if containers.contents(container) != before:
                wrong.append(f"not rolled back:\n{shown.text}")
        other.press("y")
        if what == "applying" and containers.contents(container) != after:
            wrong.append(f"the second review has written over the first:\n{seen.text}")
        if other.status is not None:
            wrong.append(f"the second has ended:\n{seen.text}")
        wrong += leave(other) + leave(one)
    session, display = setting.review(container)
    with session:
        if "cannot be read" in display.text:
            wrong.append(display.text)
        wrong += leave(session, "y")
    return wrong


def changed(setting, _) -> list[str]:
    """The container changes under the review between any two keys."""
    chance = random.Random(setting.seed)
    keys = ["f", "a\r", "v", "G", " ", "/", "i\r", "n", "a", "y", "\x1b", "H", "\r", "R", "y", "\x1b", "A", "F", "j", "\r", "s", "u", "U", "e",
            "\x1b", "x", "b", "\x1b", "q", "n", "L", "w", "j", "k", "g"]
    wrong = []
    for _ in range(6 if setting.long else 2):
        container = setting.sample("AcmeShop")
        paths = [container / containers.TARGET, container / containers.LEGACY]
        originals = {path: path.read_bytes() for path in paths if path.exists()}
        session, display = setting.review(container)
        with session:
            for _ in range(60):
                path = chance.choice(paths)
                data = chance.choice([
                    originals.get(path), None, b"bplist00" + bytes([chance.randrange(256)]) * 40,
                    plistlib.dumps({"user_id": str(chance.random()), "rl_traits": "{}", "n": chance.randrange(9)})])
                path.unlink(missing_ok=True)
                if data is not None:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(data)
                session.press(chance.choice(keys))
                wrong += display.broken_frames()[:1]
            if session.status not in (None, 0):
                return wrong + [f"status {session.status}\n{display.text}"]
            if session.status is None:
                # One of the keys, y, copies where it does not answer.
                wrong += leave(session, "\x1b", "\x1b", "\x1b", clipboard=True)
    return wrong[:6]
