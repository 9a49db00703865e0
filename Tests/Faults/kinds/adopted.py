"""What came along and is adopted does what it showed; discarded, it is moved aside whole. Here effects are wanted: a command that
did nothing at all would come out wrong, as it would come out right elsewhere."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import asking
import forger
import genuine
import stranger
from asking import Answer, Ask
from forger import INTENTS, RUN, Intent
from setting import Case, Result, Setting
from stranger import World

NAME = "adopted"
ADOPT = Ask("adopt", ("recover", "PATH", "--adopt", "--yes"))
ADOPT_NO = Ask("adopt-no", ("recover", "PATH", "--adopt"), lines="n\n")
ADOPT_RUN = Ask("adopt-run", ("recover", "PATH", "--adopt", "--run", RUN, "--yes"))
DISCARD = Ask("discard", ("recover", "PATH", "--discard", "--yes"))
DISCARD_RUN = Ask("discard-run", ("recover", "PATH", "--discard", "--run", RUN, "--yes"))
HISTORY = Ask("history", ("history", "PATH", "--json"))
ROLLBACK = Ask("rollback", ("rollback", "PATH", "--yes"))
ROLLBACK_RUN = Ask("rollback-run", ("rollback", "PATH", "--run", RUN, "--yes"))
APPLY = Ask("apply", genuine.APPLY)
SHORT = (
    ("package", "target", "adopt"), ("bare", "create", "adopt"), ("package", "target", "discard"),
    ("bare", "rollback-target", "adopt-run"),
)


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    if setting.short:
        return [Case(NAME, form, words) for form, *words in SHORT]
    found = []
    for form in stranger.FORMS:
        for intent in INTENTS.values():
            verbs = ("adopt", "adopt-no", "discard") if intent.journal else (("adopt-run", "discard-run") if intent.state == "done" else ())
            found += [Case(NAME, form, (intent.name, verb)) for verb in verbs]
    return found


def run_case(setting: Setting, case: Case, result: Result) -> None:
    what, verb = case.words
    intent = INTENTS[what]
    with stranger.world(setting.directory, case.job) as made:
        files = forger.forge(made, intent)
        stranger.arrive(setting.binary, made)
        judge = {"adopt": adopted, "adopt-no": declined, "discard": discarded, "discard-run": discarded, "adopt-run": rolled_back}[verb]
        result.judge(case, judge(setting, made, intent, files, verb))


def wanted_status(answer: Answer, *statuses: int) -> list[str]:
    return [] if answer.status in statuses else [f"it ended with {answer.line} instead of {statuses}"]


def effect(made: World, start: stranger.Snapshot, path: str, content: bytes | None) -> list[str]:
    """Whether one file came to have these bytes, or to be gone, and nothing else changed but the run's temporaries."""
    place = str((made.root / path).relative_to(made.home))
    now = stranger.snapshot(made)
    # Its temporaries stand beside the file; what is there under their names goes with the run.
    own = {place, *(str(Path(place).with_name(name)) for name in stranger.LEFTOVERS)}
    wrong = stranger.differences(
        {name: entry for name, entry in now.items() if name not in own}, {name: entry for name, entry in start.items() if name not in own},
    )
    found = now.get(place)
    if (found and found[-1]) != content:
        wrong.append(f"{path} does not hold what was shown")
    return wrong


def adopted(setting: Setting, made: World, intent: Intent, files: list, verb: str) -> list[str]:
    start = stranger.snapshot(made)
    answer = asking.answer(setting.binary, ADOPT, made)
    if not intent.legitimate:
        named = not intent.readable or any(Path(file.path).name in answer.text for file in files)
        wrong = [] if named else [f"it does not name the file: {answer.line}"]
        return wrong + wanted_status(answer, 5) + stranger.differences(stranger.snapshot(made), start)
    # What waits under the names of the run's temporaries is not what was shown.
    wrong = wanted_status(answer, 5, 1) + stranger.differences(stranger.snapshot(made), start)
    clear(made)
    start = stranger.snapshot(made)
    answer = asking.answer(setting.binary, ADOPT, made)
    wrong += wanted_status(answer, 0) + effect(made, start, files[0].path, files[0].after)
    if not made.path.exists():  # a property list by itself, which is what was removed
        return wrong
    again = asking.answer(setting.binary, HISTORY, made)
    if '"came-along"' in again.text or again.status != 0:
        wrong.append(f"it is not the user's own afterwards: {again.line}")
    # It can be taken back like any other.
    asking.answer(setting.binary, ROLLBACK, made)
    return wrong + effect(made, start, files[0].path, files[0].before)


def clear(made: World) -> None:
    """Removes what was planted under the names of the run's temporaries."""
    for name in stranger.LEFTOVERS:
        for path in made.home.rglob(name):
            path.unlink()


def declined(setting: Setting, made: World, intent: Intent, files: list, verb: str) -> list[str]:
    start = stranger.snapshot(made)
    answer = asking.answer(setting.binary, ADOPT_NO, made)
    return wanted_status(answer, 1, 5, 64) + stranger.differences(stranger.snapshot(made), start)


def rolled_back(setting: Setting, made: World, intent: Intent, files: list, verb: str) -> list[str]:
    """A finished run, adopted, may be taken back; before, or where no run may touch its files, it is not."""
    clear(made)
    start = stranger.snapshot(made)
    wrong = wanted_status(asking.answer(setting.binary, ROLLBACK_RUN, made), 5)
    wrong += stranger.differences(stranger.snapshot(made), start)
    answer = asking.answer(setting.binary, ADOPT_RUN, made)
    wrong += wanted_status(answer, 0 if intent.legitimate else 5)
    wrong += stranger.differences(stranger.snapshot(made), start)
    back = asking.answer(setting.binary, ROLLBACK_RUN, made)
    if not intent.legitimate:
        return wrong + wanted_status(back, 5) + stranger.differences(stranger.snapshot(made), start)
    return wrong + wanted_status(back, 0) + effect(made, start, files[0].path, files[0].before)


def discarded(setting: Setting, made: World, intent: Intent, files: list, verb: str) -> list[str]:
    """Everything is moved to the folder for it, and nothing is lost; then all is as if it had never come."""
    start, held = stranger.snapshot(made), contents(made)
    answer = asking.answer(setting.binary, {"discard": DISCARD, "discard-run": DISCARD_RUN}[verb], made)
    wrong = wanted_status(answer, 0) + stranger.differences(stranger.snapshot(made), start)
    lost = held - contents(made)
    if lost:
        wrong.append(f"{sum(lost.values())} files of the state folder are lost")
    if not (made.state / "discarded" / "1").is_dir():
        wrong.append("discarded/1 was not made")
    if (made.state / "journal.json").exists():
        wrong.append("the journal is still in its place")
    again = asking.answer(setting.binary, APPLY, made)
    return wrong + wanted_status(again, 0) + (plain(made) if intent.readable else [])


def contents(made: World) -> Counter:
    return Counter(path.read_bytes() for path in made.state.rglob("*") if path.is_file() and path.name != "lock")


def plain(made: World) -> list[str]:
    """Whether the state folder holds one run, which was made just now."""
    runs = [path.name for path in (made.state / "runs").iterdir()]
    return [] if len(runs) == 1 and RUN not in runs else [f"the runs are {runs}"]
