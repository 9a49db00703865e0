#!/usr/bin/env python3
"""Measures the command against its budget: what a start, a key, a large file and an audit may cost. Linux only.

    python3 Benchmarks                  everything, in a few minutes; status 1 if something costs more
    python3 Benchmarks --quick          a fiftieth of the data, which judges nothing: does it all work?

Needs a release build, and Python's standard library alone. README.md says what each number is.
"""

import argparse
import json
import os
import plistlib
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True
REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.append(str(REPOSITORY / "Tests/Terminals"))

from session import Session, plain_environment  # noqa: E402

SAMPLE = REPOSITORY / "Examples/AcmeShop.xcappdata"
PLAN = ["--write-key", "1xAcmeWriteKey", "--now", "2025-11-20T12:05:00Z"]
# What is measured, and what it may cost at most.
BUDGET = {
    "review: first paint": (30, "ms cpu"),
    "review: a move": (5, "ms cpu"),
    "idle for 3 s: bytes": (0, "bytes"),
    "idle for 3 s: processor": (1, "ms cpu"),
    "stores of 100,000 keys: first paint": (60, "ms cpu"),
    "stores of 100,000 keys: a move": (5, "ms cpu"),
    "stores of 100,000 keys: a page": (5, "ms cpu"),
    "100,000 legacy keys: first paint": (1000, "ms cpu"),
    "100,000 legacy keys: a move": (5, "ms cpu"),
    "100,000 legacy keys: the slowest key": (150, "ms cpu"),
    "apply: the whole command": (60, "ms cpu"),
    "report of 1,000,000 keys": (4000, "ms cpu"),
    "report of 1,000,000 keys: memory": (300, "MB"),
    "inspect of 1,000,000 keys": (4000, "ms cpu"),
    "inspect of 1,000,000 keys: memory": (300, "MB"),
    "inspect --json of 1,000,000 keys": (4000, "ms cpu"),
    "inspect --json of 1,000,000 keys: memory": (300, "MB"),
    "audit: a container": (2.5, "ms cpu"),
    "audit: two workers, of the time of one": (0.56, ""),
    "audit of 1,000,000 inputs: memory of the parent": (64, "MB"),
    "the command as it is shipped": (22, "MB"),
}
# Keys over all fields, and the keys that lead back from what each opens.
KEYS = [
    (b"j", b""), (b"G", b""), (b"g", b""), (b"\x1b[6~", b"g"), (b"/a", b"\x1b"), (b"fa", b"\x1b"), (b"A", b"\x1b"), (b"w", b"\x1b"), (b"v", b""),
    (b"G", b""), (b" ", b""), (b"u", b""), (b"U", b"u"), (b"e", b"\x1b"), (b"\r", b"\x1b"), (b"?", b"\x1b"), (b"H", b"\x1b"), (b"R", b"\x1b"),
]
# An identified user's keys, as the legacy SDK writes them.
USER = {
    "rl_anonymous_id": "9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642", "rl_session_id": 1_763_640_000,
    "rl_session_auto_track_status": True, "rl_last_event_time_stamp": 1_763_640_123,
    "rl_application_version_key": "4.2.0", "rl_application_build_key": "4.2.0-rc1",
    "rl_traits": '{"anonymousId":"9f1c2a7e-6b0d-4c35-8e21-5d7f03a9b642","userId":42,"email":"ada@example.test"}',
}


class Screen(Session):
    def painted(self, expected: bytes) -> float:
        """Milliseconds of processor time until all is painted."""
        self.wait(f"the first frame with {expected!r}", lambda: expected in self.output)
        self.settle()
        return self.processor()

    def cost(self, keys: bytes) -> float:
        """Milliseconds of processor time for keys that are sent in one write."""
        used = self.processor()
        self.press(keys)
        return self.processor() - used

    def processor(self) -> float:
        """Milliseconds of processor time so far, which Linux counts to the nanosecond."""
        return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[0]) / 1e6


