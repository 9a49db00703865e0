"""Audits a source on a Dask cluster: lists it, and has the workers audit it slice by slice. A worker copies a slice's
inputs, runs `carryover audit` on them, and stores the rows."""

import contextlib
import errno
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import IO, NamedTuple

from botocore.exceptions import ClientError
from distributed import Client, as_completed, get_worker

from .inputs import ARCHIVES, Input, Listing, inputs, slices
from .store import FleetError, Object, Place, code, counted, first_line

ABOUT, COMPLETE = "audit.json", "complete.json"
# Slices for each thread of the workers, how often Dask tries one again, and how many may fail before the audit ends.
PER_THREAD, RETRIES, MOST_FAILURES = 3, 2, 8
PATIENCE = 120  # seconds for the first worker
OPTIONS = ("allow_opted_out", "now", "parameter", "policy", "recipe", "timeout", "trust", "write_key")
# What the members of audit.json are called.
MEMBERS = {
    "paths": "source", "version": "version of carryover", "recipeDigest": "recipe", "policyDigest": "policy",
    "parameters": "parameter", "writeKey": "write key", "allowsOptedOut": "--allow-opted-out", "now": "--now"}
THREADS = 16
LONGEST_LINE, MOST_BYTES = 64 << 20, 8 << 30
# The outcome and the code of an input of which the store does not give an object. Other errors fail the slice.
REFUSED = {
    "PreconditionFailed": ("changed", None), "AccessDenied": ("unreadable", "permission-denied"),
    "InvalidObjectState": ("unreadable", "not-restored")}
# A file cannot have this name here, or is a folder too.
NAME_ERRORS = (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL)
# Whatever can be wrong in a part.
DAMAGE = (
    gzip.BadGzipFile, EOFError, zlib.error, ValueError, LookupError, TypeError, AttributeError, StopIteration, RecursionError)


