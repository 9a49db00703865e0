"""The command carryover-fleet."""

import argparse
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
from datetime import datetime, timezone

from . import manifest, stores
from .failures import Changed, Failure, Unusable, Usage

OPTIONS = "audit.json"
# What a small container takes of a processor, in seconds: see Documentation/Fleet.md.
COST = 1 / 400


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="carryover-fleet", description="Runs carryover audit over an object store, on a cluster.",
        epilog="Exit status: 0 complete, 1 incomplete or failed, 5 unfinished: run it again, 64 usage.")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, about: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=about, description=about)
        made.add_argument("audit", help="where the audit is: a URL such as s3://bucket/audit-1, or a folder")
        return made

    plan = command("plan", "List the containers, and write the manifest.")
    plan.add_argument("source", help="where the containers are: a URL such as s3://bucket/prefix, or a folder")
    plan.add_argument("--shard-mb", type=positive, default=256, help="the most megabytes of a shard")
    plan.add_argument("--shard-count", type=positive, default=1000, help="the most inputs of a shard")
    run = command("run", "Audit what has no rows yet.")
    where = run.add_mutually_exclusive_group()
    where.add_argument("--local", type=positive, metavar="N", help="N workers on this machine; the default: one per processor")
    where.add_argument("--scheduler", metavar="ADDRESS", help="a Dask scheduler that is running")
    where.add_argument("--kubernetes", type=positive, metavar="N", help="N workers, by dask-kubernetes")
    where.add_argument("--slurm", type=positive, metavar="N", help="N jobs, by dask-jobqueue")
    run.add_argument("--binary", default="carryover", help="the command carryover, here and on the workers")
    run.add_argument("--temporary", metavar="FOLDER", help="where workers put copies of containers")
    run.add_argument("--temporary-mb", type=positive, default=512, help="the most megabytes of these copies for a worker")
    audit = run.add_argument_group("as for carryover audit")
    audit.add_argument("--recipe", metavar="RECIPE", help="a recipe's id, or a recipe file on this machine")
    audit.add_argument("--trust", action="append", default=[], metavar="SHA256")
    audit.add_argument("-P", "--param", action="append", default=[], metavar="NAME=VALUE")
    audit.add_argument("--write-key", metavar="KEY")
    audit.add_argument("--now", metavar="TIME", help="the moment of all plans")
    audit.add_argument("--allow-opted-out", action="store_true")
    audit.add_argument("--policy", metavar="FILE")
    audit.add_argument("--timeout", type=positive, default=60, metavar="SECONDS")
    audit.add_argument("--redact", action="store_true", help="omit paths from the rows")
    for one in (plan, run):
        one.add_argument("--max-gb", type=float, metavar="GB", help="refuse to read more")
        one.add_argument("--max-containers", type=positive, metavar="N", help="refuse to audit more inputs")
        one.add_argument("--dry-run", action="store_true", help="only print what it would read")
    command("status", "Show how far the audit is.").add_argument("--json", action="store_true")
    command("merge", "Put all rows into a folder: rows.ndjson, rows.parquet, summary.json.").add_argument(
        "folder", type=pathlib.Path)
    about = "Report a merged audit: takes the options of carryover audit report."
    report = commands.add_parser("report", help=about, description=about)
    report.add_argument("folder", help="the folder that merge made")
    report.add_argument("--binary", default="carryover")
    return top


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def main(arguments: list[str] | None = None) -> int:
    try:
        commands = parser()
        options, others = commands.parse_known_args(arguments)
        if others and options.command != "report":
            commands.error(f"unknown: {' '.join(others)}")
        options.others = others
    except SystemExit as end:
        return 64 if end.code == 2 else int(end.code or 0)
    try:
        return {"plan": plan, "run": run, "status": status, "merge": merged, "report": report}[options.command](options)
    except (Failure, Unusable) as failure:
        print(f"carryover-fleet: {failure}", file=sys.stderr)
        return getattr(failure, "status", 1)
    except Exception as error:
        if not isinstance(error, OSError) and not type(error).__module__.startswith("obstore"):
            raise
        print(f"carryover-fleet: {stores.first_line(error)}", file=sys.stderr)
        return 1


def plan(options: argparse.Namespace) -> int:
    source = stores.open_store(options.source, "source")
    head, texts = manifest.make(
        absolute(options.source), manifest.listed(source), options.shard_mb * 1_000_000, options.shard_count)
    print(estimate(head, range(len(head.shards))))
    if head.ignored:
        print(f"{head.ignored:,} objects are in no container, archive or backup.")
    if not head.inputs:
        raise Failure(f"There is no container, archive or backup at {options.source}.")
    guard(options, head)
    if not options.dry_run:
        store = stores.open_store(options.audit, "output")
        print("Manifest written." if manifest.write(store, head, texts) else "The same manifest is there already.")
    return 0


def absolute(url: str) -> str:
    return url.rstrip("/") if "://" in url else str(pathlib.Path(url).resolve())


def estimate(head: manifest.Manifest, shards) -> str:
    """What a run reads, and about what it costs."""
    chosen = [head.shards[shard] for shard in shards]
    inputs, objects = sum(shard.inputs for shard in chosen), sum(shard.objects for shard in chosen)
    size = sum(shard.bytes for shard in chosen)
    return (
        f"{inputs:,} inputs in {len(chosen):,} shards: {objects:,} GETs, {len(chosen):,} PUTs, {size / 1e9:,.2f} GB, "
        f"from {inputs * COST / 3600:,.2f} processor hours.")


