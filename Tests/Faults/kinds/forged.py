"""A stranger's container with a journal, records and copies of runs that never happened, right in every sum that needs no key. None
of it may be obeyed, whoever it belongs to, in whatever form it comes and whatever is asked.

Where a journal came along, no byte of the home changes outside of the container's state folder. Where records alone came along, a
command does what it does in the same container without them."""

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
from stranger import FORMS, World

NAME = "forged"
# With the seal that is right, nothing of it is in doubt.
BREAK = "doubt"
# Whose what came along is: ours, as after a copy, or another user's. And with a right seal, for what no run may do,
# whoever made it.
OWNERS = ("ours", "theirs", "sealed")
# Of what was extracted, which differs from another form only in how it got there.
REPRESENTATIVE = ("create", "several", "target", "folders", "rollback-target")
SHORT = 8
# Where finished runs are the user's own and none is interrupted, these apply, as they should.
APPLYING = ("apply-yes", "review")
# Those that read and say with their status that recovery is needed.
TELLING = ("plan", "inspect", "history")
# What closes a journal that nobody can read, where a person says so.
CLOSING = "recover-keep"


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    return [
        Case(NAME, form, (owner, intent.name, ask)) for form in FORMS for owner in OWNERS for intent in INTENTS.values()
        for ask in ASKS if is_wanted(form, owner, intent, ask)]


def is_wanted(form: str, owner: str, intent: Intent, ask: str) -> bool:
    if form == "zip":
        return owner == "ours" and intent.name in REPRESENTATIVE
    if owner == "sealed":
        return not intent.legitimate and (intent.journal or ask not in APPLYING)
    # Only root can give files away.
    return owner != "theirs" or os.geteuid() == 0


def run_case(setting: Setting, case: Case, result: Result) -> None:
    owner, intent, ask = case.words
    key = seals.key() if owner == "sealed" else None
    result.judge(case, judged(setting, case.job, owner, INTENTS[intent], ASKS[ask], key))


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
