"""Makes the fixtures of the version that is built here: what it leaves in containers, killed at certain calls too.

    python3 -B make-fixtures.py --build .build/debug OUT

Run it as an ordinary user, before a release, and commit OUT under the release's version. Fixtures are never made again:
they are what that version wrote, and every later one has to read it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TESTS / "Faults"), str(TESTS / "Faults" / "kinds")]

import containers as faulted  # noqa: E402
import jobs  # noqa: E402
import library  # noqa: E402
from run import TRACED, Fault, points, run  # noqa: E402
from setting import Setting  # noqa: E402

NAME = faulted.NAME
RUN = [*jobs.CHOICES, *jobs.MOMENT]


class Maker:
    def __init__(self, build: Path, out: Path, place: Path):
        self.binary, self.probe, self.out, self.place = build / "carryover", build / "LibraryProbe", out, place

    def container(self, name: str, **options) -> Path:
        root = self.place / name / NAME
        faulted.make(root, **options)
        return root

    def do(self, *words, status: int = 0) -> None:
        ended = run([self.binary, *words])
        if ended.status != status:
            sys.exit(f"{' '.join(map(str, words))} ended with {ended.status}: {ended.text}")

    def apply(self, root: Path, *more) -> None:
        self.do("apply", root, *RUN, *more, "--yes")

    def runs(self) -> None:
        """Runs that have ended."""
        root = self.container("applied")
        self.apply(root)
        root = self.container("rolled-back")
        self.apply(root)
        self.do("rollback", root, "--yes")
        root = self.container("partly-rolled-back")
        self.apply(root)
        self.do("rollback", root, "--only", "traits", "--only", "user_id", "--yes")
        root = self.container("cleaned-up", cached=True)
        self.apply(root)
        self.do("cleanup", root, *jobs.CHOICES, "--yes")
        folder = self.place / "bare-list"
        folder.mkdir()
        (folder / f"{faulted.SAMPLES.BUNDLE_ID}.plist").write_bytes(faulted.SAMPLES.binary(faulted.SAMPLES.good_values()))
        self.apply(folder / f"{faulted.SAMPLES.BUNDLE_ID}.plist")

    def killed(self, name: str, steps, words, call_prefix: str, part: str, index: int = 0, **options) -> None:
        """A run killed as it enters a call: the one of a number whose arguments hold a part of a path."""
        root = self.container(name, **options)
        for step in steps:
            step(root)
        trial = self.place / f"{name}-trial" / NAME
        shutil.copytree(root, trial)
        log = self.place / "trace"
        ended = run([self.binary, *words(trial)], strace=TRACED, log=log)
        at = [one for one in points(ended.log, trial) if one.call.startswith(call_prefix) and part in one.text][index]
        shutil.rmtree(trial.parent)
        fault = Fault(at.call, at.nth, "signal=KILL")
        ended = run([self.binary, *words(root)], strace=["-e", f"trace={at.call}", *fault.arguments], log=log)
        if ended.status != -9:
            sys.exit(f"{name} ended with {ended.status}: {ended.text}")

    def kills(self) -> None:
        apply = lambda root: ["apply", root, *RUN, "--yes"]  # noqa: E731
        cleanup = lambda root: ["cleanup", root, *jobs.CHOICES, "--yes"]  # noqa: E731
        back = lambda root: ["rollback", root, "--yes"]  # noqa: E731
        target = Path(faulted.TARGET).name
        self.killed("killed-undecided", [], apply, "openat", ".carryover/journal.json.tmp")
        self.killed("killed-decided", [], apply, "rename", f"Preferences/{target}")
        self.killed("killed-new-file", [], apply, "rename", f"Preferences/{target}", target=False)
        self.killed("killed-in-cleanup", [self.apply], cleanup, "rename", Path(faulted.CACHED).name, cached=True)
        self.killed("killed-in-rollback", [self.apply], back, "rename", f"Preferences/{target}")
        self.killed("killed-ending", [], apply, "unlink", ".carryover/journal.json")

    def saved(self) -> None:
        """Decisions of reviews, and a plan."""
        sys.path.insert(0, str(TESTS / "Terminals"))
        from session import Session

        for name, ending in (("saved-decisions", b"qy"), ("saved-decisions-draft", None)):
            root = self.container(name)
            session = Session([self.binary, root, *RUN])
            session.settle()
            for key in [b"g", b" ", b"j", b"e", b"\x15", b"u-2002", b"\r", b"j", b"s"]:
                session.type(key)
                session.settle()
            if ending is None:
                session.wait("the draft", (root / ".carryover/review.json.draft").exists)
                session.signal(9)
            else:
                for key in (b"q", b"y"):
                    session.type(key)
                    session.settle()
            session.ended()
        root = self.container("saved-plan")
        decided = ["--set", "user_id=u-2002", "--skip", "session_id"]
        self.do("plan", root, *RUN, *decided, "-o", root.parent / "plan.json")

    def app(self) -> None:
        """What an app that embeds the library leaves: the mark of its restoration, and a router's notes."""
        setting = Setting(self.binary, self.place)
        restored = self.place / "restored"
        shutil.copytree(library.prepared(setting, "restore"), restored)
        self.started(setting, "restore", restored)
        with library.home_of(setting, "route") as folder:
            home, log = Path(folder) / "home", self.place / "trace"
            library.app(setting, "run", "route", home, TRACED, log)
            writes = library.written(log.read_text(), home)
        for value in ("stamp", "theme"):
            renames = [one for one in writes if one.call.startswith("rename") and f"/{value}." in one.text]
            # The note is in place, and so is the value; what it was made of is not removed.
            last = [one for one in renames if "-removal" not in one.text][-1]
            at = writes[writes.index(last) + 1]
            home = self.place / f"routed-{value}"
            shutil.copytree(library.prepared(setting, "route"), home)
            strace = ["-e", f"trace={at.call}", "-e", f"inject={at.call}:signal=KILL:when={at.nth}"]
            ended = library.app(setting, "run", "route", home, strace, self.place / "trace")
            if ended.status != -9:
                sys.exit(f"routed-{value} ended with {ended.status}: {ended.text}")
        shutil.rmtree(self.place / "library-restore")
        shutil.rmtree(self.place / "library-route")

    def started(self, setting: Setting, job: str, home: Path) -> None:
        ended = library.app(setting, "run", job, home)
        if ended.status != 0:
            sys.exit(f"{job} ended with {ended.status}: {ended.text}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=Path(".build/debug"))
    parser.add_argument("out", type=Path)
    choice = parser.parse_args()
    if os.geteuid() == 0:
        sys.exit("An ordinary user's files are wanted: run this as one.")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = str(Path(folder) / "state")  # where the command keeps its key
        place = Path(folder) / "acme"
        place.mkdir()
        maker = Maker(choice.build.resolve(), choice.out, place)
        maker.runs()
        maker.kills()
        maker.saved()
        maker.app()
        (place / "trace").unlink(missing_ok=True)
        shutil.copytree(place, choice.out)


if __name__ == "__main__":
    main()
