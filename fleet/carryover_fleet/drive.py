"""Drives the shards of an audit on a cluster until each has its rows in the store."""

import queue
import random
import statistics
import time
from collections import defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from distributed import Client, Future
from distributed.scheduler import KilledWorker

from . import stores
from .failures import Failure, Unfinished, Unusable
from .manifest import Shard, part_path
from .shard import Job, Piece, Result, audit

PER_WORKER = 3
RETRIES = 2
# The store is taken to be out of order after so many shards in a row that failed.
MOST_FAILURES = 8


@dataclass
class Report:
    """What a run did."""

    done: int = 0
    failed: dict[int, str] = field(default_factory=dict)
    split: int = 0
    seconds: float = 0
    python: float = 0


class Drive:
    """One run. Another one at the same time is harmless: a shard's rows are written once, and are the same."""

    def __init__(
        self, client: Client, job: Job, output, shards: dict[int, Shard], show: Callable[[int], None] = lambda done: None,
        patience: float = 5,
    ) -> None:
        """`patience` is the least time, in seconds, after which a shard counts as a straggler."""
        self.client, self.job, self.output, self.show, self.patience = client, job, output, show, patience
        self.wanted = set(shards)
        # Two runs at once hardly meet in a random order.
        self.todo = deque(
            Piece(number, shards[number], 0, shards[number].inputs) for number in random.sample(list(shards), len(shards)))
        self.flying: dict[Future, tuple[Piece, float]] = {}
        self.events: queue.SimpleQueue[Future | None] = queue.SimpleQueue()
        # The rows of the pieces of a shard that was split, by the first input.
        self.pieces: dict[int, dict[int, tuple[int, bytes]]] = {}
        self.times: list[float] = []
        self.counted = (float("-inf"), 0)
        self.tail: float | None = None
        self.failures = 0
        self.is_asked_to_end = False
        self.report = Report()

    def interrupt(self) -> None:
        """Ends the run soon. Can be called by a signal handler."""
        self.is_asked_to_end = True
        self.events.put(None)

    def run(self) -> Report:
        try:
            while self.wanted:
                self.fill()
                try:
                    event = self.events.get(timeout=0.5)
                except queue.Empty:
                    event = None
                if self.is_asked_to_end:
                    raise Unfinished("The run was interrupted. The same command continues it.")
                if event in self.flying:
                    self.finish(event)
                self.split_stragglers()
        finally:
            for future in self.flying:
                future.cancel(force=True)
        return self.report

    def workers(self) -> int:
        at, count = self.counted
        if time.monotonic() - at > 1:
            if self.client.status != "running":
                raise Unfinished("The scheduler is gone. The same command continues the run.")
            count = len(self.client.nthreads())
            self.counted = (time.monotonic(), count)
        return count

    def fill(self) -> None:
        while self.todo and len(self.flying) < PER_WORKER * max(1, self.workers()):
            self.submit(self.todo.popleft())
        if not self.todo and self.tail is None:
            self.tail = time.monotonic()

    def submit(self, piece: Piece) -> None:
        if piece.shard not in self.wanted:
            return
        future = self.client.submit(
            audit, self.job, piece, pure=False, retries=RETRIES, priority=0 if piece.is_whole else 10)
        self.flying[future] = (piece, time.monotonic())
        future.add_done_callback(self.events.put)

    def finish(self, future: Future) -> None:
        piece, _ = self.flying.pop(future)
        if piece.shard not in self.wanted:
            return
        if future.status == "finished":
            self.failures = 0
            return self.take(piece, future.result())
        error = future.exception() if future.status == "error" else None
        if isinstance(error, Unusable):
            raise Failure(str(error)) from error
        if isinstance(error, KilledWorker):
            return self.isolate(piece)
        reason = "it was cancelled" if error is None else f"{type(error).__name__}: {stores.first_line(error)}"
        self.leave(piece.shard)
        self.report.failed[piece.shard] = reason
        self.failures += 1
        if self.failures == MOST_FAILURES:
            raise Unfinished(f"{MOST_FAILURES} shards in a row failed; the last one: {reason}")

    def take(self, piece: Piece, result: Result) -> None:
        self.report.seconds += result.seconds
        self.report.python += result.python
        if not result.is_done:
            rows = self.pieces[piece.shard]
            rows[piece.first] = (piece.end, result.rows)
            if sum(end - first for first, (end, _) in rows.items()) < piece.head.inputs:
                return
            # Compressed texts, one after the other, are one.
            text = b"".join(rows[first][1] for first in sorted(rows))
            stores.put_once(self.output, part_path(piece.shard), text)
        elif result.seconds:
            self.times.append(result.seconds)
        self.leave(piece.shard)
        self.report.done += 1
        self.show(self.report.done)

    def leave(self, shard: int) -> None:
        """Stops everything that works on a shard. A task that runs notices by the rows in the store."""
        self.wanted.discard(shard)
        self.pieces.pop(shard, None)
        for future in [future for future, (piece, _) in self.flying.items() if piece.shard == shard]:
            del self.flying[future]
            future.cancel(force=True)

    def isolate(self, piece: Piece) -> None:
        """Cuts a piece on which workers died, down to the input that ends them."""
        if piece.end - piece.first == 1:
            self.pieces.setdefault(piece.shard, {})
            return self.submit(replace(piece, is_whole=False, is_poison=True))
        if not (piece.is_whole and piece.shard in self.pieces):
            self.split(piece, 8)

    def split(self, piece: Piece, count: int) -> None:
        self.report.split += 1
        self.pieces.setdefault(piece.shard, {})
        size = -(-(piece.end - piece.first) // count)
        for first in range(piece.first, piece.end, size):
            self.submit(replace(piece, first=first, end=min(first + size, piece.end), is_whole=False))

    def split_stragglers(self) -> None:
        """Gives shards that take much longer than others to idle workers, in pieces. What is done first counts."""
        idle = self.workers() - len(self.flying)
        if self.todo or idle < 1 or self.tail is None:
            return
        limit = max(self.patience, 3 * statistics.median(self.times) if self.times else 0)
        slow = defaultdict(float)
        for piece, since in self.flying.values():
            # Before, it may have waited for a worker.
            if piece.is_whole and piece.shard not in self.pieces:
                slow[piece] = time.monotonic() - max(since, self.tail)
        for piece, seconds in slow.items():
            if seconds > limit and self.wanted:
                self.split(piece, min(max(2, idle), piece.end - piece.first))
                return