class Job(NamedTuple):
    source: Place
    output: Place
    command: str
    words: list[str | bytes]  # the options of `carryover audit`, with the content of the files that some of them name
    options: dict  # audit.json, as the command writes it


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

    `options` are those of `carryover audit`: `now`, `write_key`, `recipe`, `trust`, `parameter`, `policy`, `timeout`
    and `allow_opted_out`. An audit that reads more than `max_gb` is interrupted. The same call continues an interrupted
    one. `progress` changes while it runs. Throws `FleetError`. `merge` makes a folder of the rows."""
    place, store, progress = Place.at(source), Place.at(output), progress or Progress()
    begun = store.document(ABOUT) or {}
    now = options.get("now") or begun.get("now") or datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    job = Job(place, store, command, arguments(options | {"now": now}), {})
    # On a file that is no archive, the command checks its options, and writes them as in any other audit.
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "empty.zip")
        open(path, "xb").close()
        about = run_audit(job, folder, path) | {"paths": [hashlib.sha256(place.url.encode()).hexdigest()]}
    check_workers(client, command, about["version"])
    # Of two audits that begin at once in a place, one writes the options; the other one must have the same.
    store.put(ABOUT, (json.dumps(about, indent=2) + "\n").encode(), is_new=True)
    begun = store.document(ABOUT) or {}
    if other := next((name for name in about if begun.get(name) != about[name]), None):
        raise FleetError(
            f"The audit at {store.url} was begun with another {MEMBERS.get(other, other)}. Use the same, or name another "
            "place.", 64)
    size, name = slice_mb * 1_000_000, place.prefix[:-1].rpartition("/")[2] or place.bucket
    todo = slices(inputs(Listing(place.listed(), place.first), place.prefix, name, size), slice_count, size)
    parts = audited(client, job._replace(options=about), todo, progress, max_gb)
    if not parts:
        raise FleetError(f"There is no container, archive or backup at {place.url}.")
    store.put(COMPLETE, (json.dumps(parts, sort_keys=True) + "\n").encode(), is_new=False)
    return progress


def arguments(options: dict) -> list[str | bytes]:
    """The options of `carryover audit`, with the content of the files that they name."""
    words = []
    for name, value in options.items():
        if name not in OPTIONS:
            raise TypeError(f"carryover audit has no option {name} on a cluster")
        option = "--" + name.replace("_", "-")
        if value and (name == "policy" or name == "recipe" and os.path.isfile(value)):
            words += [option, pathlib.Path(value).read_bytes()]
        elif value is True:
            words.append(option)
        elif value:
            words += [f"{option}={one}" for one in (value if isinstance(value, (list, tuple)) else [value])]
    return words


def check_workers(client: Client, command: str, version: str) -> None:
    from . import __version__ as ours

    # A function in a function is sent as code, so the package need not be there.
    def look() -> str:
        import carryover_fleet

        done = subprocess.run([command, "--version"], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return f"carryover-fleet {carryover_fleet.__version__} and carryover {done.stdout.strip()}"

    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        raise FleetError(f"The cluster has no worker after {PATIENCE} seconds.") from error
    needed = f"carryover-fleet {ours} and carryover {version}"
    answers = sorted(client.run(look, on_error="return").items())
    wrong = [f"{worker}: {first_line(found)}" for worker, found in answers if found != needed]
    if wrong:
        raise FleetError(
            f"{counted(len(wrong), 'worker')} cannot audit; {'; '.join(wrong[:5])}. Give every worker {needed}, in the same image.")


def audited(
    client: Client, job: Job, todo: Iterator[list[Input]], progress: Progress, max_gb: float | None,
) -> dict[str, str]:
    """Has every slice audited while the next ones are listed. Gives the parts and their checksums."""
    # What was complete once is not accepted in another form.
    known = job.output.document(COMPLETE) or {}
    slices, parts, failed = {}, {}, []
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
            slices[future] = (name, len(slice))
            running.add(future)

    try:
        for _ in range(PER_THREAD * sum(client.nthreads().values())):
            submit()
        for future in running:
            name, count = slices.pop(future)
            if future.status == "finished":
                parts[name] = future.result()
                progress.audited += count
                if known.get(name, parts[name]) != parts[name]:
                    raise FleetError(f"{name} is not the one in {COMPLETE}. Remove both, and start again.")
            else:
                error = future.exception() if future.status == "error" else None
                failed.append(first_line(error) if error else "It was cancelled.")
            if len(failed) < MOST_FAILURES:
                submit()
    finally:
        client.cancel(list(slices), force=True)
    if failed:
        raise FleetError(f"{counted(len(failed), 'slice')} failed: {failed[0]} The same command tries again.")
    return parts


def audit_slice(job: Job, name: str, slice: list[Input]) -> str:
    """Stores the rows of a slice unless they are there already, and gives the checksum of what is there."""
    # Dask removes what killed workers left in this folder.
    with tempfile.TemporaryDirectory(prefix="slice-", dir=get_worker().local_directory) as folder:
        with open(os.path.join(folder, "part"), "w+b") as file:
            if job.output.fetch(job.output.prefix + name, file, MOST_BYTES) is None:
                write_part(job, slice, folder, file)
                file.seek(0)
                # A doubled task may have been faster.
                job.output.put(name, file, is_new=True)
                job.output.fetch(job.output.prefix + name, file, MOST_BYTES)
            with reading(name, file) as lines:
                head = json.loads(next(lines))
                if head["options"] != job.options or head["names"] != [one.name for one in slice]:
                    raise ValueError
            return checksum(file)


def checksum(file: IO[bytes]) -> str:
    file.seek(0)
    return hashlib.file_digest(file, "sha256").hexdigest()


@contextlib.contextmanager
def reading(name: str, file: IO[bytes]) -> Iterator[Iterator[bytes]]:
    """The lines of a part, the first of which is its head. Whoever can write into the store may have made it."""
    def lines(size: int) -> Iterator[bytes]:
        with gzip.GzipFile(fileobj=file) as text:
            while line := text.readline(LONGEST_LINE):
                size += len(line)
                if size > MOST_BYTES or not line.endswith(b"\n"):
                    raise ValueError
                yield line

    try:
        yield lines(file.seek(0))
    except DAMAGE as error:
        raise FleetError(f"{name} is not what the audit wrote. Remove it, and start the audit again.") from error


def write_part(job: Job, slice: list[Input], folder: str, file: IO[bytes]) -> None:
    """Audits a slice. The rows have the numbers of the inputs as paths; their names are in the head."""
    copies, work = os.path.join(folder, "copies"), os.path.join(folder, "inputs")
    os.mkdir(copies)
    os.mkdir(work)
    problems = copied(job.source, slice, copies)
    for number, one in enumerate(slice, 1):
        if number in problems:
            # The command writes the row of a file that is no archive; its outcome is replaced when rows are merged.
            open(os.path.join(work, f"{number:06d}.zip"), "xb").close()
        else:
            os.rename(os.path.join(copies, str(number)), os.path.join(work, f"{number:06d}{one.ending}"))
    if run_audit(job, folder, work) | {"paths": 0} != job.options | {"paths": 0}:
        raise FleetError(f"{job.command} is another version on a worker than where the audit was started.")
    head = {"options": job.options, "names": [one.name for one in slice], "problems": problems}
    with open(os.path.join(folder, "audit/rows.ndjson"), "rb") as rows:
        with gzip.GzipFile(fileobj=file, mode="wb", filename="", compresslevel=3, mtime=0) as text:
            text.write(json.dumps(head).encode() + b"\n")
            shutil.copyfileobj(rows, text)


def copied(source: Place, slice: list[Input], folder: str) -> dict[int, tuple[str, str | None]]:
    """Copies inputs, numbered from 1, into a folder. Gives the outcome and code of those that cannot be read."""
    problems = {number: ("unreadable", "too-large") for number, one in enumerate(slice, 1) if one.objects is None}
    files = [(number, one, item) for number, one in enumerate(slice, 1) for item in one.objects or ()]
    with ThreadPoolExecutor(THREADS) as pool:
        for (number, *_), found in zip(files, pool.map(lambda file: copy(source, folder, *file), files)):
            if found:
                problems.setdefault(number, found)
    return problems


def copy(source: Place, folder: str, number: int, one: Input, item: Object) -> tuple[str, str | None] | None:
    """Copies an object to its path inside the copy of its input. Gives the outcome and code if that is impossible."""
    names = [] if one.ending in ARCHIVES else item.key[len(one.base):].split("/")
    # An empty object with a slash behind its name stands for a folder.
    is_folder = names[-1:] == [""] and item.size == 0
    try:
        if any(name in ("", ".", "..") or "\0" in name for name in (names[:-1] if is_folder else names)):
            raise OSError(errno.EINVAL, "Not a name")
        place = os.path.join(folder, str(number), *names)
        os.makedirs(os.path.dirname(place), exist_ok=True)
        if is_folder:
            return None
        with open(place, "xb", buffering=0) as file:
            # Only what was listed: an object that has changed since is not audited in part.
            size = source.fetch(item.key, file, item.size, item.etag)
        return ("unreadable", "not-found") if size is None else ("changed", None) if size != item.size else None
    except OSError as error:
        if error.errno not in NAME_ERRORS:
            raise
        return ("unreadable", "file-system")
    except ClientError as error:
        if code(error) not in REFUSED:
            raise
        return REFUSED[code(error)]


def run_audit(job: Job, folder: str, path: str) -> dict:
    """Runs `carryover audit` on a path, into a folder `audit`, and gives the options that it wrote."""
    out = os.path.join(folder, "audit")
    words = [job.command, "audit", "run", *job.words, "--jobs", "1", "--output", out, path]
    for place, word in enumerate(words):
        if isinstance(word, bytes):
            words[place] = os.path.join(folder, f"{place}.yaml")
            pathlib.Path(words[place]).write_bytes(word)
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    except OSError as error:
        raise FleetError(f"{job.command} cannot be started: {error.strerror}.") from error
    # Status 1 may only mean that no container has a plan: the rows are complete.
    if not os.path.exists(os.path.join(out, "complete.json")):
        said = done.stderr.decode(errors="replace").strip() or f"{job.command} ended with status {done.returncode}."
        raise FleetError(said.splitlines()[0], 64 if done.returncode == 64 else 1)
    with open(os.path.join(out, "audit.json"), "rb") as file:
        return json.load(file)
