#!/usr/bin/env python3
"""Audits generated containers: of every kind, with any number of workers, killed and resumed.

    python3 -B Tests/Audit COMMAND [COUNT [KILLS [SEED]]]

The outcomes must add up to the inputs, and the rows must be equal for one worker, for two, and after the audit was killed at random
and resumed. A worker that is killed, or stopped for too long, must change only the row of what it worked on."""

import contextlib
import hashlib
import json
import os
import pathlib
import plistlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter

NOW = ["--now", "2026-01-10T08:00:00Z"]


def values(rng: random.Random) -> dict:
    """What the legacy SDK stored: mostly sound, sometimes not."""
    found = {f"other{n}": rng.randrange(1000) for n in range(rng.choice([0, 5, 40]))}
    if rng.random() < 0.95:
        found["rl_anonymous_id"] = f"{rng.getrandbits(64):016X}"
    if rng.random() < 0.6:
        user = rng.choice(["u-1", 42, "", None, 4.5])
        found["rl_traits"] = json.dumps({"userId": user, "plan": "basic"})
    if rng.random() < 0.8:
        found["rl_session_id"] = rng.choice([1763640123, "1763640123", -1, 1e300, True])
    if rng.random() < 0.5:
        found["rl_application_build_key"] = rng.choice(["42", "4.2", "", "x" * 1000])
    return found


def container(place: pathlib.Path, rng: random.Random) -> None:
    folder = place / "Library/Preferences"
    folder.mkdir(parents=True)
    data = plistlib.dumps(values(rng), fmt=rng.choice([plistlib.FMT_BINARY, plistlib.FMT_XML]))
    kind = rng.random()
    if kind < 0.05:
        data = data[: rng.randrange(len(data))]
    elif kind < 0.1:
        data = bytearray(data)
        for _ in range(3):
            data[rng.randrange(len(data))] = rng.randrange(256)
    (folder / "com.acme.shop.plist").write_bytes(bytes(data))


def backup(place: pathlib.Path, rng: random.Random) -> None:
    """A device backup with two apps, or an encrypted one, as Finder makes them."""
    place.mkdir(parents=True)
    is_encrypted = rng.random() < 0.5
    (place / "Manifest.plist").write_bytes(plistlib.dumps({"IsEncrypted": is_encrypted, "Version": "10.0"}))
    (place / "Info.plist").write_bytes(plistlib.dumps({}))
    if is_encrypted:
        (place / "Manifest.db").write_bytes(rng.randbytes(4096))
        return
    database = sqlite3.connect(place / "Manifest.db")
    database.execute("CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB)")
    for app in ("com.acme.shop", "com.acme.wallet"):
        domain, path = f"AppDomain-{app}", f"Library/Preferences/{app}.plist"
        data = plistlib.dumps(values(rng), fmt=plistlib.FMT_BINARY)
        file = hashlib.sha1(f"{domain}-{path}".encode()).hexdigest()
        (place / file[:2]).mkdir(exist_ok=True)
        (place / file[:2] / file).write_bytes(data)
        objects = ["$null", {"$class": plistlib.UID(2), "Size": len(data), "Mode": 0o100644},
                   {"$classname": "MBFile", "$classes": ["MBFile", "NSObject"]}]
        record = {"$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": {"root": plistlib.UID(1)}, "$objects": objects}
        database.execute("INSERT INTO Files VALUES(?, ?, ?, 1, ?)", (file, domain, path, plistlib.dumps(record, fmt=plistlib.FMT_BINARY)))
    database.commit()
    database.close()


def encrypted_zip(place: pathlib.Path, rng: random.Random) -> None:
    with zipfile.ZipFile(place, "w") as archive:
        archive.writestr("Library/Preferences/com.acme.shop.plist", rng.randbytes(64))
    data = bytearray(place.read_bytes())
    for header, flags in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        data[data.index(header) + flags] |= 1
    place.write_bytes(data)


def generate(root: pathlib.Path, count: int, rng: random.Random) -> None:
    """Makes the inputs, of which each has a container at least."""
    last = None
    for number in range(count):
        place = root / f"{number % 100:02d}" / f"c{number:06d}"
        kind = rng.random()
        if kind < 0.72:
            container(place, rng)
            last = place
        elif kind < 0.74 and last is not None:
            shutil.copytree(last, place)
        elif kind < 0.78:
            backup(place, rng)
        elif kind < 0.80:
            place.parent.mkdir(parents=True, exist_ok=True)
            encrypted_zip(place.with_suffix(".zip"), rng)
        elif kind < 0.86:
            inner = place.with_suffix(".tmp")
            container(inner, rng)
            shutil.make_archive(place, "zip", inner.parent, inner.name)
            shutil.rmtree(inner)
        elif kind < 0.9:
            container(place / "AppData", rng)
            (place / "AppDataInfo.plist").write_bytes(plistlib.dumps({"bundleIdentifier": "com.acme.shop"}))
        elif kind < 0.95:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.with_suffix(".zip").write_bytes(b"PK\3\4" + rng.randbytes(rng.randrange(200)))
        elif kind < 0.97:
            place.mkdir(parents=True)
            (place / "Manifest.plist").write_bytes(b"")
            (place / "Info.plist").write_bytes(b"")
        else:
            (place / "Library").mkdir(parents=True)
            # A folder without files is none in an object store.
            (place / "Library/notes.txt").touch()


