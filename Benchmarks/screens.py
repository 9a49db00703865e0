#!/usr/bin/env python3
"""Races Carryover's screens against tig, less and visidata on a pseudo-terminal, and prints ratios from one run.

Usually started by run.sh, which builds the command and makes the data. Needs Python 3.9, nothing else.
"""

import argparse
import itertools
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "Packaging"))

import symbols
from goals import OURS, judge
from pseudo_terminal import Expected, NothingPainted, Session

HERE = Path(__file__).resolve().parent
SIZE = (120, 40)
DOWN, PAGE_DOWN = b"j", b"\x1b[6~"
WRITE_KEY = "1xAcmeWriteKey"
SILENCE = 3


class Program:
    """A program with something to show, and the keys that do the same thing in each."""

    def __init__(self, name, command, expected, folder=None, end=b"G", search=b"/", times=1):
        self.name, self.command, self.folder = name, command, folder
        # What is on the screen, and how often, once its first frame is complete.
        self.expected = Expected(expected, times)
        self.end, self.search = end, search

    def open(self, size, home):
        environment = {
            "HOME": str(home), "PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8", "TZ": "UTC", "GIT_CONFIG_NOSYSTEM": "1",
        }
        return Session(self.command, size, environment, self.folder)


# ---- Who races ----


def browser(asked):
    # The last row that fits: where it is on the screen, all are.
    return Program(
        OURS, [asked.carryover, "browse", asked.data / "Large.xcappdata"], b"key000030", end=b"\x1b[F")


def review(asked, container):
    return Program(
        OURS, [asked.carryover, container, "--write-key", WRITE_KEY], b"rudder\\.app_build", end=b"\x1b[F")


def less(asked):
    return Program("less", ["less", asked.data / "large.txt"], b"key000038")


def visidata(asked):
    # It would fetch a message of the day otherwise.
    command = [asked.visidata, "--motd-url", "", asked.data / "large.csv"]
    return Program("visidata", command, b"key000030")


def tig(name, repository):
    """tig on a repository, first painted once every row has its date."""
    return Program(
        name, ["tig"], rb"\d{4}-\d\d-\d\d \d\d:\d\d", folder=repository, end=b"\x1b[F", times=SIZE[1] - 2)


# ---- Measuring ----


def first_paints(programs, rounds, home):
    """Seconds to the first frame, and of processor time, the programs in turn: ours until its last byte, a peer's until
    all its rows are there."""
    times = {program.name: [] for program in programs}
    for number in range(rounds + 1):
        for program in programs:
            with program.open(SIZE, home) as session:
                paint = session.painted(program.expected)
            if number > 0:  # the first of each only brings files into the page cache
                end = paint.last if program.name == OURS else paint.first
                times[program.name].append((end, paint.processor))
    return times