def guard(options: argparse.Namespace, head: manifest.Manifest) -> None:
    if options.max_gb is not None and head.bytes > options.max_gb * 1e9:
        raise Usage(f"The audit reads {head.bytes / 1e9:,.2f} GB, more than --max-gb {options.max_gb:g}.")
    if options.max_containers is not None and head.inputs > options.max_containers:
        raise Usage(f"The audit has {head.inputs:,} inputs, more than --max-containers {options.max_containers:,}.")


def run(options: argparse.Namespace) -> int:
    from .clusters import opened
    from .drive import Drive
    from .merge import done_shards
    from .shard import binary_version

    store = stores.open_store(options.audit, "output")
    head = manifest.Manifest.load(store)
    guard(options, head)
    done = set(done_shards(store, head))
    shards = {number: shard for number, shard in enumerate(head.shards) if number not in done}
    print(estimate(head, shards) if shards else "Every shard has its rows. Next: carryover-fleet merge")
    if options.dry_run:
        return 0
    job = job_of(options, head, store, binary_version(options.binary))
    if not shards:
        return 0
    with opened(options.local, options.scheduler, options.kubernetes, options.slurm) as client:
        drive = Drive(client, job, store, shards, progress(len(shards)))
        before = {number: signal.signal(number, lambda *_: drive.interrupt()) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            result = drive.run()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    for number, reason in sorted(result.failed.items()):
        print(f"Shard {number} failed: {reason}", file=sys.stderr)
    if result.failed:
        raise Failure(f"The audit is incomplete: {len(result.failed):,} shards failed. The same command tries them again.")
    print("Every shard has its rows. Next: carryover-fleet merge")
    return 0


def progress(total: int):
    if not sys.stderr.isatty():
        return lambda done: None

    def show(done: int) -> None:
        print(f"\r{done:,} of {total:,} shards", end="\n" if done == total else "", file=sys.stderr, flush=True)
    return show


def job_of(options: argparse.Namespace, head: manifest.Manifest, store, version: str):
    """The job, if it is the one that the audit was begun with."""
    from .shard import Job

    kept = json.loads(stores.read(store, OPTIONS) or b"{}")
    now = options.now or kept.get("now") or datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    files = {}
    words = ["--now", now]
    for name in ("recipe", "policy"):
        given = getattr(options, name)
        if given and (name == "policy" or os.path.isfile(given)):
            files[f"file:{name}"] = pathlib.Path(given).read_bytes()
        if given:
            words += [f"--{name}", f"file:{name}" if f"file:{name}" in files else given]
    for name, values in (("--trust", options.trust), ("-P", options.param)):
        words += [word for value in values for word in (name, value)]
    words += ["--write-key", options.write_key] if options.write_key else []
    words += ["--allow-opted-out"] if options.allow_opted_out else []
    asked = {
        "schema": "carryover.fleet-options/1", "version": version, "now": now, "manifest": head.digest,
        "recipe": None if "file:recipe" in files else options.recipe,
        "recipeDigest": digest(files.get("file:recipe")), "policyDigest": digest(files.get("file:policy")),
        "parameters": [digest(word.encode()) for word in options.param], "trust": options.trust,
        "writeKey": digest(options.write_key and options.write_key.encode()),
        "allowsOptedOut": options.allow_opted_out, "redacted": options.redact, "timeout": options.timeout,
    }
    # Of two runs that begin at once, one writes the options; the other one must have the same.
    stores.put_once(store, OPTIONS, (json.dumps(asked, indent=2) + "\n").encode())
    begun = json.loads(stores.read(store, OPTIONS) or b"{}")
    other = [name for name in asked if name != "now" and begun.get(name) != asked[name]]
    if other:
        raise Usage(f"The audit was begun with another {', '.join(other)}. Use the same, or plan an audit in another place.")
    if options.now not in (None, begun["now"]):
        raise Usage(f"The audit was begun with --now {begun['now']}. Use the same, or plan an audit in another place.")
    words[1] = begun["now"]
    return Job(
        head.source, head.digest, absolute(options.audit), options.binary, version, tuple(words),
        tuple(sorted(files.items())), options.timeout, options.redact, options.temporary,
        options.temporary_mb * 1_000_000)


def digest(data: bytes | None) -> str | None:
    return hashlib.sha256(data).hexdigest() if data else None


def status(options: argparse.Namespace) -> int:
    from .merge import done_shards

    store = stores.open_store(options.audit, "output")
    head = manifest.Manifest.load(store)
    done = done_shards(store, head)
    inputs = sum(head.shards[shard].inputs for shard in done)
    if options.json:
        print(json.dumps({
            "schema": "carryover.fleet-status/1", "shards": len(head.shards), "doneShards": len(done),
            "inputs": head.inputs, "doneInputs": inputs}))
    else:
        print(f"{len(done):,} of {len(head.shards):,} shards are done, {inputs:,} of {head.inputs:,} inputs.")
    return 0 if len(done) == len(head.shards) else 5


def merged(options: argparse.Namespace) -> int:
    from .merge import merge

    store = stores.open_store(options.audit, "output")
    head = manifest.Manifest.load(store)
    summary = merge(store, head, json.loads(stores.read(store, OPTIONS) or b"{}"), options.folder)
    outcomes = ", ".join(f"{count:,} {name}" for name, count in summary["outcomes"].items())
    print(f"{summary['inputs']:,} inputs, {summary['containers']:,} containers: {outcomes}.")
    print(f"Rows: {options.folder}. Next: carryover-fleet report")
    changed = summary["outcomes"].get("changed", 0)
    if changed:
        which = "1 container" if changed == 1 else f"{changed:,} containers"
        raise Changed(f"{which} changed after the plan. Plan an audit in another place, and run it.")
    return 0


def report(options: argparse.Namespace) -> int:
    command = [options.binary, "audit", "report", options.folder, *options.others]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
