"""The command carryover-fleet."""

import argparse
import contextlib
import gc
import importlib
import logging
import math
import signal
import sys
import threading
from collections.abc import Callable, Iterator

from botocore.exceptions import BotoCoreError, ClientError
from distributed import Client, LocalCluster

from . import Progress, audit, merge
from .text import FleetError, counted, first_line, visible

# Dask's own packages, which read their settings from Dask's configuration.
CLUSTERS = {"kubernetes": ("dask_kubernetes.operator", "KubeCluster"), "slurm": ("dask_jobqueue", "SLURMCluster")}


def above_zero(kind: type) -> Callable[[str], float]:
    def number(text: str) -> float:
        found = kind(text)
        if not 0 < found < math.inf:
            raise ValueError
        return found
    return number


COUNT = above_zero(int)


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="carryover-fleet", description="Runs carryover audit over an S3 bucket, on a Dask cluster.",
        epilog="Exit status: 0 done, 1 failed, 5 interrupted: the same command continues, 64 usage. "
        "merge ends like carryover audit merge, and takes its options.")
    commands = top.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND")
    run = commands.add_parser("audit", allow_abbrev=False, help="audit every container, or continue an audit")
    run.add_argument("source", metavar="SOURCE", help="where the containers are: s3://BUCKET/PREFIX")
    where = run.add_mutually_exclusive_group()
    where.add_argument("--local", type=COUNT, metavar="N", help="workers here; by default, one per processor")
    where.add_argument("--scheduler", metavar="ADDRESS", help="the workers of this Dask scheduler")
    for name in CLUSTERS:
        where.add_argument(f"--{name}", type=COUNT, metavar="N", help=f"workers, by Dask's package for {name}")
    run.add_argument("--max-gb", type=above_zero(float), metavar="GB", help="end before more than this is read")
    run.add_argument("--slice-count", type=COUNT, default=1_000, metavar="N", help="the most inputs of a slice")
    run.add_argument("--slice-mb", type=COUNT, default=512, metavar="MB", help="the most of a slice, and of an input")
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
        if given.pop("subcommand") == "merge":
            return merge(**given, options=others)
        return audited(given)
    except FleetError as error:
        print(f"carryover-fleet: {error}", file=sys.stderr)
        return error.status
    except (BotoCoreError, ClientError, OSError) as error:
        print(f"carryover-fleet: {first_line(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("carryover-fleet: Interrupted. The same command continues it.", file=sys.stderr)
        return 5
    finally:
        # A cluster that could not be made is forgotten, or dask-kubernetes tries to close it at the end.
        gc.collect()


def audited(given: dict) -> int:
    where = {name: given.pop(name) for name in ("local", "scheduler", *CLUSTERS)}
    with opened(**where) as client, shown(Progress()) as progress:
        audit(client, progress=progress, **given)
    inputs = counted(progress.audited, "input")
    print(f"{inputs} audited. Next: carryover-fleet merge {visible(given['output'])} FOLDER")
    return 0


@contextlib.contextmanager
def opened(local: int | None, scheduler: str | None, **counts: int | None) -> Iterator[Client]:
    """A client of the cluster that was asked for; by default, of one with a worker per processor of this machine."""
    with contextlib.ExitStack() as stack:
        kind = next((kind for kind, count in counts.items() if count), None)
        try:
            if kind:
                module, name = CLUSTERS[kind]
                cluster = stack.enter_context(getattr(importlib.import_module(module), name)())
                cluster.scale(counts[kind])
            elif not scheduler:
                # Temporary keys, because every user of this machine can reach its ports.
                cluster = stack.enter_context(LocalCluster(
                    n_workers=local, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0",
                    security=True, silence_logs=logging.CRITICAL))
            client = stack.enter_context(Client(scheduler or cluster))
        except ImportError as error:
            raise FleetError(f"A package is missing: pip install 'carryover-fleet[{kind}]'", 64) from error
        except Exception as error:
            # Dask's packages throw what their libraries do.
            what = kind or scheduler or "a cluster on this machine"
            said = f"Dask cannot use {what}: {first_line(error)} (settings: Documentation/Fleet.md)"
            raise FleetError(said, 64) from error
        yield client


@contextlib.contextmanager
def shown(progress: Progress) -> Iterator[Progress]:
    """Shows how far an audit is: each second in the same line of a terminal, and elsewhere in a line a minute."""
    end, is_terminal = threading.Event(), sys.stderr.isatty()

    def show() -> None:
        while not end.wait(1 if is_terminal else 60):
            text = f"\r\x1b[K{progress}" if is_terminal else f"{progress}\n"
            print(text, end="", file=sys.stderr, flush=True)

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield progress
    finally:
        end.set()
        thread.join()
        print(end="\n" if is_terminal else "", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