def rows(folder: pathlib.Path) -> bytes:
    return (folder / "rows.ndjson").read_bytes()


def run(command: str, root: pathlib.Path, out: pathlib.Path, *options: str) -> dict:
    done = subprocess.run([command, "audit", str(root), "-o", str(out), "--json", *NOW, *options], capture_output=True, check=False)
    assert done.returncode in (0, 2), (done.returncode, done.stderr.decode())
    return json.loads(done.stdout)


def killed(command: str, root: pathlib.Path, out: pathlib.Path, kills: int, longest: float, rng: random.Random) -> "tuple[int, float]":
    """Kills the audit at random and resumes it. How often it was killed, and how many seconds were done again at most."""
    # A part of the rows is a second's: an audit of some size goes on for longer, so that there is something to resume.
    wait = 2 * longest / kills if longest < 5 else 3
    done, again = 0, 0.0
    for attempt in range(kills + 1):
        resume = ["--resume"] if (out / "audit.json").exists() else []
        if out.exists() and not resume:
            shutil.rmtree(out)
        began = time.time()
        process = subprocess.Popen(
            [command, "audit", str(root), "-o", str(out), "-j", "2", *NOW, *resume], stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        if attempt < kills:
            try:
                process.wait(rng.uniform(0, wait))
            except subprocess.TimeoutExpired:
                process.send_signal(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGINT]))
                # Of what was done since then, there are no rows on the disk.
                saved = max([began, *(part.stat().st_mtime for part in (out / "parts").glob("*.ndjson"))])
                again = max(again, time.time() - saved)
                done += 1
        error = process.communicate()[1].decode()
        assert process.returncode in (0, 5, -signal.SIGKILL, -signal.SIGINT), (process.returncode, error)
    return done, again


def contested(command: str, root: pathlib.Path, out: pathlib.Path) -> None:
    """Runs two audits in one folder at once: one of them is refused, and nothing counts twice."""
    run(command, root, out, "-j", "1")
    (out / "rows.ndjson").unlink()
    for part in sorted((out / "parts").iterdir())[1:]:
        part.unlink()
    both = [subprocess.Popen([command, "audit", str(root), "-o", str(out), "--resume", *NOW], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL) for _ in range(2)]
    assert sorted(process.wait(600) for process in both) in ([0, 0], [0, 1]), [p.returncode for p in both]


def hurt(command: str, root: pathlib.Path, out: pathlib.Path, what: int, rng: random.Random) -> None:
    process = subprocess.Popen([command, "audit", str(root), "-o", str(out), "-j", "2", "--timeout", "1", *NOW], stdout=subprocess.DEVNULL)
    for _ in range(5):
        time.sleep(rng.uniform(0.05, 0.3))
        worker = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[:1]
        with contextlib.suppress(ProcessLookupError):
            _ = worker and os.kill(int(worker[0]), what)
    assert process.wait(600) == 0, process.returncode


def differing(one: bytes, other: bytes) -> set:
    rows, others = Counter(one.splitlines()), Counter(other.splitlines())
    return {json.loads(row)["n"] for row in (rows - others) + (others - rows)}


def main() -> None:
    command = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    kills = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
    print(f"audit: {count} inputs, {kills} kills, seed {seed}")
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        root = place / "inputs"
        root.mkdir()
        generate(root, count, rng)
        began = time.monotonic()
        one = run(command, root, place / "one", "-j", "1")
        alone = time.monotonic() - began
        assert one["complete"] and one["inputs"] == count, one
        assert sum(one["outcomes"].values()) == one["containers"] >= count, one
        kinds = {"audited", "nothing-to-migrate", "unreadable", "encrypted"}
        assert count < 400 or one["copies"] > 0 and all(one["outcomes"][kind] > 0 for kind in kinds), one
        began = time.monotonic()
        run(command, root, place / "two", "-j", "2")
        together = time.monotonic() - began
        assert rows(place / "one") == rows(place / "two"), "two workers give other rows"
        done, again = killed(command, root, place / "killed", kills, max(0.3, together), rng)
        assert rows(place / "one") == rows(place / "killed"), "the rows differ after a resume"
        # A second, and a second for starting and for the disk.
        assert again < 2, f"{again:.1f} seconds of work were lost"
        contested(command, root, place / "contested")
        assert rows(place / "one") == rows(place / "contested"), "two audits at once gave other rows"
        # On a slow machine, one input can meet two of the kills.
        for outcome, what, most in (("crashed", signal.SIGKILL, 2), ("timeout", signal.SIGSTOP, 5)):
            hurt(command, root, place / outcome, what, rng)
            changed = differing(rows(place / "one"), rows(place / outcome))
            hit = rows(place / outcome).count(f'"outcome":"{outcome}"'.encode())
            assert len(changed) == hit <= most, (changed, hit)
        outcomes = ", ".join(f"{count} {name}" for name, count in one["outcomes"].items() if count)
        print(f"audit: {outcomes}; {alone:.1f} s with one worker, {together:.1f} s with two; killed {done} times, "
              f"{again:.1f} s done again at most; "
              f"{hit} stopped workers; 0 wrong")


if __name__ == "__main__":
    main()
