"""Audits a source on a Dask cluster: lists it, and has the workers audit it slice by slice."""

import hashlib
import json
import os
import pathlib
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone

from distributed import Client, as_completed

from .inputs import Input, Listing, inputs, slices
from .store import Place
from .text import FleetError, counted, first_line
from .worker import Job, Part, audit_slice, run_audit

ABOUT, COMPLETE = "audit.json", "complete.json"
# Slices for each thread of the workers, how often Dask tries one again, and how many may fail before the audit ends.
PER_THREAD, RETRIES, MOST_FAILURES = 3, 2, 8
# How long to wait for a worker, in seconds.
PATIENCE = 120
OPTIONS = ("allow_opted_out", "now", "parameter", "policy", "recipe", "timeout", "trust", "write_key")
# What the members of audit.json are called.
MEMBERS = {
    "paths": "source", "version": "version of carryover", "recipeDigest": "recipe", "policyDigest": "policy",
    "parameters": "parameter", "writeKey": "write key", "allowsOptedOut": "--allow-opted-out", "now": "--now"}


@dataclass
class Progress:
    """How many inputs were listed, and their size in bytes, and how many were audited."""

    audited: int = 0
    listed: int = 0
    bytes: int = 0

    def __str__(self) -> str:
        return f"{counted(self.audited, 'input')} audited, {self.listed:,} listed with {self.bytes / 1e9:,.2f} GB"


def audit(
    client: Client, source: str, output: str, *, command: str = "carryover", slice_count: int = 1_000,
    slice_mb: int = 512, max_gb: float | None = None, progress: Progress | None = None, **options: object,
) -> Progress:
    """Audits the containers at `source` on the workers of a client, and stores the rows at `output`, both `s3://` URLs.

    `options` are those of `carryover audit`: `now`, `write_key`, `recipe`, `trust`, `parameter`, `policy`, `timeout` and
    `allow_opted_out`. An audit that reads more than `max_gb` is interrupted. The same call continues an interrupted one. `progress`
    changes while it runs. Throws `FleetError`. `merge` makes a folder of the rows."""
    place, store, progress = Place.at(source), Place.at(output), progress or Progress()
    begun = store.document(ABOUT) or {}
    now = options.get("now") or begun.get("now") or datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    words, files = arguments(options | {"now": now})
    # On a file that is no archive, the command checks its options, and writes them as in any other audit.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "empty.zip")
        open(path, "xb").close()
        about = run_audit(command, words, files, folder, os.path.join(folder, "audit"), path)
    about["paths"] = [hashlib.sha256(place.url.encode()).hexdigest()]
    check_workers(client, command, about["version"])
    # Of two audits that begin at once in a place, one writes the options; the other one must have the same.
    store.put(ABOUT, (json.dumps(about, indent=2) + "\n").encode(), is_new=True)
    begun = store.document(ABOUT) or {}
    for name in about:
        if begun.get(name) != about[name]:
            raise FleetError(
                f"The audit at {store.url} was begun with another {MEMBERS.get(name, name)}. Use the same, or name "
                "another place.", 64)
    size = slice_mb * 1_000_000
    name = place.prefix[:-1].rpartition("/")[2] or place.bucket
    todo = slices(inputs(Listing(place.listed(), place.first), place.prefix, name, size), slice_count, size)
    parts = audited(client, Job(place, store, command, words, files, about), todo, progress, max_gb)
    if not parts:
        raise FleetError(f"There is no container, archive or backup at {place.url}.")
    store.put(COMPLETE, (json.dumps({"parts": parts}) + "\n").encode(), is_new=False)
    return progress


def arguments(options: dict) -> tuple[tuple[str, ...], tuple[tuple[str, bytes], ...]]:
    """The options of `carryover audit`, and the content of the files that they name."""
    words, files = [], []
    for name, value in options.items():
        if name not in OPTIONS:
            raise TypeError(f"carryover audit has no option {name} on a cluster")
        option = "--" + name.replace("_", "-")
        if value and (name == "policy" or name == "recipe" and os.path.isfile(value)):
            files.append((option, pathlib.Path(value).read_bytes()))
        elif value is True:
            words.append(option)
        elif value:
            words += [f"{option}={one}" for one in (value if isinstance(value, (list, tuple)) else [value])]
    return tuple(words), tuple(files)


def check_workers(client: Client, command: str, version: str) -> None:
    """Names the workers that cannot audit, before anything starts."""
    from . import __version__ as ours

    # A function in a function is sent as code, so the package need not be there.
    def look() -> str | None:
        try:
            import carryover_fleet

            done = subprocess.run([command, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        except ImportError as error:
            return f"carryover-fleet is not installed ({error})"
        except OSError as error:
            return f"{command} cannot be started ({error.strerror})"
        found = (carryover_fleet.__version__, done.stdout.strip())
        names = f"carryover-fleet {found[0]} and carryover {found[1]}, not {ours} and {version}"
        return None if found == (ours, version) else f"there are {names}"

    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise FleetError(f"The cluster has no worker after {PATIENCE} seconds.") from error
    answers = client.run(look, on_error="return")
    wrong = [f"{worker}: {answer}" for worker, answer in sorted(answers.items()) if answer is not None]
    if wrong:
        raise FleetError(f"{counted(len(wrong), 'worker')} cannot audit; {'; '.join(wrong[:5])}. Give every worker the same image.")


def audited(client: Client, job: Job, todo: Iterator[list[Input]], progress: Progress, max_gb: float | None) -> list[Part]:
    """Has every slice audited while the next ones are listed. Gives the parts in the order of the listing."""
    # What was complete once is not accepted in another form.
    known = {part[0]: Part(*part) for part in (job.output.document(COMPLETE) or {}).get("parts", ())}
    numbers, parts, failed = {}, {}, []
    running = as_completed()

    def submit() -> None:
        if slice := next(todo, None):
            progress.listed += len(slice)
            progress.bytes += sum(item.size for one in slice for item in one.objects or ())
            if max_gb is not None and not progress.bytes <= max_gb * 1e9:
                raise FleetError(f"The audit reads more than --max-gb {max_gb:g}. With more, it continues.", 5)
            # Equal inputs with equal options have equal rows.
            name = f"parts/{hashlib.sha256(json.dumps([job.options, slice]).encode()).hexdigest()}.ndjson.gz"
            future = client.submit(audit_slice, job, name, slice, pure=False, retries=RETRIES)
            numbers[future] = len(parts) + len(failed) + len(numbers)
            running.add(future)

    try:
        for _ in range(PER_THREAD * sum(client.nthreads().values())):
            submit()
        for future in running:
            number = numbers.pop(future)
            if future.status == "finished":
                parts[number] = part = future.result()
                progress.audited += part.inputs
                if known.get(part.name, part) != part:
                    raise FleetError(f"{part.name} is not the one in {COMPLETE}. Remove both, and start again.")
            else:
                error = future.exception() if future.status == "error" else None
                failed.append(first_line(error) if error else "It was cancelled.")
            if len(failed) < MOST_FAILURES:
                submit()
    finally:
        client.cancel(list(numbers), force=True)
    if failed:
        raise FleetError(f"{counted(len(failed), 'slice')} failed: {failed[0]} The same command tries again.")
    return [parts[number] for number in sorted(parts)]
