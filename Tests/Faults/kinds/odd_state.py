"""State folders that no Carryover would make: links, pipes and folders in the place of files, and sizes beyond reason.
Nothing outside of them is touched, and every command ends within seconds and a bounded memory."""

import json
import os
import shutil
from pathlib import Path
from typing import Callable

import asking
import forger
import oracle
import stranger
from asking import ASKS, Ask
from forger import INTENTS, RUN
from kinds import forged
from setting import Case, Result, Setting
from stranger import World

NAME = "odd-state"
SECONDS, MEMORY = 10, 160 << 10  # of a debug build; MEMORY in KiB
MORE = {
    f"{verb}{suffix}": Ask(f"{verb}{suffix}", ("recover", "PATH", f"--{verb}", *words, "--yes"))
    for verb in ("adopt", "discard") for suffix, words in (("", ()), ("-run", ("--run", RUN)))
}
ASKED = (
    "apply-yes", "cleanup-yes", "rollback-yes", "rollback-run", "recover-yes", "recover-keep", "prune", "plan", "inspect",
    "report", "history", "review", "review-lines", "browse", *MORE,
)
SHORT = 10
ZEROS = "49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14"  # the sum of 1 GiB of them

FILES: dict[str, Callable[[World], Path]] = {
    "state": lambda made: made.state,
    "journal": lambda made: made.state / "journal.json",
    "runs": lambda made: made.state / "runs",
    "run": lambda made: made.state / "runs" / RUN,
    "record": lambda made: made.state / "runs" / RUN / "record.json",
    "after": lambda made: made.state / "runs" / RUN / "after",
    "copy": lambda made: next((made.state / "runs" / RUN / "after").iterdir()),
    "lock": lambda made: made.state / "lock",
    "discarded": lambda made: made.state / "discarded",
    "review": lambda made: made.state / "review.json",
}


def linked(path: Path, home: Path) -> None:
    """A link to what was there, which is in the user's home now."""
    away = home / "Elsewhere"
    if path.exists():
        path.rename(away)
    else:
        away.mkdir()
    path.symlink_to(away)


def dangling(path: Path, home: Path) -> None:
    clear(path)
    path.symlink_to(home / "made-through-a-link")


def clear(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def replaced(make: Callable[[Path], object]) -> Callable[[Path, Path], None]:
    def place(path: Path, home: Path) -> None:
        clear(path)
        make(path)

    return place


ODDITIES: dict[str, Callable[[Path, Path], None]] = {
    "link": linked, "dangling": dangling, "fifo": replaced(os.mkfifo), "folder": replaced(Path.mkdir),
    "file": replaced(lambda path: path.write_bytes(b"x")), "unreadable": replaced(lambda path: path.touch(0)),
}


def lengthened(path: Path, member: str, count: int) -> None:
    """Repeats a document's first item. What the command takes of memory is measured with what this process takes when it
    starts it, so the text is never here as a whole."""
    document = json.loads(path.read_text())
    text = json.dumps(document[member][0])
    document[member] = ["ITEMS"]
    start, end = json.dumps(document).split('"ITEMS"')
    with path.open("w") as file:
        file.write(start + text)
        for _ in range(count - 1):
            file.write("," + text)
        file.write(end)


def many_operations(made: World, count: int) -> None:
    lengthened(FILES["journal"](made), "operations", count)
    lengthened(FILES["record"](made), "files", count)


def sparse_copy(made: World) -> None:
    """A copy of 1 GiB that takes no room, with a right sum."""
    size = 1 << 30
    os.truncate(FILES["copy"](made), 0)
    os.truncate(FILES["copy"](made), size)
    for path, member in ((FILES["journal"](made), "operations"), (FILES["record"](made), "files")):
        document = json.loads(path.read_text())
        document[member][0]["after"].update(size=size, sha256=ZEROS)
        path.write_text(json.dumps(document))


def many_runs(made: World, count: int) -> None:
    for number in range(2, count):
        (made.state / "runs" / f"20250101T000000Z-{number}").mkdir()


SIZES: dict[str, Callable[[World], None]] = {
    "operations": lambda made: many_operations(made, 200_000),
    "65-operations": lambda made: many_operations(made, 65),
    "copy": sparse_copy,
    "runs": lambda made: many_runs(made, 20_000),
}


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    places = [("package", f"{file}-{oddity}") for file in FILES for oddity in ODDITIES]
    places += [("bare", what) for what in ("state-link", "journal-fifo", "copy-link")]
    kinds = {"size": [("package", what) for what in SIZES], "place": places}
    return [Case(NAME, kind, (form, what, ask)) for kind, found in kinds.items() for form, what in found for ask in ASKED]


def run_case(setting: Setting, case: Case, result: Result) -> None:
    form, what, name = case.words
    ask = {**ASKS, **MORE}[name]
    with stranger.world(setting.directory, form) as made:
        forger.forge(made, INTENTS["rollback-target" if what == "runs" else "target"])
        if case.job == "size":
            SIZES[what](made)
            harmless = what == "runs"
        else:
            file, oddity = what.split("-")
            ODDITIES[oddity](FILES[file](made), made.home)
            # With one of these gone or of no use, what is left may be no journal, so that the command has its way.
            harmless = file in ("state", "discarded", "review", "lock") or oddity == "dangling"
        like = forged.without(setting.binary, setting.directory, form, "ours", ask)[0] if harmless else None
        result.judge(case, looked(setting, made, ask, like))


def looked(setting: Setting, made: World, ask: Ask, like: stranger.Snapshot | None) -> list[str]:
    start = stranger.snapshot(made)
    answer = asking.answer(setting.binary, ask, made)
    now = stranger.snapshot(made)
    wrong = stranger.differences(now, start)
    if wrong and like is not None and not stranger.differences(now, start, {**start, **like}):
        wrong = []
    if answer.status not in oracle.STATUSES:
        wrong.append(f"it ended with {answer.line}")
    if answer.seconds > SECONDS or answer.peak > MEMORY:
        wrong.append(f"it took {answer.seconds:.1f} s and {answer.peak >> 10} MiB")
    return wrong
