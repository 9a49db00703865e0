"""What a worker does: copies a slice's inputs, runs `carryover audit` on them, and stores the rows."""

import contextlib
import errno
import gzip
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import IO, NamedTuple

from botocore.exceptions import ClientError
from distributed import get_worker

from .inputs import ARCHIVES, Input
from .store import Object, Place, code
from .text import FleetError

THREADS = 16
LONGEST_LINE, MOST_BYTES = 64 << 20, 8 << 30
# The outcome and the code of an input of which the store does not give an object. Other errors fail the slice.
REFUSED = {
    "PreconditionFailed": ("changed", None), "AccessDenied": ("unreadable", "permission-denied"),
    "InvalidObjectState": ("unreadable", "not-restored")}
# A file cannot have this name here, or is a folder too.
NAME_ERRORS = (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG, errno.EILSEQ, errno.EINVAL)


class Job(NamedTuple):
    """What is the same for every slice."""

    source: Place
    output: Place
    command: str
    # The options of `carryover audit`, and the content of the files that some of them name.
    words: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...]
    # audit.json, as the command writes it.
    options: dict


class Part(NamedTuple):
    """The stored rows of a slice, with a checksum of the text: compressors differ."""

    name: str
    inputs: int
    rows: int
    sha256: str


def audit_slice(job: Job, name: str, slice: list[Input]) -> Part:
    """Stores the rows of a slice unless they are there already, and gives what is there."""
    key = job.output.prefix + name
    # Dask removes what killed workers left in this folder.
    with tempfile.TemporaryDirectory(prefix="slice-", dir=get_worker().local_directory) as folder:
        with open(os.path.join(folder, "part"), "w+b") as file:
            if job.output.fetch(key, file, MOST_BYTES) is None:
                write_part(job, slice, folder, file)
                file.seek(0)
                # A doubled task may have been faster.
                if not job.output.put(name, file, is_new=True):
                    job.output.fetch(key, file, MOST_BYTES)
            with reading(name):
                lines = lines_of(file)
                first = next(lines)
                head = json.loads(first)
                if head["options"] != job.options or head["names"] != [one.name for one in slice]:
                    raise ValueError
                sha256, count = hashlib.sha256(first), 0
                for line in lines:
                    sha256.update(line)
                    count += 1
                return Part(name, len(slice), count, sha256.hexdigest())


