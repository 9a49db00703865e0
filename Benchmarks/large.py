#!/usr/bin/env python3
"""Measures what the commands that go through every key take for a property list of a million: processor time and the
most memory at once. Its data is made if it is not there.

Usually started by run.sh, which builds the command. Needs Python 3.9, nothing else.
"""

import argparse
import os
import plistlib
import subprocess
import sys
from multiprocessing import Process
from pathlib import Path

from goals import OURS, judge

COMMANDS = {
    "large-report": ["report"],
    "large-inspect": ["inspect"],
    "large-inspect-json": ["inspect", "--json"],
}
RACES = [race for name in COMMANDS for race in (name, name + "-memory")]


def make(file, keys):
    """About 27 bytes a key: names that differ, and values of which many are equal, as in an app's preferences."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("wb") as opened:
        values = {f"com.acme.{n:07d}": f"v{n % 1000}" for n in range(keys)}
        plistlib.dump(values, opened, fmt=plistlib.FMT_BINARY)


def measure(command):
    """Seconds of the processor, and megabytes."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"bench: {' '.join(map(str, command))} ended with status {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024
    return used.ru_utime + used.ru_stime, used.ru_maxrss * unit / 1e6


def options():
    parser = argparse.ArgumentParser(description="Measures the commands on a very large property list.")
    parser.add_argument("--data", type=Path, required=True, help="the folder of the property list")
    parser.add_argument("--keys", type=int, default=1_000_000)
    parser.add_argument("--carryover", type=Path, required=True, help="the command, built for release")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--small-data", action="store_true", help="the data is not of full size: judge no goal")
    parser.add_argument("--no-fail", action="store_true", help="status 0 even if a goal is missed")
    return parser.parse_args()


def main():
    asked = options()
    file = asked.data / f"{asked.keys}.plist"
    if not file.exists():
        # In a process of its own: what a child uses at most counts what its parent had when it began.
        maker = Process(target=make, args=(file, asked.keys))
        maker.start()
        maker.join()
        if maker.exitcode != 0:
            raise SystemExit("bench: the data could not be made")
    print(f"\n{asked.keys} keys, {file.stat().st_size / 1e6:.0f} MB: the best of {asked.rounds} rounds")
    results = {}
    for name, command in COMMANDS.items():
        rounds = [measure([asked.carryover, command[0], file, *command[1:]]) for _ in range(max(1, asked.rounds))]
        seconds, memory = min(one[0] for one in rounds), max(one[1] for one in rounds)
        results[name] = {OURS: (seconds, len(rounds))}
        results[name + "-memory"] = {OURS: (memory, len(rounds))}
        print(f"  {name:<20}{seconds:>8.2f} s of the processor{memory:>8.0f} MB", flush=True)
    missed = judge(results, RACES, full_size=not asked.small_data)
    return 1 if missed and not asked.no_fail else 0


if __name__ == "__main__":
    sys.exit(main())
