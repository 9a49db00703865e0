"""What make dist makes, and what release-check says of planted mistakes."""

from __future__ import annotations

import datetime
import json
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path

from installed import REPOSITORY, at_work

sys.path.insert(0, str(REPOSITORY / "Packaging"))

import archive  # noqa: E402
import bill  # noqa: E402
import release  # noqa: E402
import tree  # noqa: E402
from manual import Manual  # noqa: E402

DAY = datetime.date(2026, 1, 31)
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def problems(binary: Path, folder: Path) -> list[str]:
    """Packs a binary as if it were built from a commit of a day, in two folders, then checks every file and every plant."""
    said = json.loads(subprocess.run([binary, "version", "--json"], check=True, capture_output=True, text=True).stdout)
    version = {**said, "commit": COMMIT, "date": DAY.isoformat()}
    dist = Dist(binary, version, folder)
    first = dist.make(folder / "dist")
    again = {path.name: path.read_bytes() for path in dist.make(folder / "again")}
    found = [f"{path.name} is not the same twice" for path in first if path.read_bytes() != again[path.name]]
    name = f"carryover-{version['version']}-{version['target']}"
    if [path.name for path in first] != [f"{name}.tar.gz", f"{name}.spdx.json"]:
        found.append(f"unexpected names: {[path.name for path in first]}")
    if (folder / f"dist/{name}.tar.gz.sha256").read_text() not in (folder / "dist/SHA256SUMS").read_text():
        found.append("the checksum beside the archive is another one")
    with tarfile.open(first[0]) as file:
        file.extractall(folder / "unpacked")
    top = sorted(path.name for path in (folder / "unpacked" / name).iterdir())
    if top != ["LICENSE", "THIRD-PARTY.txt", "carryover", "completions", "man"]:
        found.append(f"the archive has {top}")
    found += at_work(folder / "unpacked" / name / "carryover", folder / "work")
    found += materials(json.loads(first[1].read_text()), (folder / "unpacked" / name / "THIRD-PARTY.txt").read_text())
    return found + planted(dist, folder / "plants")


class Dist:
    """The files of a version, made without a Debian package, which a build for tests cannot be in."""

    def __init__(self, binary: Path, version: dict, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.version = version
        self.binary = folder / "carryover"
        document = json.dumps(version)
        # The binary itself, which says what one that is built from a commit says.
        self.binary.write_text(f"#!/bin/sh\n[ \"$*\" = 'version --json' ] && exec echo '{document}'\nexec '{binary.resolve()}' \"$@\"\n")
        self.binary.chmod(0o755)
        self.pages = Manual.of(self.binary, DAY).pages()

    def make(self, folder: Path, pages: dict[str, str] | None = None) -> list[Path]:
        notices = bill.notices(self.version)
        items = tree.items(self.binary, pages or self.pages, notices)
        return archive.make(folder, self.version, items, notices, bill.spdx(self.version, items["bin/carryover"].content, DAY), DAY, None)


def materials(document: dict, notices: str) -> list[str]:
    """Whether the bill of materials and the notices name the same, and each thing in the bill has a relation."""
    packages = {package["name"]: package for package in document["packages"]}
    found = [f"THIRD-PARTY.txt does not name {name}" for name in packages if name != "carryover" and not re.search(rf"^{re.escape(name)}( |$)", notices, re.MULTILINE)]
    related = {relation[end] for relation in document["relationships"] for end in ("spdxElementId", "relatedSpdxElement")}
    found += [f"{name} has no relation" for name, package in packages.items() if package["SPDXID"] not in related]
    if document["spdxVersion"] != "SPDX-2.3" or len(packages) < 5 or not all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", p["SPDXID"]) for p in packages.values()):
        found.append("the bill of materials is not valid")
    if "Permission is hereby granted" not in notices or "Runtime Library Exception" not in notices:
        found.append("THIRD-PARTY.txt has no licences")
    return found


def planted(dist: Dist, folder: Path) -> list[str]:
    """The plants that release-check does not see, and what it says without one."""
    version, archive_name = dist.version["version"], f"{archive.name(dist.version)}.tar.gz"

    def edited(place: str, old: str, new: str) -> Callable[[Path], None]:
        def edit(root: Path) -> None:
            text = (root / place).read_text()
            assert old in text, f"{place} has no {old}"
            (root / place).write_text(text.replace(old, new))
        return edit

    def page(old: str, new: str) -> Callable[[Path], None]:
        pages = {**dist.pages, "carryover-plan.1": dist.pages["carryover-plan.1"].replace(old, new)}
        return lambda root: None if dist.make(root / "dist", pages) else None

    constant = "Sources/CarryoverCommand/Process/Version.swift"
    heading = f"## {version} - {DAY}"
    plants: dict[str, Callable[[Path], None]] = {
        "another constant": edited(constant, f'text = "{version}"', 'text = "9.9.9"'),
        "another version in the changelog": edited("CHANGELOG.md", heading, f"## 9.9.9 - {DAY}"),
        "another day in the changelog": edited("CHANGELOG.md", heading, f"## {version} - 2026-02-01"),
        "unreleased changes": edited("CHANGELOG.md", heading, f"## Unreleased\n\n{heading}"),
        "a page of another day": page(".Dd January 31, 2026", ".Dd February 1, 2026"),
        "a page of another version": page(f"Carryover {version}", "Carryover 9.9.9"),
        "another name of the archive": lambda root: shutil.move(root / "dist" / archive_name, root / "dist/carryover-9.9.9-linux-x86_64.tar.gz"),
        "a file with another checksum": lambda root: (root / f"dist/{archive.name(dist.version)}.spdx.json").write_text("{}"),
        "an archive that is not there": lambda root: (root / "dist" / archive_name).unlink(),
        "a binary of changed sources": lambda root: Dist(dist.binary, {**dist.version, "commit": COMMIT + "-changed"}, root / "own").make(root / "dist") and None,
    }
    found = []
    for name, plant in [("nothing", lambda root: None), *plants.items()]:
        root = folder / name.replace(" ", "-")
        (root / constant).parent.mkdir(parents=True)
        shutil.copy(REPOSITORY / constant, root / constant)
        (root / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
        dist.make(root / "dist")
        plant(root)
        said = release.problems(root, root / "dist")
        if bool(said) != (name != "nothing"):
            found.append(f"release-check, with {name}, says {said}")
    return found