def lines_of(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a part, the first of which is its head. Whoever can write into the store may have made it."""
    size = file.seek(0)
    with gzip.GzipFile(fileobj=file) as text:
        while line := text.readline(LONGEST_LINE):
            size += len(line)
            if size > MOST_BYTES or not line.endswith(b"\n"):
                raise ValueError
            yield line


@contextlib.contextmanager
def reading(name: str) -> Iterator[None]:
    """Says of whatever can be wrong in a part that it is damaged."""
    try:
        yield
    except (gzip.BadGzipFile, EOFError, zlib.error, ValueError, LookupError, TypeError, AttributeError, StopIteration,
            RecursionError) as error:
        raise FleetError(f"{name} is not what the audit wrote. Remove it, and start the audit again.") from error


def write_part(job: Job, slice: list[Input], folder: str, file: IO[bytes]) -> None:
    """Audits a slice. The rows have the numbers of the inputs as paths; their names are in the head."""
    copies, work, out = (os.path.join(folder, name) for name in ("copies", "inputs", "audit"))
    os.mkdir(copies)
    os.mkdir(work)
    problems = copied(job.source, slice, copies)
    for number, one in enumerate(slice, 1):
        if number in problems:
            # The command writes the row of a file that is no archive; its outcome is replaced when rows are merged.
            open(os.path.join(work, f"{number:06d}.zip"), "xb").close()
        else:
            os.rename(os.path.join(copies, str(number)), os.path.join(work, f"{number:06d}{one.ending}"))
    if run_audit(job.command, job.words, job.files, folder, out, work) | {"paths": 0} != job.options | {"paths": 0}:
        raise FleetError(f"{job.command} is another version on a worker than where the audit was started.")
    with open(os.path.join(out, "rows.ndjson"), "rb") as rows:
        counts = Counter(json.loads(line)["n"] for line in rows)
        rows.seek(0)
        head = {"options": job.options, "names": [one.name for one in slice],
                "rows": [counts[number] for number in range(1, len(slice) + 1)], "problems": problems}
        with gzip.GzipFile(fileobj=file, mode="wb", filename="", compresslevel=3, mtime=0) as text:
            text.write(json.dumps(head).encode() + b"\n")
            shutil.copyfileobj(rows, text)


def copied(source: Place, slice: list[Input], folder: str) -> dict[int, tuple[str, str | None]]:
    """Copies inputs, numbered from 1, into a folder. Gives the outcome and code of those that cannot be read."""
    problems = {number: ("unreadable", "too-large") for number, one in enumerate(slice, 1) if one.objects is None}
    files: list[tuple[int, str, Object]] = []
    for number, one in enumerate(slice, 1):
        try:
            files += [(number, place, item) for place, item in laid_out(one, os.path.join(folder, str(number)))]
        except OSError as error:
            problems[number] = unnamed(error)

    def problem(number: int, place: str, item: Object) -> tuple[str, str | None] | None:
        try:
            with open(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb", buffering=0) as file:
                # Only what was listed: an object that has changed since is not audited in part.
                size = source.fetch(item.key, file, item.size, item.etag)
        except OSError as error:
            return unnamed(error)
        except ClientError as error:
            if code(error) not in REFUSED:
                raise
            return REFUSED[code(error)]
        return ("unreadable", "not-found") if size is None else ("changed", None) if size != item.size else None

    with ThreadPoolExecutor(THREADS) as pool:
        for (number, *_), found in zip(files, pool.map(lambda file: problem(*file), files)):
            if found:
                problems.setdefault(number, found)
    return problems


def laid_out(one: Input, place: str) -> list[tuple[str, Object]]:
    """Makes the folders of an input's copy, and gives the path of each file, all of them inside the copy."""
    if one.ending in ARCHIVES or not one.objects:
        return [(place, item) for item in one.objects or ()]
    os.mkdir(place, 0o700)
    files = []
    for item in one.objects:
        *folders, name = item.key[len(one.base):].split("/")
        # An empty object with a slash behind its name stands for a folder.
        is_folder = name == "" and item.size == 0
        if any(part in ("", ".", "..") or "\0" in part for part in (folders if is_folder else [*folders, name])):
            raise OSError(errno.EINVAL, "Not a name")
        os.makedirs(os.path.join(place, *folders), 0o700, exist_ok=True)
        if not is_folder:
            files.append((os.path.join(place, *folders, name), item))
    return files


def unnamed(error: OSError) -> tuple[str, str]:
    """The outcome and the code of an input with a name that no file can have here. Throws any other error."""
    if error.errno not in NAME_ERRORS:
        raise error
    return ("unreadable", "file-system")


def run_audit(command: str, words: tuple[str, ...], files: tuple[tuple[str, bytes], ...], folder: str, out: str, path: str) -> dict:
    """Runs `carryover audit` on a path, and gives the options that it wrote."""
    given = [command, "audit", "run", *words]
    for option, content in files:
        place = os.path.join(folder, option.strip("-") + ".yaml")
        with open(place, "xb") as file:
            file.write(content)
        given += [option, place]
    try:
        done = subprocess.run(
            [*given, "--jobs", "1", "--output", out, path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
    except OSError as error:
        raise FleetError(f"{command} cannot be started: {error.strerror}.") from error
    # Status 1 may only mean that no container has a plan: the rows are complete.
    if not os.path.exists(os.path.join(out, "complete.json")):
        said = done.stderr.decode(errors="replace").strip() or f"{command} ended with status {done.returncode}."
        raise FleetError(said.splitlines()[0], 64 if done.returncode == 64 else 1)
    with open(os.path.join(out, "audit.json"), "rb") as file:
        return json.load(file)
