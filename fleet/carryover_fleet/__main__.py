"""The command carryover-fleet."""

import argparse
import functools
import logging
import math
import signal
import sys

from botocore.exceptions import BotoCoreError, ClientError
from distributed import Client
from tornado.ioloop import PeriodicCallback

from . import Progress, audit, merge
from .store import FleetError, counted, first_line, visible

# Of a cluster on this machine. It has temporary keys, because every user of the machine can reach its ports.
LOCAL = {
    "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0", "security": True,
    "silence_logs": logging.CRITICAL}


def above_zero(text: str, kind: type = float) -> float:
    number = kind(text)
    if not 0 < number < math.inf:
        raise ValueError
    return number


def parser() -> argparse.ArgumentParser:
    count = functools.partial(above_zero, kind=int)
    top = argparse.ArgumentParser(
        prog="carryover-fleet", description="Runs carryover audit over an S3 bucket, on a Dask cluster.",
        epilog="Exit status: 0 done, 1 failed, 5 interrupted: the same command continues, 64 usage. "
        "merge ends like carryover audit merge, and takes its options.")
    commands = top.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
    run = commands.add_parser("audit", allow_abbrev=False, help="audit every container, or continue an audit")
    run.add_argument("source", metavar="SOURCE", help="where the containers are: s3://BUCKET/PREFIX")
    where = run.add_mutually_exclusive_group()
    where.add_argument("--local", type=count, metavar="N", help="workers here; by default, one per processor")
    where.add_argument("--scheduler", metavar="ADDRESS", help="the workers of this Dask scheduler")
    run.add_argument("--max-gb", type=above_zero, metavar="GB", help="end before more than this is read")
    run.add_argument("--slice-count", type=count, default=1_000, metavar="N", help="the most inputs of a slice")
    run.add_argument("--slice-mb", type=count, default=512, metavar="MB", help="the most of a slice, and of an input")
    options = run.add_argument_group("options of carryover audit")
    for name in ("now", "write-key", "recipe", "policy", "timeout"):
        options.add_argument(f"--{name}")
    for name in ("--trust", "-P --parameter"):
        options.add_argument(*name.split(), action="append")
    options.add_argument("--allow-opted-out", action="store_true")
    put = commands.add_parser("merge", allow_abbrev=False, help="make a folder of a complete audit")
    put.add_argument("--redact", action="store_true", help="omit paths from the rows")
    for one in (run, put):
        one.add_argument("output", metavar="AUDIT", help="where the audit is: s3://BUCKET/PREFIX")
        one.add_argument("--command", default="carryover", metavar="PATH", help="the command carryover")
    put.add_argument("folder", metavar="FOLDER", help="a new folder")
    return top


def main(arguments: list[str] | None = None) -> int:
    commands = parser()
    try:
        found, others = commands.parse_known_args(arguments)
        if others and found.subcommand == "audit":
            commands.error(f"unknown: {visible(' '.join(others))}")
    except SystemExit as end:
        return 64 if end.code == 2 else 0
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    given = vars(found)
    try:
        return merge(**given, options=others) if given.pop("subcommand") == "merge" else audited(**given)
    except FleetError as error:
        print(f"carryover-fleet: {error}", file=sys.stderr)
        return error.status
    except (BotoCoreError, ClientError, OSError) as error:
        print(f"carryover-fleet: {first_line(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("carryover-fleet: Interrupted. The same command continues it.", file=sys.stderr)
        return 5


def audited(local: int | None, scheduler: str | None, **given: object) -> int:
    progress, is_terminal = Progress(), sys.stderr.isatty()

    def show() -> None:
        print(f"\r\x1b[K{progress}" if is_terminal else progress, end="" if is_terminal else "\n", file=sys.stderr, flush=True)

    with connected(local, scheduler) as client:
        # Each second in the same line of a terminal, and elsewhere in a line a minute.
        showing = PeriodicCallback(show, 1_000 if is_terminal else 60_000)
        client.loop.add_callback(showing.start)
        try:
            audit(client, progress=progress, **given)
        finally:
            client.loop.add_callback(showing.stop)
            print(end="\n" if is_terminal else "", file=sys.stderr)
    inputs = counted(progress.audited, "input")
    print(f"{inputs} audited. Next: carryover-fleet merge {visible(given['output'])} FOLDER")
    return 0


def connected(local: int | None, scheduler: str | None) -> Client:
    """A client of a scheduler; without one, of workers on this machine, by default one per processor."""
    try:
        return Client(scheduler) if scheduler else Client(n_workers=local, **LOCAL)
    except Exception as error:
        # Dask throws what its libraries do.
        what = scheduler or "a cluster on this machine"
        raise FleetError(f"Dask cannot use {what}: {first_line(error)} (settings: Documentation/Release.md)", 64) from error


if __name__ == "__main__":
    sys.exit(main())
