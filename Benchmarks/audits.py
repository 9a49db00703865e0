#!/usr/bin/env python3
"""Measures audits: what a container costs, against a process for each and against reading the files alone; how two
workers share the work; and what a million inputs and a million rows need.

Usually started by run.sh, which builds the command. Linux only: it reads /proc. Needs Python 3.9, nothing else.
"""

import argparse
import json
import os
import plistlib
import random
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from goals import OURS, judge

RACES = [
    "audit-container", "audit-shell", "audit-xargs", "audit-plistlib", "audit-scaling", "audit-inputs-memory",
    "audit-rows-html",
]
NOW = "2026-01-01T00:00:00Z"
READ_ALL = "import plistlib, sys\nfor path in sys.argv[1:]: plistlib.load(open(path, 'rb'))"


def make_containers(folder, count, settings=40):
    """Containers with some settings of the app and six keys of the SDK: most ids are text, some a number, some builds
    no number.
    """
    chance = random.Random(1)
    for number in range(count):
        preferences = folder / f"{number:06d}" / "Library/Preferences"
        preferences.mkdir(parents=True)
        user = f"user-{number}" if chance.random() < 0.8 else number
        values = {f"com.acme.setting{key}": f"value {key}" for key in range(settings + chance.randrange(3))}
        values |= {
            "rl_anonymous_id": f"anonymous-{number}",
            "rl_traits": json.dumps({"userId": user, "email": f"{number}@example.com"}),
            "rl_session_id": 1_700_000_000 + number, "rl_last_event_timestamp": 1_700_000_100 + number,
            "rl_application_version_key": "4.2.0",
            "rl_application_build_key": "420" if chance.random() < 0.9 else "4.2.0-rc1",
        }
        with (preferences / "com.acme.shop.plist").open("wb") as opened:
            plistlib.dump(values, opened, fmt=plistlib.FMT_BINARY)


def measure(command, accepted=(0,)):
    """Seconds of the processor with all children, seconds, and the command's own greatest memory in megabytes."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    memory = 0
    while True:
        ended, status, used = os.wait4(process.pid, os.WNOHANG)
        if ended:
            break
        try:
            for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
                memory = max(memory, int(line.split()[1])) if line.startswith("VmHWM") else memory
        except OSError:
            pass  # it has just ended
        time.sleep(0.01)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in accepted:
        raise SystemExit(f"bench: {shlex.join(map(str, command))} ended with status {process.returncode}")
    return used.ru_utime + used.ru_stime, time.monotonic() - began, memory / 1024


def audit(folder, carryover, workers):
    return [carryover, "audit", folder, "-j", str(workers), "--write-key", "KEY", "--now", NOW]


def race(folder, carryover, rounds):
    """The audit against a loop of a shell, xargs and plistlib; the best of the rounds, which take turns."""
    paths = sorted(folder.iterdir())
    plan = f"{shlex.quote(str(carryover))} plan --json --write-key KEY --now {NOW}"
    listed = shlex.quote(str(folder))
    commands = {
        "one": audit(folder, carryover, 1),
        "two": audit(folder, carryover, 2),
        "shell": ["sh", "-c", f"for path in {listed}/*; do {plan} \"$path\" >/dev/null; done"],
        "xargs": ["sh", "-c", f"printf '%s\\0' {listed}/* | xargs -0 -P 2 -n 1 {plan} >/dev/null"],
        "plistlib": [sys.executable, "-c", READ_ALL, *(path / "Library/Preferences/com.acme.shop.plist" for path in paths)],
    }
    best = {}
    for _ in range(rounds):
        for name, command in commands.items():
            processor, wall, _ = measure(command)
            before = best.get(name, (processor, wall))
            best[name] = (min(before[0], processor), min(before[1], wall))
    for name, (processor, wall) in best.items():
        print(f"  {name:<12}{processor:>8.2f} s of the processor{wall:>8.2f} s{len(paths) / processor:>10.0f} a second and core")
    ours = best["one"][0]
    results = {"audit-container": {OURS: (ours / len(paths) * 1000, rounds)}}
    for name in ("shell", "xargs", "plistlib"):
        results[f"audit-{name}"] = {OURS: (ours, rounds), name: (best[name][0], rounds)}
    print(f"  two workers are {best['one'][1] / best['two'][1]:.2f} times as fast as one")
    return results


def scaling(folder, carryover, rounds):
    """Two workers against one, by the wall, where a container needs milliseconds: there the parent, which finds the
    containers and adds their rows up, has little to do.
    """
    walls = {
        workers: min(measure(audit(folder, carryover, workers))[1] for _ in range(rounds)) for workers in (1, 2)
    }
    print(f"  large containers: {walls[1]:.2f} s with one worker, {walls[2]:.2f} s with two")
    return {"audit-scaling": {OURS: (walls[2], rounds), "one-worker": (walls[1], rounds)}}


def inputs_memory(folder, carryover, count):
    """What the parent needs for inputs of which nothing is left to read: empty archives."""
    for number in range(count):
        if number % 1_000 == 0:
            part = folder / f"{number // 1_000:06d}"
            part.mkdir(parents=True)
        (part / f"{number}.zip").touch()
    # No container has a plan, which is status 1.
    processor, wall, memory = measure([carryover, "audit", folder, "-j", "2", "--now", NOW], accepted=(1,))
    print(f"  {count} inputs: {wall:.0f} s, {memory:.0f} MB in the parent")
    return {"audit-inputs-memory": {OURS: (memory, 1)}}


def rows_html(folder, carryover, count):
    """How long rows take to become a report, once an audit has written some to repeat."""
    measure([carryover, "audit", folder / "containers", "-o", folder / "audit", "--write-key", "KEY", "--now", NOW])
    units, wanted = [], folder / "rows.ndjson"
    for line in (folder / "audit/rows.ndjson").read_text().splitlines():
        row = json.loads(line)
        if row["row"] == "container":
            units.append([])
        units[-1].append(row)
    with wanted.open("w") as opened:
        written = number = 0
        while written < count:
            number += 1
            for row in units[number % len(units)]:
                row["n"] = number
                if "path" in row:
                    row["path"] = f"{number}.xcappdata"
                opened.write(json.dumps(row, separators=(",", ":"), ensure_ascii=False) + "\n")
                written += 1
    _, wall, memory = measure([carryover, "audit", "report", wanted, "--format", "html", "-o", folder / "report.html"])
    print(f"  {written} rows to HTML: {wall:.1f} s, {memory:.0f} MB")
    return {"audit-rows-html": {OURS: (wall, 1)}}


def main():
    parser = argparse.ArgumentParser(description="Measures audits of many containers.")
    parser.add_argument("--carryover", type=Path, required=True, help="the command, built for release")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--small-data", action="store_true", help="a fiftieth of the data: judge no goal")
    parser.add_argument("--no-fail", action="store_true", help="status 0 even if a goal is missed")
    asked = parser.parse_args()
    share = 50 if asked.small_data else 1
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_containers(folder / "containers", 2_000 // share)
        print(f"\n{2_000 // share} containers of 46 keys: the best of {asked.rounds} rounds")
        results = race(folder / "containers", asked.carryover, asked.rounds)
        make_containers(folder / "large", 500 // share, settings=4_000)
        results |= scaling(folder / "large", asked.carryover, asked.rounds)
        results |= inputs_memory(folder / "inputs", asked.carryover, 1_000_000 // share)
        results |= rows_html(folder, asked.carryover, 1_000_000 // share)
    missed = judge(results, RACES, full_size=not asked.small_data)
    return 1 if missed and not asked.no_fail else 0


if __name__ == "__main__":
    sys.exit(main())
