"""Whether everything that names a version or a day names the same."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import subprocess
import tarfile
import tempfile
from pathlib import Path

import others
from archive import name
from manual import written


def problems(root: Path, dist: Path, key: Path | None = None) -> list[str]:
    """What disagrees between the sources and what make dist made of them; a sentence each.
    - key: minisign's public key; with it, the checksums must be signed."""
    found: list[str] = []
    constant = re.search(r'static let text = "([^"]+)"', (root / "Sources/CarryoverCommand/Process/Version.swift").read_text())
    expected = constant.group(1) if constant else ""
    released = re.search(r"^## (\S+) - (\d{4}-\d{2}-\d{2})$", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    first = re.search(r"^## (.+)$", (root / "CHANGELOG.md").read_text(), re.MULTILINE)
    if not released or not first or first.group(1) != f"{released.group(1)} - {released.group(2)}":
        found.append("CHANGELOG.md does not begin with a dated version, such as “## 1.0.0 - 2026-01-31”.")
    elif released.group(1) != expected:
        found.append(f"CHANGELOG.md begins with {released.group(1)}, the constant in Version.swift is {expected}.")
    found += action(root, expected)
    archives = [path for path in sorted(dist.glob("*.tar.gz")) if not path.name.endswith("-debug.tar.gz")]
    plain = [path for path in archives if "-static." not in path.name]
    if len(plain) != 1 or len(archives) > 2:
        return [*found, f"{dist.name} has {len(plain)} archives and {len(archives) - len(plain)} static ones, not one of each."]
    day = released.group(2) if released else None
    for path in archives:
        found += archived(path, expected, day)
    return found + others.problems(dist, expected) + checksums(dist) + (others.signature(dist, expected, key) if key else [])


def archived(path: Path, expected: str, day: str | None) -> list[str]:
    """What disagrees in an archive."""
    found = []
    with tarfile.open(path) as archive:
        members = {member.name.split("/", 1)[1]: archive.extractfile(member).read() for member in archive if member.isfile()}
    version = said_by(members.get("carryover", b""))
    if version is None:
        return [f"The binary in {path.name} does not run here."]
    if version["version"] != expected:
        found.append(f"The binary in {path.name} says that it is {version['version']}, the constant in Version.swift is {expected}.")
    if not version["commit"] or "changed" in version["commit"]:
        found.append(f"The binary in {path.name} was not built from a commit without changes.")
    target = version["target"] + ("-static" if "-static." in path.name else "")
    if path.name != (right := f"{name({'version': expected, 'target': target})}.tar.gz"):
        found.append(f"The archive is named {path.name}, not {right}.")
    if version["date"] != (day or version["date"]):
        found.append(f"The binary in {path.name} was built from a commit of {version['date']}, CHANGELOG.md says {day}.")
    return found + pages(members, expected, day or version["date"])


def action(root: Path, expected: str) -> list[str]:
    """Whether the action for GitHub installs this version by default."""
    said = re.search(r"^  version:\n(?:    .*\n)*?    default: (\S+)$", (root / "action.yml").read_text(), re.MULTILINE)
    if said and said.group(1) == expected:
        return []
    return [f"action.yml installs {said.group(1) if said else 'no version'} by default, the constant in Version.swift is {expected}."]


def said_by(binary: bytes) -> dict | None:
    """What a binary says of itself."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "carryover")
        path.write_bytes(binary)
        path.chmod(0o755)
        try:
            said = subprocess.run([path, "version", "--json"], check=True, capture_output=True, text=True, cwd=folder)
            return json.loads(said.stdout)
        except (OSError, subprocess.SubprocessError, ValueError):
            return None


def pages(members: dict[str, bytes], version: str, day: str | None) -> list[str]:
    found = []
    texts = {place: content.decode() for place, content in members.items() if place.startswith("man/")}
    if not texts:
        found.append("The archive has no manual pages.")
    for place, text in sorted(texts.items()):
        said = re.search(r'^\.\\" Carryover (\S+)$', text, re.MULTILINE)
        if not said or said.group(1) != version:
            found.append(f"{place} is of version {said.group(1) if said else 'unknown'}, not {version}.")
        date = re.search(r"^\.Dd (.+)$", text, re.MULTILINE)
        if not date or day and date.group(1) != written(datetime.date.fromisoformat(day)):
            found.append(f"{place} is of {date.group(1) if date else 'no day'}, not {day}.")
    return found


def checksums(dist: Path) -> list[str]:
    """The files whose checksum is absent or another."""
    lines = [line.partition("  ") for line in (dist / "SHA256SUMS").read_text().splitlines()]
    listed = {path: digest for digest, _, path in lines}
    found = [f"SHA256SUMS has a line without a name: “{digest}”." for digest, _, path in lines if not path]
    for path in sorted(dist.iterdir()):
        if not path.name.startswith("SHA256SUMS") and path.suffix != ".sha256":
            if listed.pop(path.name, None) != hashlib.sha256(path.read_bytes()).hexdigest():
                found.append(f"SHA256SUMS does not have the checksum of {path.name}.")
    return found + [f"SHA256SUMS names {path}, which is not there." for path in listed]
