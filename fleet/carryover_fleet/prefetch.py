"""Copies inputs from the store into a private folder ahead of the worker process, within a limit of bytes."""

import errno
import fcntl
import os
import pathlib
import shutil
import tempfile
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import NamedTuple

import obstore
from obstore.exceptions import NotFoundError, PermissionDeniedError, PreconditionError

from .failures import Failure
from .manifest import Unit

THREADS = 16
PIECE = 1 << 20
FULL = (errno.ENOSPC, errno.EDQUOT)
PREFIX = "carryover-fleet-"


class Fetched(NamedTuple):
    """An input on this machine, or the reason that it cannot be."""

    unit: Unit
    path: str
    code: str | None


class NotHere(Exception):
    """An input that cannot be copied; `code` is the reason in its row."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class DiskFull(Exception):
    """There is no room for a copy."""


class PrivateFolder:
    """A new folder that only this user can read. What killed processes left beside it is removed."""

    def __init__(self, parent: str | None) -> None:
        place = pathlib.Path(parent or tempfile.gettempdir())
        for left in place.glob(PREFIX + "*"):
            self.remove_if_left(left)
        self.path = tempfile.mkdtemp(prefix=PREFIX, dir=place)
        self.lock = os.open(self.path, os.O_RDONLY)
        # The system gives the lock back when this process ends, however it ends.
        fcntl.flock(self.lock, fcntl.LOCK_EX)

    @staticmethod
    def remove_if_left(folder: pathlib.Path) -> None:
        try:
            descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            return
        try:
            if os.fstat(descriptor).st_uid == os.getuid():
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            pass
        finally:
            os.close(descriptor)

    def remove(self) -> None:
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self.lock)


class Prefetch:
    """Gives the inputs in order, each with its files, which are removed when the next one is asked for."""

    def __init__(self, store, folder: str, limit: int) -> None:
        """`limit` is how many bytes may be in the folder."""
        self.store, self.folder, self.limit = store, folder, limit
        self.pool = ThreadPoolExecutor(THREADS)

    def close(self) -> None:
        self.pool.shutdown(cancel_futures=True)

    def all(self, units: Iterable[Unit]) -> Iterator[Fetched]:
        waiting = deque(units)
        flying: deque[tuple[Unit, Future]] = deque()
        used = most = 0
        room = self.limit
        try:
            while waiting or flying:
                while waiting and len(flying) < 2 * THREADS and (not flying or used + waiting[0].bytes <= room):
                    unit = waiting.popleft()
                    used += unit.bytes
                    flying.append((unit, self.pool.submit(self.fetch, unit)))
                unit, future = flying.popleft()
                try:
                    yield Fetched(unit, self.path(unit), self.problem(unit, future))
                    used -= unit.bytes
                except DiskFull as error:
                    if not flying and room == 0:
                        raise Failure("The disk of the temporary folder is full.") from error
                    # The others make room, and are fetched again, from now on one at a time.
                    for other, begun in flying:
                        begun.exception()
                        self.remove(other)
                    waiting.extendleft(reversed([unit, *(other for other, _ in flying)]))
                    flying.clear()
                    used, room = 0, 0
                finally:
                    self.remove(unit)
        finally:
            for unit, future in flying:
                future.cancel()
            for unit, future in flying:
                if not future.cancelled():
                    future.exception()
                self.remove(unit)

    def problem(self, unit: Unit, future: Future) -> str | None:
        """Waits for a copy. Gives the reason if the input cannot be here, and throws what is no fault of its own."""
        if unit.bytes > self.limit:
            return "too-large"
        try:
            future.result()
        except NotHere as reason:
            return reason.code
        except OSError as error:
            raise (DiskFull() if error.errno in FULL else error) from error
        return None

    def root(self, unit: Unit) -> str:
        return os.path.join(self.folder, str(unit.n))

    def path(self, unit: Unit) -> str:
        """Where the input is: below the same folders as in the store, because names can matter to what it is."""
        return os.path.join(self.root(unit), unit.path)

    def remove(self, unit: Unit) -> None:
        shutil.rmtree(self.root(unit), ignore_errors=True)

    def fetch(self, unit: Unit) -> None:
        if unit.bytes > self.limit:
            return
        for key, size, etag in unit.objects:
            place = os.path.join(self.root(unit), unit.root, key)
            try:
                os.makedirs(os.path.dirname(place), 0o700, exist_ok=True)
                file = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            except OSError as error:
                if error.errno in FULL:
                    raise
                # No file can have this name here, or it is a file and a folder at once.
                raise NotHere("file-system") from error
            with open(file, "wb", buffering=0) as output:
                self.copy(key, size, etag, output)

    def copy(self, key: str, size: int, etag: str | None, output) -> None:
        try:
            # Nothing but what was listed: an object that has changed since is not audited in part.
            got = obstore.get(self.store, key, options={"if_match": etag} if etag else None)
            copied = 0
            if size <= PIECE:
                data = got.bytes()
                copied = len(data)
                output.write(data)
            else:
                for piece in got.stream(min_chunk_size=PIECE):
                    copied += len(piece)
                    output.write(piece)
        except PreconditionError as error:
            raise NotHere("changed") from error
        except (NotFoundError, FileNotFoundError) as error:
            raise NotHere("not-found") from error
        except (PermissionDeniedError, PermissionError) as error:
            raise NotHere("permission-denied") from error
        if copied != size:
            raise NotHere("changed")