def loaded(programs, rounds, home):
    """Seconds until everything is read and nothing changes on the screen any more."""
    times = {program.name: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            with program.open(SIZE, home) as session:
                paint = session.painted(program.expected, quiet=0.5)
                times[program.name].append((paint.last, paint.processor))
    return times


def moves(programs, count, home, rows=6):
    """The paint of each of `count` cursor moves on a screen that does not scroll, the programs in turn."""
    steps = [DOWN] * rows + [b"k"] * rows
    paints = {program.name: [] for program in programs}
    with Opened(programs, SIZE, home) as sessions:
        for key in itertools.islice(itertools.cycle(steps), count):
            for name, session in sessions.items():
                paints[name].append(session.press(key))
    return paints


def presses(programs, keys_of, home, count=20):
    """Seconds of each press of the keys that `keys_of(program, number)` gives, the programs in turn."""
    by_name = {program.name: program for program in programs}
    times = {name: [] for name in by_name}
    with Opened(programs, SIZE, home) as sessions:
        for number in range(count):
            for name, session in sessions.items():
                before, keys = keys_of(by_name[name], number)
                if before:
                    session.prepare(before)
                times[name].append(timed(session.press(keys)))
    return times


def timed(paint):
    return paint.last, paint.processor


def page_down(program, _):
    return None, PAGE_DOWN


def to_the_end(program, number):
    return b"\x1b[H" if program.name == OURS or program.name.startswith("tig") else b"g" if number else None, program.end


def search_of(keys):
    """Typing a search that finds the last tenth of the data, in one write, from the first row."""

    def typed(program, number):
        wanted = b"key%06d\r" % (keys * 9 // 10 + number * 7)
        return program.search, wanted

    return typed


# A key, what it is called, and the keys that lead back from what it opens.
KEYS_OVER_ALL = (
    ("j", b"j", b""), ("G", b"G", b""), ("g", b"g", b""), ("a page", PAGE_DOWN, b"g"), ("a search", b"/", b"\x1b"),
    ("a letter of a search", b"/a", b"\x1b"), ("a filter", b"fa", b"\x1b"), ("A", b"A", b"\x1b"), ("w", b"w", b""),
    ("G of w", b"G", b"\x1b"), ("a pane", b"\t", b""), ("G of a pane", b"G", b"1"), ("v", b"v", b""), ("G", b"G", b""),
    ("space", b" ", b""), ("u", b"u", b""), ("U", b"U", b"u"), ("e", b"e", b"\x1b"), ("details", b"\r", b"\x1b"),
    ("?", b"?", b"\x1b"), ("L", b"L", b"\x1b"), ("H", b"H", b"\x1b"), ("R", b"R", b"\x1b"), ("a", b"a", b""),
    ("G of a", b"G", b"\x1b"), ("the stores", b"b", b"q"),
)


def slowest_key(program, home):
    """Of all the keys of a review the one that takes the most processor time: (its name, milliseconds)."""
    times = []
    with Opened([program], SIZE, home) as sessions:
        session = sessions[program.name]
        for name, key, back in KEYS_OVER_ALL:
            times.append((session.press(key).processor * 1000, name))
            if back:
                session.prepare(back)
    return max(times)[::-1]


def idle(programs, home):
    """Bytes written and processor ticks used in three seconds without a key."""
    with Opened(programs, SIZE, home) as sessions:
        return {name: session.stays_silent(SILENCE) for name, session in sessions.items()}


class Opened:
    """Every program on a terminal of its own, painted and loaded."""

    def __init__(self, programs, size, home):
        self.programs, self.size, self.home = programs, size, home
        self.sessions = {}

    def __enter__(self):
        for program in self.programs:
            session = program.open(self.size, self.home)
            self.sessions[program.name] = session
            # On a smaller screen the row that is waited for need not be in sight.
            session.painted(program.expected if self.size == SIZE else None, quiet=0.5)
        return self.sessions

    def __exit__(self, *_):
        for session in self.sessions.values():
            session.__exit__()


# ---- Telling ----


class Table:
    """What was measured: printed as it comes, kept for the goals."""

    def __init__(self):
        self.results = {}

    def times(self, race, times):
        """Of each program what it took by the wall clock and by the processor; the goals are for the wall clock."""
        print(race)
        ours = None
        for name, values in times.items():
            walls, processors = sorted(wall for wall, _ in values), [used for _, used in values]
            median = statistics.median(walls)
            self.results.setdefault(race, {})[name] = (median, len(values))
            ours = median if name == OURS else ours
            ratio = "" if name == OURS or ours is None else f"  {median / ours:7.2f} x"
            late = walls[int(len(walls) * 0.95)]
            used = statistics.median(processors)
            print(f"  {name:<16}{median * 1000:>9.2f} ms  p95 {late * 1000:>9.2f}  cpu {used * 1000:>8.2f}{ratio}")
        sys.stdout.flush()

    def numbers(self, race, numbers, unit):
        self.results[race] = {name: (number, 1) for name, number in numbers.items()}
        print(race + "".join(f"\n  {name:<16}{number:>9g} {unit}" for name, number in numbers.items()), flush=True)


RACES = (
    "review-first-paint", "browse-first-paint", "browse-loaded", "review-move", "browse-move", "page-down", "end",
    "search", "idle-bytes", "idle-ticks", "binary-size", "fields-key", "fields-frame", "keys-key",
    "keys-frame", "many-first-paint", "many-move", "many-slowest", "fields-slowest", "fields-preview",
)


def race_screens(asked, table, home):
    sample = home / "AcmeShop.xcappdata"
    shutil.copytree(HERE.parent / "Examples" / "AcmeShop.xcappdata", sample)
    made = tig("tig", asked.data / "repository")
    peers = [made]
    own = HERE.parent
    if (own / ".git").exists():
        peers.append(tig("tig-carryover", own))
    if asked.tig_repository:
        peers.append(tig("tig-tig", asked.tig_repository))
    many = [browser(asked), less(asked)] + ([visidata(asked)] if asked.visidata else [])
    ours = review(asked, sample)

    table.times("review-first-paint", first_paints([ours, *peers, less(asked)], asked.rounds, home))
    table.times("browse-first-paint", first_paints([*many, made], asked.rounds, home))
    table.times("browse-loaded", loaded([*many, made], max(1, asked.rounds // 5), home))

    paints = moves([ours, *peers], asked.moves, home)
    table.times("review-move", {name: [*map(timed, values)] for name, values in paints.items()})
    paints = moves([*many, made], asked.moves, home, rows=30)
    table.times("browse-move", {name: [*map(timed, values)] for name, values in paints.items()})
    table.times("page-down", presses([*many, made], page_down, home))
    table.times("end", presses([*many, made], to_the_end, home))
    table.times("search", presses(many, search_of(asked.keys), home, count=10))

    legacy = home / "Legacy.xcappdata"
    shutil.copytree(asked.data / "Legacy.xcappdata", legacy)
    large = review(asked, legacy)
    table.times("many-first-paint", first_paints([large], max(3, asked.rounds // 3), home))
    used = [paint.processor * 1000 for paint in moves([large], asked.moves // 4, home)[OURS]]
    table.numbers("many-move", {OURS: statistics.median(used)}, "ms of processor time")
    name, used = slowest_key(large, home)
    table.numbers("many-slowest", {OURS: used}, f"ms of processor time, by {name}")

    silence = idle([ours, made, *many[2:]], home)
    table.numbers("idle-bytes", {name: count for name, (count, _) in silence.items()}, f"bytes in {SILENCE} s")
    table.numbers("idle-ticks", {name: ticks for name, (_, ticks) in silence.items()}, f"ticks in {SILENCE} s")
    if sys.platform == "linux":
        table.numbers("binary-size", {OURS: len(symbols.split(asked.carryover)[0]) / 1e6}, "MB, as it is shipped")


def race_in_process(asked, table):
    """What a key and a frame cost with 100,000 fields or keys, as a ratio to what they cost with a few."""
    done = subprocess.run([asked.review_cost, str(asked.keys)], capture_output=True, text=True, check=True)
    measured = {}
    print("in process, median of a key or a frame")
    for line in done.stdout.splitlines():
        what, size, count, nanoseconds = line.split()
        measured[what, size, count] = float(nanoseconds)
    for (what, size, count), nanoseconds in measured.items():
        if count == "few":
            many = measured[what, size, "many"]
            print(f"  {what:<14}{size:>8}{nanoseconds / 1000:>10.1f} µs few{many / 1000:>10.1f} µs many")
            if size == f"{SIZE[0]}x{SIZE[1]}":
                table.results[what] = {OURS: (many, 1), "few": (nanoseconds, 1)}
    frames = [time for (what, size, _), time in measured.items()
              if what.endswith("-frame") and size == f"{SIZE[0]}x{SIZE[1]}"]
    table.results["slowest-frame"] = {OURS: (max(frames) / 1e6, 1)}
    over_all = {what: many for (what, _, count), many in measured.items() if what.startswith("all-") and count == "many"}
    # Every change is laid out before the first is shown, so that none can be agreed to unseen.
    table.results["fields-preview"] = {OURS: (over_all.pop("all-a") / 1e6, 1)}
    table.results["fields-slowest"] = {OURS: (max(over_all.values()) / 1e6, 1)}


def options():
    parser = argparse.ArgumentParser(description="Races Carryover's screens against tig, less and visidata.")
    parser.add_argument("--data", type=Path, required=True, help="what make-screen-data.py made")
    parser.add_argument("--keys", type=int, default=100_000, help="how many keys that has (default 100,000)")
    parser.add_argument("--carryover", type=Path, required=True, help="the command, built for release")
    parser.add_argument("--review-cost", type=Path, help="the program that measures the review in process")
    parser.add_argument("--visidata", help="visidata's command; not raced against without it")
    parser.add_argument("--tig-repository", type=Path, help="tig's own repository, to race it on that as well")
    parser.add_argument("--rounds", type=int, default=15, help="starts of each program (default 15)")
    parser.add_argument("--moves", type=int, default=200, help="moves of the cursor in each (default 200)")
    parser.add_argument("--small-data", action="store_true", help="the data is not of full size: judge no goal")
    parser.add_argument("--no-fail", action="store_true", help="status 0 even if a goal is missed")
    return parser.parse_args()


def main():
    asked = options()
    asked.carryover, asked.data = asked.carryover.resolve(), asked.data.resolve()
    table = Table()
    print(f"wall time on a pseudo-terminal of {SIZE[0]}x{SIZE[1]}, median, the programs in turn; "
          "x: how many times our time the peer took\n")
    try:
        with tempfile.TemporaryDirectory() as home:
            race_screens(asked, table, Path(home))
        if asked.review_cost:
            race_in_process(asked, table)
    except (NothingPainted, subprocess.CalledProcessError) as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 1
    missed = judge(table.results, RACES, full_size=not asked.small_data)
    return 1 if missed and not asked.no_fail else 0


if __name__ == "__main__":
    sys.exit(main())
