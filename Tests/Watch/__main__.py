#!/usr/bin/env python3
"""Changes the stores of a container a thousand times while `carryover watch` runs, and checks what it prints.

    python3 -B Tests/Watch COMMAND [--short] [--seed N]

The last value of every key must be printed before its file is changed for the next time or, for files that are written
without a pause, at the end. Replaying the lines must lead to the stores as Python reads them. At the end, the command
has used at most a hundredth of a processor (short: a twenty-fifth), and no file of the container but those that the
script changed is new."""

import argparse
import json
import os
import pathlib
import plistlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time

KINDS = ("plist", "xml", "json", "table")


class Stores:
    """The stores as they should be, and the ways in which apps write them."""

    def __init__(self, data: pathlib.Path, chance: random.Random) -> None:
        self.data, self.chance, self.number = data, chance, 0
        self.now = {}
        for place in ("Library/Preferences", "Library/Application Support", "Documents"):
            (data / place).mkdir(parents=True)
        self.places = {
            "plist": [data / "Library/Preferences/com.acme.shop.plist", data / "Library/Preferences/com.acme.flags.plist"],
            "xml": [data / "Library/rsDefaultsPersistence.plist"],
            "json": [data / "Library/Application Support/state.json", data / "Documents/cart.json"],
            "table": [data / "Documents/shop.sqlite", data / "Library/Application Support/log.sqlite"]}
        for kind, places in self.places.items():
            for place in places:
                self.now[place] = {}
                self.write(kind, place, {f"key{number}": self.value() for number in range(10)})
        for number in range(300):
            (data / f"Documents/picture{number}.jpg").write_bytes(b"\xff\xd8" + bytes(50))

    def value(self):
        self.number += 1
        return f"value-{self.number}"

    def write(self, kind: str, place: pathlib.Path, values: dict) -> None:
        if kind == "table":
            self.write_rows(place, values)
        else:
            content = json.dumps(values).encode() if kind == "json" else plistlib.dumps(
                values, fmt=plistlib.FMT_XML if kind == "xml" else plistlib.FMT_BINARY)
            self.write_bytes(place, content)
        self.now[place] = dict(values)

    def write_bytes(self, place: pathlib.Path, content: bytes) -> None:
        way = self.chance.choice(("replaced", "in place", "in pieces", "removed first"))
        if way == "replaced":
            temporary = place.with_name(place.name + ".tmp")
            temporary.write_bytes(content)
            temporary.replace(place)
        elif way == "in pieces" and place.exists():
            with open(place, "wb", buffering=0) as file:
                for start in range(0, len(content), 100):
                    file.write(content[start:start + 100])
                    time.sleep(0.001)
        else:
            if way == "removed first":
                place.unlink(missing_ok=True)
                time.sleep(0.02)
            place.write_bytes(content)

    def write_rows(self, place: pathlib.Path, values: dict) -> None:
        before = self.now[place]
        with sqlite3.connect(place) as database:
            if not before:
                database.execute(f"PRAGMA journal_mode = {'WAL' if place.parent.name == 'Documents' else 'DELETE'}")
                database.execute("CREATE TABLE t(k TEXT PRIMARY KEY, v TEXT)")
            for key in before.keys() - values.keys():
                database.execute("DELETE FROM t WHERE k = ?", (key,))
            changed = [(key, value) for key, value in values.items() if before.get(key) != value]
            database.executemany("INSERT OR REPLACE INTO t VALUES(?, ?)", changed)
        database.close()

    def change(self) -> pathlib.Path:
        kind = self.chance.choice(KINDS)
        place = self.chance.choice(self.places[kind])
        values = dict(self.now[place])
        for _ in range(self.chance.randint(1, 3)):
            key = f"key{self.chance.randrange(14)}"
            if key in values and self.chance.random() < 0.2 and len(values) > 2:
                del values[key]
            else:
                values[key] = self.value()
        self.write(kind, place, values)
        return place