class Bench:
    def __init__(self, command: Path, folder: Path, share: int):
        self.command, self.folder, self.share = command, folder, share
        os.environ["XDG_STATE_HOME"] = str(folder / "state")
        self.missed: list[str] = []

    def tell(self, name: str, value: float) -> None:
        limit, unit = BUDGET[name]
        over = value > limit
        self.missed += [name] if over else []
        print(f"{name:<50}{value:>10.2f} of {limit:g} {unit}{'  OVER' if over else ''}", flush=True)

    def screen(self, *arguments: object) -> Screen:
        return Screen([self.command, *arguments], columns=120, rows=40)

    def run(self, *arguments: object, status: int = 0) -> tuple[float, float, float]:
        """Milliseconds of the processor with all workers, milliseconds, and the command's own greatest memory in MB."""
        began, memory = time.monotonic(), 0
        process = subprocess.Popen(list(map(str, [self.command, *arguments])), stdout=subprocess.DEVNULL, env=plain_environment())
        while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
            try:
                text = Path(f"/proc/{process.pid}/status").read_text()
                memory = max([memory, *(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmHWM"))])
            except OSError:
                pass  # it has just ended
            time.sleep(0.005)
        _, code, used = ended
        process.returncode = os.waitstatus_to_exitcode(code)
        if process.returncode != status:
            raise SystemExit(f"bench: {' '.join(map(str, arguments))} ends with {process.returncode}")
        return (used.ru_utime + used.ru_stime) * 1000, (time.monotonic() - began) * 1000, memory / 1024

    def first_paint(self, expected: bytes, *arguments: object, rounds: int = 15) -> float:
        times = []
        # The first only brings files into the page cache.
        for _ in range(rounds + 1):
            with self.screen(*arguments) as screen:
                times.append(screen.painted(expected))
        return statistics.median(times[1:])

    def screens(self) -> None:
        keys = 100_000 // self.share
        sample = shutil.copytree(SAMPLE, self.folder / SAMPLE.name)
        self.tell("review: first paint", self.first_paint(b"app_build", sample, *PLAN))
        with self.screen(sample, *PLAN) as screen:
            screen.painted(b"app_build")
            self.tell("review: a move", moves(screen, 6))
            used, count = screen.processor(), len(screen.output)
            screen.watch(3)
            self.tell("idle for 3 s: bytes", len(screen.output) - count)
            self.tell("idle for 3 s: processor", screen.processor() - used)
        large = container(self.folder / "Large.xcappdata", {f"key{number:06d}": f"value {number}" for number in range(keys)})
        self.tell("stores of 100,000 keys: first paint", self.first_paint(b"key000030", "browse", large))
        with self.screen("browse", large) as screen:
            screen.painted(b"key000030")
            self.tell("stores of 100,000 keys: a move", moves(screen, 30))
            self.tell("stores of 100,000 keys: a page", statistics.median(screen.cost(b"\x1b[6~") for _ in range(20)))
        legacy_values = USER | {f"rl_key{number:06d}": f"value {number}" for number in range(keys)}
        legacy = container(self.folder / "Legacy.xcappdata", legacy_values, mirror=legacy_values)
        self.tell("100,000 legacy keys: first paint", self.first_paint(b"app_build", legacy, *PLAN, rounds=3))
        with self.screen(legacy, *PLAN) as screen:
            screen.painted(b"app_build")
            self.tell("100,000 legacy keys: a move", moves(screen, 6))
            slowest = 0.0
            for key, back in KEYS:
                slowest = max(slowest, screen.cost(key))
                if back:
                    screen.press(back)
            self.tell("100,000 legacy keys: the slowest key", slowest)

    def commands(self) -> None:
        costs = []
        for number in range(20):
            copy = shutil.copytree(REPOSITORY / "Examples/Clean.xcappdata", self.folder / f"clean-{number}/Clean.xcappdata")
            costs.append(self.run("apply", copy, *PLAN, "--yes")[0])
        self.tell("apply: the whole command", statistics.median(costs))
        # Names that differ, and values of which many are equal, as in an app's preferences.
        values = {f"com.acme.{number:07d}": f"v{number % 1000}" for number in range(1_000_000 // self.share)}
        large = write(self.folder / "large.plist", values)
        for words in (["report"], ["inspect"], ["inspect", "--json"]):
            rounds = [self.run(words[0], large, *words[1:]) for _ in range(3)]
            name = f"{' '.join(words)} of 1,000,000 keys"
            self.tell(name, min(cost for cost, _, _ in rounds))
            self.tell(f"{name}: memory", max(memory for _, _, memory in rounds))

    def audits(self) -> None:
        count = 2_000 // self.share
        small, large = self.folder / "containers", self.folder / "large"
        make_containers(small, count)
        # Large containers: for small ones, the process that starts the workers does a sixth of the work itself.
        make_containers(large, 500 // self.share, settings=4_000)
        # Other work on its host can slow a machine by a third for half a minute: the best round is what the command needs.
        rounds = [(self.run("audit", small, "-j", 1, *PLAN)[0], *(self.run("audit", large, "-j", workers, *PLAN)[1] for workers in (1, 2)))
                  for _ in range(5)]
        each, one, two = map(min, zip(*rounds))
        self.tell("audit: a container", each / count)
        self.tell("audit: two workers, of the time of one", two / one)
        for number in range(1_000_000 // self.share):
            if number % 1_000 == 0:
                part = self.folder / f"inputs/{number // 1_000:06d}"
                part.mkdir(parents=True)
            (part / f"{number}.zip").touch()
        # Empty archives: no container has a plan, which is status 1.
        self.tell("audit of 1,000,000 inputs: memory of the parent", self.run("audit", self.folder / "inputs", *PLAN, status=1)[2])


def write(path: Path, values: dict) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        plistlib.dump(values, file, fmt=plistlib.FMT_BINARY)
    return path


def container(path: Path, values: dict, mirror: dict | None = None) -> Path:
    """A container with these preferences.
    - mirror: what the legacy SDK keeps of them in a file of its own."""
    library = path / "AppData/Library"
    write(path / "AppDataInfo.plist", {"CFBundleIdentifier": "com.example.large"})
    write(library / "Preferences/com.example.large.plist", values)
    if mirror:
        write(library / "rsDefaultsPersistence.plist", mirror)
    return path


def make_containers(folder: Path, count: int, settings: int = 40) -> None:
    """Containers with some settings of the app and six keys of the SDK: most ids are text, some a number."""
    chance = random.Random(1)
    for number in range(count):
        values = {f"com.acme.setting{key}": f"value {key}" for key in range(settings + chance.randrange(3))}
        user = f"user-{number}" if chance.random() < 0.8 else number
        write(folder / f"{number:06d}/Library/Preferences/com.acme.shop.plist", values | {
            "rl_anonymous_id": f"anonymous-{number}", "rl_session_id": 1_700_000_000 + number, "rl_last_event_timestamp": 1_700_000_100 + number,
            "rl_traits": json.dumps({"userId": user, "email": f"{number}@example.com"}), "rl_application_version_key": "4.2.0",
            "rl_application_build_key": "420" if chance.random() < 0.9 else "4.2.0-rc1"})


def moves(screen: Screen, rows: int) -> float:
    """The median of 100 moves of the cursor that do not scroll."""
    keys = ([b"j"] * rows + [b"k"] * rows) * (100 // rows)
    return statistics.median(map(screen.cost, keys[:100]))


def main() -> int:
    parser = argparse.ArgumentParser(prog="Benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/release/carryover", help="the command, built for release")
    parser.add_argument("--quick", action="store_true", help="a fiftieth of the data: judge nothing")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        bench = Bench(arguments.binary.resolve(), Path(name), 50 if arguments.quick else 1)
        bench.tell("the command as it is shipped", arguments.binary.stat().st_size / 1e6)
        bench.screens()
        bench.commands()
        bench.audits()
    return 1 if bench.missed and not arguments.quick else 0


sys.exit(main())
