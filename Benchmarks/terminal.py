"""The command on a pseudo-terminal, and the processor time it takes to paint. A frame is over when the command waits again."""

import sys
from pathlib import Path
from time import monotonic
from typing import Callable, NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1] / "Tests/Terminals"))

from session import Session  # noqa: E402


class Paint(NamedTuple):
    """Milliseconds of processor time until all is painted, and how many bytes that is."""

    processor: float
    count: int


class Screen(Session):
    def painted(self, expected: bytes) -> Paint:
        self.wait(f"the first frame with {expected!r}", lambda: expected in self.output)
        self.settle()
        return Paint(self.processor() * 1000, len(self.output))

    def painted_by(self, keys: bytes) -> Paint:
        """Sends keys in one write, and gives what is painted for them."""
        return self.measured(lambda: self.press(keys))

    def idle(self, seconds: float) -> Paint:
        def watch() -> None:
            end = monotonic() + seconds
            while (left := end - monotonic()) > 0:
                self.take(left)

        return self.measured(watch)

    def measured(self, act: Callable[[], None]) -> Paint:
        used, count = self.processor(), len(self.output)
        act()
        return Paint((self.processor() - used) * 1000, len(self.output) - count)

    def processor(self) -> float:
        """Seconds of processor time so far, which Linux counts to the nanosecond."""
        return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[0]) / 1e9