class Reader:
    """Replays the lines of the command."""

    def __init__(self, data: pathlib.Path, stores: Stores, output) -> None:
        self.data = data
        self.now = {place: dict(values) for place, values in stores.now.items()}
        self.lines, self.problems = 0, []
        self.lock = threading.Lock()
        self.thread = threading.Thread(target=self.run, args=(output,), daemon=True)
        self.thread.start()

    def run(self, output) -> None:
        for line in output:
            with self.lock:
                self.take(json.loads(line))

    def take(self, line: dict) -> None:
        self.lines += 1
        if line["schema"] != "carryover.watch/1" or line["event"] != "change":
            self.problems.append(line)
            return
        place, path = self.data / line["store"], line.get("path")
        if not path:
            # As a whole, a store comes or goes.
            self.problems.append(line)
            return
        values = self.now[place]
        key = path[0]
        if place.suffix == ".sqlite":
            key = path[1]
        old, new = line.get("before"), line.get("after")
        if place.suffix == ".sqlite":
            if len(path) == 2:
                old, new = ({} if side else None for side in (old, new))
                new = new if new is None else self.column(line["after"], "v")
                old = old if old is None else self.column(line["before"], "v")
            elif path[2] != "v":
                self.problems.append(line)
        if old is not None and values.get(key) != old["value"] or old is None and key in values:
            self.problems.append((line, values.get(key)))
        if new is None:
            values.pop(key, None)
        else:
            values[key] = new["value"]

    @staticmethod
    def column(row: dict, name: str) -> dict:
        return next(child for child in row["children"] if child["name"] == name)

    def shows(self, expected: dict) -> bool:
        with self.lock:
            return self.now == expected


def used(process: subprocess.Popen) -> float:
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait(condition, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--short", action="store_true", help="a hundred changes instead of a thousand")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    again = f"python3 -B Tests/Watch {arguments.command} --seed {arguments.seed}" + (" --short" if arguments.short else "")
    count = 100 if arguments.short else 1000
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder) / "container"
        stores = Stores(data, random.Random(arguments.seed))
        environment = dict(os.environ, HOME=folder, TZ="UTC")
        process = subprocess.Popen([os.path.abspath(arguments.command), "watch", str(data), "--json"], text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
        ready = process.stderr.readline()
        assert "Ctrl-C stops" in ready, ready
        start, at_start = time.monotonic(), used(process)
        reader = Reader(data, stores, process.stdout)
        slowest = 0.0
        for number in range(count):
            stores.change()
            # A burst, then a moment in which everything has to be shown.
            if number % 10 == 9:
                begin = time.monotonic()
                if not wait(lambda: reader.shows(stores.now), 20):
                    sys.exit(f"after change {number}, not every value is shown: {differences(reader, stores)}\n{again}")
                slowest = max(slowest, time.monotonic() - begin)
            else:
                time.sleep(stores.chance.choice((0, 0, 0.01, 0.1, 0.4)))
        if not wait(lambda: reader.shows(stores.now), 20):
            sys.exit(f"at the end, not every last value is shown: {differences(reader, stores)}\n{again}")
        elapsed, cost = time.monotonic() - start, used(process) - at_start
        # Idle, it costs hardly anything.
        idle = used(process)
        time.sleep(5)
        idle = (used(process) - idle) / 5
        process.send_signal(signal.SIGINT)
        status = process.wait(10)
        assert status == -signal.SIGINT, status
        assert not reader.problems, f"{reader.problems[:3]}\n{again}"
        names = {path.name for path in data.rglob("*") if path.is_file() and path.suffix != ".jpg"}
        known = {place.name for places in stores.places.values() for place in places}
        assert all(any(name.startswith(stem) for stem in known) for name in names), names
        share = cost / elapsed
        print(f"{count} changes in {elapsed:.0f} s, {reader.lines} lines, all last values shown within {slowest:.1f} s; "
              f"{share:.2%} of a processor, {idle:.2%} idle")
        # A debug build on a busy machine takes several times what a release takes.
        assert share <= (0.04 if arguments.short else 0.01), f"{share:.2%} of a processor\n{again}"


def differences(reader: Reader, stores: Stores) -> list:
    with reader.lock:
        return [(str(place), key, reader.now[place].get(key), values.get(key)) for place, values in stores.now.items()
                for key in values.keys() | reader.now[place].keys() if reader.now[place].get(key) != values.get(key)][:5]


if __name__ == "__main__":
    main()
