"""Measures what a cluster adds to the work on its shards, and a million rows as Parquet and HTML.

    ../.build/fleet/bin/python -B tests/measure.py COMMAND [CONTAINERS [ROWS]]

COMMAND is a release build. Status 1 if a figure is above its limit. The work is what a worker does for a shard of 1,000
containers: fetch them, have COMMAND audit them, and store the rows. The start of the cluster, which does not grow with the
audit, does not count.
"""

import json
import os
import pathlib
import resource
import runpy
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "fleet"), str(ROOT / "Benchmarks")]

from carryover_fleet import __main__ as driver, shard, stores  # noqa: E402
from carryover_fleet.manifest import Manifest  # noqa: E402
from carryover_fleet.merge import tables  # noqa: E402

# The share of the processor that a cluster may add, and seconds for the rows.
OVERHEAD, SECONDS = 0.05, 15


def processor(*command: object) -> float:
    """The seconds of the processor that a command and all its children take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, PYTHONPATH=str(ROOT / "fleet")))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def overhead(carryover: str, count: int, folder: pathlib.Path) -> float:
    """The share of the processor that a cluster of two workers adds for count containers, in shards of 1,000."""
    make = runpy.run_path(str(ROOT / "Benchmarks/audits.py"))["make_containers"]
    taken = []
    for number in (1_000, count + 1_000):
        place = folder / str(number)
        make(place / "saved", number)
        fleet = [sys.executable, "-m", "carryover_fleet"]
        options = ["--binary", carryover, "--now", "2026-01-01T00:00:00Z"]
        for audit in ("audit", "alone"):
            processor(*fleet, "plan", place / audit, place / "saved")
        taken.append((
            processor(*fleet, "run", place / "audit", "--local", 2, *options),
            processor(sys.executable, __file__, "--alone", place / "alone", *options),
            processor(carryover, "audit", place / "saved", "-o", place / "command", *options[2:])))
    cluster, alone, command = (last - first for first, last in zip(*taken))
    print(f"{count:,} containers: {cluster:.1f} s of the processor on a cluster, {alone:.1f} s in one process, "
          f"{command:.1f} s by carryover audit over the files")
    return (cluster - alone) / cluster


def work_alone(audit: str, options: list[str]) -> None:
    """Does the work of all shards of an audit in this process."""
    asked = driver.parser().parse_args(["run", audit, *options])
    store = stores.open_store(audit, "output")
    head = Manifest.load(store)
    place = shard.Place.of(driver.job_of(asked, head, store, shard.binary_version(asked.binary)))
    for number, piece in enumerate(head.shards):
        shard.audited(place, shard.Piece(number, piece, 0, piece.inputs))
    place.process.end()


def rows(carryover: str, count: int, folder: pathlib.Path) -> float:
    """The seconds that Parquet and HTML of so many rows take."""
    generate = runpy.run_path(str(ROOT / "Tests/Audit/reports.py"))["generate"]
    source = folder / "rows.ndjson"
    generate(source, count, 1)
    with source.open("rb") as file:
        inputs = sum(b'"row":"container"' in line for line in file)
    head = Manifest("", "", inputs, 0, 0, 0, [])
    began = time.monotonic()
    tables(source, folder / "rows.parquet", head)
    parquet = time.monotonic() - began
    subprocess.run([carryover, "audit", "report", source, "--format", "html", "-o", folder / "rows.html"], check=True)
    whole = time.monotonic() - began
    sizes = {name: (folder / f"rows.{name}").stat().st_size for name in ("ndjson", "parquet", "html")}
    print(f"{count:,} rows: {parquet:.1f} s for Parquet, {whole:.1f} s with HTML; bytes: {json.dumps(sizes)}")
    assert sizes["html"] < 2_000_000
    return whole


def main() -> int:
    if sys.argv[1] == "--alone":
        work_alone(sys.argv[2], sys.argv[3:])
        return 0
    carryover = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    lines = int(sys.argv[3]) if len(sys.argv) > 3 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        seconds = rows(carryover, lines, pathlib.Path(folder))
        share = overhead(carryover, count, pathlib.Path(folder))
    print(f"the cluster takes {share:.1%} of the processor, at most {OVERHEAD:.0%}; rows take {seconds:.1f} s, at most {SECONDS} s")
    return 0 if share <= OVERHEAD and seconds <= SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
