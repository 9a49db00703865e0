#!/usr/bin/env python3
"""Reports and compares generated audits of any size, and holds time, memory and sizes to their limits.

    python3 -B Tests/Audit/reports.py COMMAND [ROWS [SECONDS]]

The limits of time are for a million rows of a release build, or for SECONDS.
"""

import hashlib
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

FIELDS = [
    ("anonymous_id", "identity"), ("user_id", "identity"), ("traits", "traits"), ("session_id", "session"),
    ("is_manual_session", "session"), ("last_activity_time", "session"), ("rudder.app_version", "app"),
    ("rudder.app_build", "app")]
CODES = ["identity.user-id-not-string", "source.stale", "session.expired", "traits.invalid-json", "source.disagree"]
STATUS = {"carries": "ready", "carries-with-decision": "needs-decision", "lost": "dropped", "nothing": "absent"}
# The most memory of a report in MB, and of a comparison.
MEMORY = {"report": 64, "diff": 160}


def generate(path: pathlib.Path, count: int, seed: int) -> int:
    """Writes rows and returns their number. Seeds differ in the verdicts of some fields."""
    rng, other = random.Random(1), random.Random(seed)
    rows = number = 0
    with path.open("w") as file:
        def row(**members: object) -> None:
            nonlocal rows
            rows += 1
            file.write(json.dumps({"schema": "carryover.audit-row/1", "n": number, **members}, separators=(",", ":")) + "\n")
        while rows < count:
            number += 1
            is_planned = rng.random() > 0.01
            own = {
                "container": hashlib.sha256(str(number).encode()).hexdigest() if is_planned else None,
                "path": f"{number % 100:02d}/device-{number:07d}/com.acme.shop.xcappdata"}
            recipe = "rudderstack-objc" if is_planned else None
            found = [[rng.choice(CODES)] if rng.random() < 0.03 else [] for _ in FIELDS]
            codes = sorted({code for one in found for code in one}) if is_planned else []
            row(row="container", **own, outcome="audited" if is_planned else "unreadable",
                code=None if is_planned else "archive", recipe=recipe, findings=codes, errors=0, warnings=len(codes),
                notes=1, blocked=False)
            for (name, group), findings in zip(FIELDS, found if is_planned else []):
                verdict = other.choices(list(STATUS), [960, 20, 5, 15])[0]
                row(row="field", **own, recipe=recipe, field=name, group=group, source="rl_traits.userId", candidate=0,
                    legacyKind="string", status=STATUS[verdict], verdict=verdict, reference="kept", findings=findings)
    return rows


def measured(arguments: list, output: pathlib.Path) -> tuple:
    """Runs a command; gives its seconds of processor time and wall time, and its most memory in MB."""
    began = time.monotonic()
    with output.open("wb") as file:
        process = subprocess.Popen(arguments, stdout=file)
        _, status, used = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) in (0, 1), (arguments, status)
    peak = used.ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return used.ru_utime + used.ru_stime, time.monotonic() - began, peak


def main() -> None:
    command = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    limit = float(sys.argv[3]) if len(sys.argv) > 3 else 15
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        rows = generate(place / "old.ndjson", count, 1)
        generate(place / "new.ndjson", count, 2)
        sizes = {}
        jobs = [["report", "--format", form] for form in ("html", "markdown", "junit", "sarif", "csv", "json", "text")]
        for kind, *options in jobs + [["diff", str(place / "new.ndjson")]]:
            output = place / "output"
            seconds, wall, peak = measured([command, "audit", kind, str(place / "old.ndjson"), *options], output)
            name = options[-1] if kind == "report" else kind
            sizes[name] = output.stat().st_size
            print(f"{name:9} {seconds:6.1f} s of processor time, {wall:6.1f} s, {peak:6.0f} MB, {sizes[name]:12,} bytes")
            reads = 2 if kind == "diff" else 1
            assert seconds <= limit * reads, f"{name} takes {seconds:.1f} s for {rows} rows"
            assert peak <= MEMORY[kind], f"{name} takes {peak:.0f} MB for {rows} rows"
        assert sizes["html"] < 2_000_000 and sizes["markdown"] <= 60_000 and sizes["sarif"] < 10_000_000, sizes
        print(f"reports: {rows} rows; 0 wrong")


if __name__ == "__main__":
    main()
