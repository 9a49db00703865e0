"""A stranger's container with a journal, records and copies of runs that never happened, right in every sum that needs no
key. None of it may be obeyed, whoever it belongs to, in whatever form it comes and whatever is asked.

Where a journal came along, no byte of the home changes outside of the container's state folder. Where records alone came
along, a command does what it does in the same container without them.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from typing import Iterable, Sequence

import asking
import forger
import oracle
import seals
import stranger
from asking import ASKS, Answer, Ask
from forger import INTENTS, RUN, Change, Intent
from setting import Case, Result, Setting
from stranger import EXTRACTED, FORMS, World

NAME = "forged"
# With the seal that is right, nothing of it is in doubt.
BREAK = "doubt"
# Whose what came along is: ours, as after a copy; the state folder another user's; everything another user's. And with a
# right seal, for what no run may do, whoever made it.
OWNERS = ("ours", "state-theirs", "theirs", "sealed")
SHORT = (
    ("bare", "ours", "create"), ("package", "theirs", "several"), ("zip", "ours", "target"), ("folder", "ours", "folders"),
    ("package", "ours", "rollback-target"),
)
# For what differs from another form or owner only in how it got there.
REPRESENTATIVE = ("create", "several", "target", "folders", "rollback-target")
# Asked everywhere; the rest where nothing but the intent differs.
MOST_ASKS = (
    "apply", "apply-yes", "cleanup-yes", "rollback-yes", "rollback-run", "recover", "recover-yes", "recover-keep", "prune",
    "plan", "history-json", "review", "review-lines", "recover-terminal",
)
# None of them may have an effect on anything that the run names.
SEALED_ASKS = ("recover", "recover-keep", "rollback-yes", "rollback-run", "prune", "history", "review-yes", "review-lines")
# What closes a journal that nobody can read, where a person says so, and all that it says.
CLOSING = "recover-keep"
CLOSED = "No run is interrupted; every file stays as it is."
# Those that read and say with their status that recovery is needed.
TELLING = ("plan", "plan-json", "inspect", "history", "history-json")
SHORT_ASKS = ("apply-yes", "recover-yes", "rollback-run", "history", "review", "review-lines")


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    if setting.short:
        return [Case(NAME, form, (owner, intent)) for form, owner, intent in SHORT if may_own(owner)]
    return [
        Case(NAME, form, (owner, intent)) for form in FORMS for owner in OWNERS for intent in intents(form, owner)
        if may_own(owner)
    ]


def intents(form: str, owner: str) -> Iterable[str]:
    if owner == "sealed":
        return () if form in EXTRACTED else [name for name, intent in INTENTS.items() if not intent.legitimate]
    if form in EXTRACTED:
        return REPRESENTATIVE if owner == "ours" else ()
    return REPRESENTATIVE if owner == "state-theirs" else INTENTS


def asked(setting: Setting, form: str, owner: str) -> Sequence[str]:
    if setting.short:
        return SHORT_ASKS
    if owner == "sealed":
        return SEALED_ASKS
    return list(ASKS) if owner == "ours" and form in ("bare", "package") else MOST_ASKS


def may_own(owner: str) -> bool:
    """Only root can give files away."""
    return owner in ("ours", "sealed") or os.geteuid() == 0


def run_case(setting: Setting, case: Case) -> Result:
    result = Result(case)
    owner, intent, *only = case.words
    names = only or asked(setting, case.job, owner)
    if not may_own(owner):
        result.not_run = "only root can give files to another user"
        return result
    for name in names:
        one = Case(NAME, case.job, (owner, intent, name))
        key = seals.key() if owner == "sealed" else None
        result.judge(one, judged(setting, case.job, owner, INTENTS[intent], ASKS[name], key))
    return result


def broken_cases(setting: Setting, kind: str) -> list[Case]:
    """For the check of the check."""
    return [Case(kind, form, (BREAK, name)) for form in ("package", "bare") for name in ("recover-yes", "apply-yes", "review")]


def run_broken(setting: Setting, case: Case) -> Result:
    """What would be a forgery but for its seal, which is right: it is obeyed, and that must be found."""
    result = Result(case)
    _, ask = case.words
    lines = judged(setting, case.job, "ours", INTENTS["target"], ASKS[ask], seals.key())
    result.judge(case, [line for line in lines if "other bytes" in line])
    return result


def judged(setting: Setting, form: str, owner: str, intent: Intent, ask: Ask, key: bytes | None) -> list[str]:
    with stranger.world(setting.directory, form) as made:
        files = forger.forge(made, intent, key=key)
        stranger.arrive(setting.binary, made)
        own(made, owner)
        start = stranger.snapshot(made)
        closes = ask.name == CLOSING and intent.journal and not intent.readable
        journal = (made.state / "journal.json").read_bytes() if closes else b""
        said = asking.answer(setting.binary, ask, made)
        if owner == "sealed":
            wrong = stranger.differences(stranger.snapshot(made), start)
            return wrong + ([] if said.status in oracle.STATUSES else [f"it ended with {said.status}"])
        like, status = None, None
        if not intent.journal:
            like, status = without(setting.binary, setting.directory, form, owner, ask.name)
        wrong = stranger.differences(stranger.snapshot(made), start, like)
        if closes:
            return wrong + misclosed(made, journal, said)
        return wrong + misstated(ask, intent, files, said, status)


def own(made: World, owner: str) -> None:
    if owner == "theirs":
        stranger.give_away(made.path)
    if owner in ("state-theirs", "theirs") and made.state.is_dir():
        stranger.give_away(made.state)


@lru_cache(maxsize=None)
def without(binary: Path, directory: Path, form: str, owner: str, ask: str) -> tuple[stranger.Snapshot, int]:
    """What a command does in the same container without any state, and how it ends."""
    with stranger.world(directory, form) as made:
        stranger.arrive(binary, made)
        own(made, owner)
        said = asking.answer(binary, ASKS[ask], made)
        return stranger.snapshot(made), said.status


# ---- What is said ----


def misstated(ask: Ask, intent: Intent, files: list[Change], said: Answer, status: int | None) -> list[str]:
    """How a command that met a run which came along ended otherwise than documented, or kept silent."""
    text = " ".join(said.text.split())
    shown = text if len(text) < 400 else text[:400] + " …"
    if said.status not in oracle.STATUSES:
        return [f"it ended with {said.status}: {shown}"]
    if not intent.journal:
        return misstated_records(ask, said, status, shown)
    lines = []
    if ask.writes and said.status not in ((1, 5) if ask.lines is not None else (5,)):
        lines.append(f"it ended with {said.status} instead of 5: {shown}")
    if not intent.readable:
        return lines + ([] if "journal" in said.text else [f"it says nothing of the journal: {shown}"])
    if RUN not in said.text:
        lines.append(f"it does not name the run that came along: {shown}")
    if ask.name in TELLING and said.status != 5:
        lines.append(f"it ended with {said.status} instead of 5: {shown}")
    if ask.writes:
        words = ["carryover recover", "--adopt", "--discard", *(Path(change.path).name for change in files)]
        silent = [word for word in words if word not in said.text]
        if silent:
            lines.append(f"it does not name {', '.join(silent)}: {shown}")
    return lines


def misclosed(made: World, journal: bytes, said: Answer) -> list[str]:
    """How a journal that nobody can read was closed otherwise than by moving it aside as it is. Whose it is cannot be
    told, so that `recover --keep`, with which a person says so, is obeyed; and that touches no file and ends with 0."""
    text = " ".join(said.text.split())
    lines = []
    if said.status != 0:
        lines.append(f"it ended with {said.status} instead of 0: {text}")
    if text != CLOSED:
        lines.append(f"it does not say “{CLOSED}” alone: {text}")
    if (made.state / "journal.json").exists():
        lines.append("the journal is still there")
    aside = made.state / "discarded" / "1" / "journal.json"
    if not aside.is_file() or aside.read_bytes() != journal:
        lines.append("the journal is not among what was discarded, or not as it was")
    return lines


def misstated_records(ask: Ask, said: Answer, status: int | None, shown: str) -> list[str]:
    """The same where no journal came along: nothing is stopped by it."""
    if ask.name == "rollback-run":
        named = "--adopt" in said.text and f"--run {RUN}" in said.text
        return [] if said.status == 5 and named else [f"status {said.status}, or no way to adopt the run: {shown}"]
    lines = []
    if said.status != status:
        lines.append(f"it ended with {said.status}, and without the run with {status}: {shown}")
    shows = {"history": "from elsewhere", "history-json": '"came-along"'}.get(ask.name)
    if shows and (RUN not in said.text or shows not in said.text):
        lines.append(f"the history does not show that the run came along: {shown}")
    return lines
