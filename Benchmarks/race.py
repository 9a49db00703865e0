#!/usr/bin/env python3
"""Races Carryover's property lists against other implementations and prints ratios from one run.

Usually started by run.sh, which builds the peers and makes the data. Needs Python 3.9, nothing else.
"""

import argparse
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from goals import OURS, judge

HERE = Path(__file__).resolve().parent
PEERS = (OURS, "libplist", "foundation", "plistlib")

# A race: what is timed, and the list of files it is timed on.
RACES = {
    "read-binary": ("read", "binary"),
    "read-xml": ("read", "xml"),
    "read-small": ("read", "small"),
    "write-binary": ("write", "binary"),
    "write-xml": ("write", "xml"),
    "write-small": ("write", "small"),
}

# A peer slower than this is measured once: its best of several would tell nothing new and take minutes.
SECONDS_WORTH_REPEATING = 20
SPAWNS = 50


class RunFailed(Exception):
    """A run whose numbers cannot be compared."""


# ---- Measuring ----


def commands(build):
    return {
        OURS: [build / "release" / "CarryoverPeer"],
        "libplist": [build / "libplist_peer"],
        "foundation": [build / "release" / "FoundationPeer"],
        "plistlib": [sys.executable, HERE / "Peers" / "plistlib_peer.py"],
    }


def run_peer(command, *arguments):
    """Seconds, and the numbers the peer prints after them."""
    done = subprocess.run([str(word) for word in (*command, *arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RunFailed(f"{command[-1]} {' '.join(map(str, arguments))} failed: {done.stderr.strip()}")
    seconds, *numbers = done.stdout.split()
    return float(seconds), tuple(map(int, numbers))


def race(name, peers, data, rounds):
    """Best processor time and number of rounds of each peer, after checking that all did the same work."""
    task, listing = RACES[name]
    files = data / f"{listing}.list"
    times = {peer: [] for peer in peers}
    tallies = {}
    for number in range(rounds):
        for peer, command in peers.items():
            if number > 0 and min(times[peer]) > SECONDS_WORTH_REPEATING:
                continue
            if number > 0 or task == "read":
                seconds, numbers = run_peer(command, task, files)
                if task == "read":
                    tallies[peer] = numbers
            else:
                seconds, tallies[peer] = run_and_read_back(command, files, peers)
            times[peer].append(seconds)
    check_equal_work(name, tallies)
    return {peer: (min(measured), len(measured)) for peer, measured in times.items()}


def run_and_read_back(command, files, peers):
    """Times a write, and tallies what was written with a reader that is not the writer's own."""
    with tempfile.TemporaryDirectory() as folder:
        seconds, _ = run_peer(command, "write", files, folder)
        written = sorted(Path(folder).iterdir(), key=lambda path: int(path.name))
        if len(written) != len(files.read_text().split()):
            raise RunFailed(f"{command[-1]} did not write every file")
        with tempfile.NamedTemporaryFile("w", suffix=".list") as listing:
            listing.write("".join(f"{path}\n" for path in written))
            listing.flush()
            reader = "plistlib" if command == peers["libplist"] else "libplist"
            return seconds, run_peer(peers[reader], "read", listing.name)[1]


def check_equal_work(name, tallies):
    if len(set(tallies.values())) != 1:
        lines = [f"  {peer}: values, text bytes, data bytes {numbers}" for peer, numbers in tallies.items()]
        raise RunFailed("\n".join([f"{name}: the peers did not do the same work:", *lines]))


def measure_start_up(programs):
    """Median seconds from spawn to exit of `PROGRAM --version`, the programs in turn."""
    times = {name: [] for name in programs}
    for number in range(SPAWNS + 1):
        for name, program in programs.items():
            start = perf_counter()
            done = subprocess.run([program, "--version"], stdout=subprocess.DEVNULL, check=False)
            if done.returncode != 0:
                raise RunFailed(f"{program} --version ended with status {done.returncode}")
            if number > 0:  # the first of each only brings it into the page cache
                times[name].append(perf_counter() - start)
    return {name: (statistics.median(measured), len(measured)) for name, measured in times.items()}


# ---- Telling ----


def show(name, results):
    """One race: each peer's time, and how it stands to ours. Above 1 we are faster."""
    ours = results[OURS][0]
    cells = []
    for peer, (seconds, count) in results.items():
        ratio = "" if peer == OURS else f"  {seconds / ours:6.2f} x"
        note = "" if count > 1 else " (1 round)"
        cells.append(f"  {peer:<11}{seconds * 1000:>10.1f} ms{ratio}{note}")
    print(f"{name}\n" + "\n".join(cells), flush=True)


def options():
    parser = argparse.ArgumentParser(description="Races Carryover's property lists against other implementations.")
    parser.add_argument("--data", type=Path, required=True, help="what make-data.py made")
    parser.add_argument("--build", type=Path, default=HERE / ".build", help="where the peers are built")
    parser.add_argument("--carryover", type=Path, help="the command, built for release, to time its start")
    parser.add_argument("--plistutil", help="libplist's command, to time against it")
    parser.add_argument("--rounds", type=int, default=3, help="each peer's best of this many counts (default 3)")
    parser.add_argument("--only", action="append", choices=RACES, metavar="RACE", help="one of: " + ", ".join(RACES))
    parser.add_argument("--small-data", action="store_true", help="the data is not of full size: judge no goal")
    parser.add_argument("--no-fail", action="store_true", help="status 0 even if a goal is missed")
    return parser.parse_args()


def main():
    asked = options()
    peers = commands(asked.build)
    results = {}
    print(f"processor time, best of {asked.rounds} rounds, the peers in turn; x: how many times our time the peer took\n")
    try:
        for name in asked.only or RACES:
            results[name] = race(name, peers, asked.data, max(1, asked.rounds))
            show(name, results[name])
        if asked.carryover and asked.plistutil:
            results["start-up"] = measure_start_up({OURS: asked.carryover, "plistutil": asked.plistutil})
            show("start-up", results["start-up"])
    except RunFailed as failure:
        print(f"bench: {failure}", file=sys.stderr)
        return 1
    missed = judge(results, [*RACES, "start-up"], full_size=not asked.small_data)
    return 1 if missed and not asked.no_fail else 0


if __name__ == "__main__":
    sys.exit(main())
