"""What every check is given."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import containers
from display import Display
from session import LIMIT, Session, Stuck


@dataclass
class Setting:
    binary: Path
    folder: Path  # the check's own
    long: bool
    seed: int
    seconds: float

    def sample(self, name: str = "Clean") -> Path:
        place = self.folder / f"{name}-{len(list(self.folder.iterdir()))}"
        place.mkdir()
        return containers.sample(name, place)

    def review(
        self, container: Path, *options, display: Display | None = None, limit: float = LIMIT, **others
    ) -> tuple[Session, Display]:
        """The review of a container on a display, and the display, by default a new one."""
        display = display or Display(100, 30)
        shown = {"columns": display.screen.columns, "rows": display.screen.lines, "shows": display.feed,
                 "directory": self.folder}  # where keys at random save files
        session = Session([self.binary, container, *containers.OPTIONS, *options], **{**shown, **others})
        try:
            session.settle(limit)
        except Stuck:
            session.close()
            raise
        return session, display
