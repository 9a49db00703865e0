"""What a worker of the cluster does: audits a shard, or a piece of one, and saves its rows."""

import atexit
import gzip
import hashlib
import io
import os
import subprocess
import threading
import time
from dataclasses import dataclass, field

from . import manifest, stores
from .failures import Unusable
from .prefetch import Prefetch, PrivateFolder
from .process import WorkerProcess

# How often a worker looks whether somebody else has finished its shard, in seconds.
LOOK = 2.0


@dataclass(frozen=True)
class Job:
    """What is the same for every shard."""

    source: str
    digest: str
    output: str
    binary: str
    version: str
    arguments: tuple[str, ...]
    # The content of recipe and policy files, by the word in `arguments` that stands for them.
    files: tuple[tuple[str, bytes], ...] = ()
    limit: float = 60
    redact: bool = False
    folder: str | None = None
    folder_bytes: int = 512 << 20


@dataclass(frozen=True)
class Piece:
    """The inputs of a shard from `first` up to `end`, both counted from 0."""

    shard: int
    head: manifest.Shard
    first: int
    end: int
    is_whole: bool = True
    # Whether its only input has ended several workers, so that it is not opened again.
    is_poison: bool = False


@dataclass(frozen=True)
class Result:
    # Whether the shard has its rows in the store, from whomever.
    is_done: bool
    # The rows of a piece, compressed; those of a whole shard are in the store.
    rows: bytes = b""
    seconds: float = 0
    python: float = field(default=0, compare=False)


class Place:
    """What a process of the cluster keeps from one shard to the next."""

    current: "Place | None" = None
    guard = threading.Lock()

    def __init__(self, job: Job) -> None:
        self.job = job
        self.source = stores.open_store(job.source, "source")
        self.output = stores.open_store(job.output, "output")
        self.folder = PrivateFolder(job.folder)
        words = list(job.arguments)
        for word, content in job.files:
            path = os.path.join(self.folder.path, hashlib.sha256(content).hexdigest())
            with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                file.write(content)
            words = [path if one == word else one for one in words]
        self.process = WorkerProcess([job.binary, "audit", "run", "--worker", *words], job.limit)
        self.prefetch = Prefetch(self.source, self.folder.path, job.folder_bytes)
        atexit.register(self.close)

    def close(self) -> None:
        atexit.unregister(self.close)
        self.process.end()
        self.prefetch.close()
        self.folder.remove()

    @classmethod
    def of(cls, job: Job) -> "Place":
        if cls.current is None or cls.current.job != job:
            if cls.current:
                cls.current.close()
                cls.current = None
            check_version(job)
            cls.current = cls(job)
        return cls.current


def check_version(job: Job) -> None:
    version = binary_version(job.binary)
    if version != job.version:
        raise Unusable(f"{job.binary} is version {version} on a worker, and {job.version} where the run was started.")


def binary_version(binary: str) -> str:
    try:
        return subprocess.run([binary, "--version"], capture_output=True, check=True, text=True, timeout=60).stdout.strip()
    except (OSError, subprocess.SubprocessError) as error:
        raise Unusable(f"{binary} does not run: {error}.") from error


def audit(job: Job, piece: Piece) -> Result:
    """Audits a piece. The rows of a whole shard are written unless somebody else has; those of a piece are returned."""
    # A worker of the cluster with several threads has one process for all of them.
    with Place.guard:
        return audited(Place.of(job), piece)


def audited(place: Place, piece: Piece) -> Result:
    job, began, used = place.job, time.monotonic(), time.process_time()
    path = manifest.part_path(piece.shard)
    if stores.exists(place.output, path):
        return Result(is_done=True)
    units = manifest.read_units(place.output, job.digest, piece.shard, piece.head)[piece.first:piece.end]
    shown = {unit.n: None if job.redact else unit.path for unit in units}
    text = io.BytesIO()
    looked = time.monotonic()
    with gzip.GzipFile(fileobj=text, mode="wb", compresslevel=3, mtime=0) as rows:
        if piece.is_poison:
            rows.write(place.process.row(units[0].n, shown[units[0].n], "crashed"))
            units = []
        fetched = place.prefetch.all(units)
        try:
            for unit, local, code in fetched:
                if code == "changed":
                    rows.write(place.process.row(unit.n, shown[unit.n], code))
                elif code:
                    rows.write(place.process.row(unit.n, shown[unit.n], "unreadable", code))
                else:
                    rows.write(place.process.audit(unit.n, local, shown[unit.n]))
                if time.monotonic() - looked > LOOK:
                    looked = time.monotonic()
                    if stores.exists(place.output, path):
                        return Result(is_done=True)
        finally:
            fetched.close()
    if piece.is_whole:
        stores.put_once(place.output, path, text.getvalue())
    return Result(
        piece.is_whole, b"" if piece.is_whole else text.getvalue(), time.monotonic() - began,
        time.process_time() - used)
