"""What an example of a finding is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .basics import WRITE_KEY, Files, good_values, legacy_container, values

NOW = "2025-11-20T12:05:00Z"


@dataclass
class Example:
    """The container of `Clean` with the one change that a finding is about."""

    code: str
    change: str  # in one sentence
    files: Files
    write_key: str | None = WRITE_KEY
    more_options: tuple[str, ...] = ()
    folder: str = ""  # where the container lies in the example's folder; nothing where it is that folder
    planned_for: str | None = None  # the container that a plan was saved for

    @property
    def container(self) -> str:
        return f"{self.code}/{self.folder}" if self.folder else f"{self.code}.xcappdata"

    def entry(self) -> dict[str, Any]:
        key = [] if self.write_key is None else ["--write-key", self.write_key]
        options = [*key, "--now", NOW, *self.more_options]
        entry = {"code": self.code, "container": self.container, "options": options, "change": self.change}
        return entry if self.planned_for is None else {**entry, "plannedFor": self.planned_for}


def example(code: str, change: str, *without: str, **changed: Any) -> Example:
    """A change of values, which both legacy stores hold alike."""
    return Example(code, change, legacy_container(values(*without, **changed)))


def with_files(code: str, change: str, more: Files, **options: Any) -> Example:
    """Files added to the container, or put in the place of some."""
    return Example(code, change, {**legacy_container(good_values()), **more}, **options)
