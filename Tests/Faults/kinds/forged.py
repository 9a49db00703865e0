"""A stranger's container with a journal, records and copies of runs that never happened, right in every sum that needs no key. None
of it may be obeyed, whoever it belongs to, in whatever form it comes and whatever is asked.

Where a journal came along, no byte of the home changes outside of the container's state folder. Where records alone came along, a
command does what it does in the same container without them."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

import asking
import forger
import oracle
import seals
import stranger
from asking import ASKS, Ask
from forger import INTENTS, RUN, Intent
from setting import Case, Result, Setting
from stranger import EXTRACTED, FORMS, World

NAME = "forged"
# With the seal that is right, nothing of it is in doubt.
BREAK = "doubt"
# Whose what came along is: ours, as after a copy, or another user's. And with a right seal, for what no run may do,
# whoever made it.
OWNERS = ("ours", "theirs", "sealed")
# Of what was extracted, which differs from another form only in how it got there.
REPRESENTATIVE = ("create", "several", "target", "folders", "rollback-target")
SHORT = (
    ("bare", "ours", "create"), ("package", "theirs", "several"), ("zip", "ours", "target"), ("folder", "ours", "folders"),
    ("package", "ours", "rollback-target"),
)
SHORT_ASKS = ("apply-yes", "recover-yes", "rollback-run", "history", "review", "review-lines")
# Where finished runs are the user's own and none is interrupted, these apply, as they should.
APPLYING = ("apply-yes", "review")
# Those that read and say with their status that recovery is needed.
TELLING = ("plan", "inspect", "history")
# What closes a journal that nobody can read, where a person says so.
CLOSING = "recover-keep"


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    wanted = SHORT if setting.short else [(form, owner, intent) for form in FORMS for owner in OWNERS for intent in intents(form, owner)]
    # Only root can give files away.
    return [Case(NAME, form, (owner, intent)) for form, owner, intent in wanted if owner != "theirs" or os.geteuid() == 0]


def intents(form: str, owner: str):
    if form in EXTRACTED:
        return REPRESENTATIVE if owner == "ours" else ()
    return [name for name, intent in INTENTS.items() if owner != "sealed" or not intent.legitimate]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    owner, intent, *only = case.words
    key = seals.key() if owner == "sealed" else None
    not_asked = APPLYING if owner == "sealed" and not INTENTS[intent].journal else ()
    for name in only or [name for name in (SHORT_ASKS if setting.short else ASKS) if name not in not_asked]:
        one = Case(NAME, case.job, (owner, intent, name))
        result.judge(one, judged(setting, case.job, owner, INTENTS[intent], ASKS[name], key))


def broken_cases(setting: Setting, kind: str) -> list[Case]:
    return [Case(kind, form, (BREAK, name)) for form in ("package", "bare") for name in ("recover-yes", "apply-yes", "review")]


def run_broken(setting: Setting, case: Case, result: Result) -> None:
    """What would be a forgery but for its seal, which is right: it is obeyed, and that must be found."""
    _, ask = case.words
    lines = judged(setting, case.job, "ours", INTENTS["target"], ASKS[ask], seals.key())
    result.judge(case, [line for line in lines if "other bytes" in line])


def judged(setting: Setting, form: str, owner: str, intent: Intent, ask: Ask, key: bytes | None) -> list[str]:
    with stranger.world(setting.directory, form) as made:
        forger.forge(made, intent, key=key)
        stranger.arrive(setting.binary, made)
        own(made, owner)
        start = stranger.snapshot(made)
        closes = ask.name == CLOSING and intent.journal and not intent.readable
        journal = (made.state / "journal.json").read_bytes() if closes else b""
        said = asking.answer(setting.binary, ask, made)
        like, status = None, None
        if not intent.journal and key is None:
            like, status = without(setting.binary, setting.directory, form, owner, ask)
        wrong = stranger.differences(stranger.snapshot(made), start, like)
        text = f"it ended with {said.line}"
        if said.status not in oracle.STATUSES:
            wrong.append(text)
        if key is not None:
            return wrong
        if closes:
            aside = made.state / "discarded" / "1" / "journal.json"
            if said.status != 0 or not aside.is_file() or aside.read_bytes() != journal:
                wrong.append(f"the journal was not moved aside as it is; {text}")
        elif intent.journal:
            needed = ask.writes or ask.name in TELLING
            wrong += [text] if needed and said.status not in ((1, 5) if ask.lines is not None else (5,)) else []
            wrong += [] if (RUN if intent.readable else "journal") in said.text else [f"it names no run or journal; {text}"]
        elif said.status != (5 if ask.name == "rollback-run" else status):
            wrong.append(f"{text}; without the run it ends with {status}")
        return wrong


def own(made: World, owner: str) -> None:
    for path in (made.path, made.state) if owner == "theirs" else ():
        if path.exists():
            stranger.give_away(path)


@lru_cache(maxsize=None)
def without(binary: Path, directory: Path, form: str, owner: str, ask: Ask) -> tuple[stranger.Snapshot, int]:
    with stranger.world(directory, form) as made:
        stranger.arrive(binary, made)
        own(made, owner)
        said = asking.answer(binary, ask, made)
        return stranger.snapshot(made), said.status
