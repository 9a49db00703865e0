"""Writing samples to the disk, and comparing what is there with what is made."""

from __future__ import annotations

import shutil
from pathlib import Path

from .basics import Files


def write(root: Path, files: Files) -> None:
    """The files in a new folder; what was there before is gone."""
    shutil.rmtree(root, ignore_errors=True)
    add(root, files)


def add(root: Path, files: Files) -> None:
    """The files in a folder, beside what is there."""
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def differences(root: Path, files: Files, base: Path) -> list[str]:
    """What is wrong with a folder on disk, one line each, with paths relative to `base`."""
    on_disk = {file.relative_to(root).as_posix(): file for file in root.rglob("*") if not file.is_dir()}
    name = root.relative_to(base).as_posix()
    found = []
    for path in sorted(files.keys() | on_disk.keys()):
        if path not in on_disk:
            found.append(f"{name}/{path}: missing")
        elif path not in files:
            found.append(f"{name}/{path}: not part of the sample")
        elif on_disk[path].read_bytes() != files[path]:
            found.append(f"{name}/{path}: differs")
    return found
