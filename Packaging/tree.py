"""What is installed, and where: the files below a prefix, and how they get there and away again."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

COMPLETIONS = {
    "bash": "share/bash-completion/completions/carryover",
    "zsh": "share/zsh/site-functions/_carryover",
    "fish": "share/fish/vendor_completions.d/carryover.fish",
}
DOCUMENTS = "share/doc/carryover"
INSTALLED = f"{DOCUMENTS}/INSTALLED"


@dataclass
class Item:
    content: bytes
    mode: int = 0o644


def completion(binary: Path, shell: str) -> bytes:
    said = subprocess.run([binary, "--generate-completion-script", shell], check=True, capture_output=True).stdout
    # A shell reads the script; nothing runs it.
    return said.removeprefix(b"#!/bin/bash\n").lstrip()


def items(binary: Path, content: bytes, pages: dict[str, str], notices: str) -> dict[str, Item]:
    """Every file by its path below the prefix.
    - content: the bytes of the binary to install."""
    root = Path(__file__).resolve().parents[1]
    result = {"bin/carryover": Item(content, 0o755)}
    for name, text in pages.items():
        result[f"share/man/man{name[-1]}/{name}"] = Item(text.encode())
    for shell, place in COMPLETIONS.items():
        result[place] = Item(completion(binary, shell))
    result[f"{DOCUMENTS}/LICENSE"] = Item((root / "LICENSE").read_bytes())
    result[f"{DOCUMENTS}/THIRD-PARTY.txt"] = Item(notices.encode())
    return dict(sorted(result.items()))


def write(root: Path, tree: dict[str, Item]) -> list[str]:
    """Writes a tree, and says which folders it made, the innermost last. Each file is replaced in one step, so that a
    running command keeps its own."""
    made = []
    for place, item in tree.items():
        path = root / place
        for folder in [*reversed(path.relative_to(root).parents)]:
            if not (root / folder).is_dir():
                (root / folder).mkdir(mode=0o755, parents=True)
                made.append(str(folder))
        beside = path.with_name(path.name + ".new")
        beside.write_bytes(item.content)
        beside.chmod(item.mode)
        beside.replace(path)
    return made


def install(root: Path, tree: dict[str, Item]) -> None:
    """Installs a tree, with a list of what was installed and which folders were made for it. What an earlier version has
    installed and this one does not is removed."""
    files, folders = listed(root)
    made = write(root, {**tree, INSTALLED: Item(b"")})
    kept = [folder for folder in folders if folder not in made]
    lines = [f"folder {folder}" for folder in kept + made] + [f"file {place}" for place in [*tree, INSTALLED]]
    (root / INSTALLED).write_text("\n".join(lines) + "\n")
    for place in files - {*tree, INSTALLED}:
        (root / place).unlink(missing_ok=True)


def uninstall(root: Path, destination: str = "") -> bool:
    """Removes what was installed, and the folders that were made for it if nothing else is in them. False if nothing was
    installed."""
    files, folders = listed(root)
    for place in sorted(files - {INSTALLED}):
        (root / place).unlink(missing_ok=True)
    (root / INSTALLED).unlink(missing_ok=True)
    for folder in reversed(folders):
        try:
            (root / folder).rmdir()
        except OSError:
            # Something else is in it, or it is gone.
            pass
    # The folders above the prefix are made only where something stands for the root of the system.
    for folder in root.parents if files and destination and not root.exists() else []:
        if folder == Path(destination) or any(folder.iterdir()):
            break
        folder.rmdir()
    return bool(files)


def listed(root: Path) -> tuple[set[str], list[str]]:
    """The files and the folders that the list of an installation names."""
    files: set[str] = set()
    folders: list[str] = []
    path = root / INSTALLED
    for line in path.read_text().splitlines() if path.exists() else []:
        kind, _, place = line.partition(" ")
        pure = PurePosixPath(place)
        if pure.is_absolute() or ".." in pure.parts or kind not in ("file", "folder"):
            raise SystemExit(f"install: {path} is not a list that make install has written: {line}")
        files.add(place) if kind == "file" else folders.append(place)
    return files, folders


def root_of(prefix: str, destination: str) -> Path:
    """The folder to install into: the prefix, below DESTDIR if there is one."""
    if not prefix.startswith("/"):
        raise SystemExit(f"install: PREFIX is not an absolute path: {prefix}")
    return Path(destination + prefix) if destination else Path(os.path.normpath(prefix))
