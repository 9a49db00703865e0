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

import bills
from installed import REPOSITORY, at_work

sys.path.insert(0, str(REPOSITORY / "Packaging"))

import archive  # noqa: E402
import bill  # noqa: E402
import dist  # noqa: E402
import image  # noqa: E402
import redhat  # noqa: E402
import release as check  # noqa: E402
import tree  # noqa: E402
from manual import Manual  # noqa: E402

DAY = datetime.date(2026, 1, 31)
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def problems(binary: Path, folder: Path) -> list[str]:
    """Packs a binary as if it were built from a commit of a day, in two folders, then checks every file and every plant."""
    said = json.loads(subprocess.run([binary, "version", "--json"], check=True, capture_output=True, text=True).stdout)
    version = {**said, "commit": COMMIT, "date": DAY.isoformat()}
    release = Dist(binary, version, folder)
    first = release.make(folder / "dist")
    again = {path.name: path.read_bytes() for path in release.make(folder / "again")}
    found = [f"{path.name} is not the same twice" for path in first if path.read_bytes() != again[path.name]]
    name = f"carryover-{version['version']}-{version['target']}"
    expected = {f"{base}.{ending}" for base in (name, f"{name}-static") for ending in ("tar.gz", "spdx.json", "cdx.json")}
    expected |= {f"{name}-static.oci.tar", "carryover.rb", redhat.name(version)}
    if {path.name for path in first} != expected:
        found.append(f"unexpected names: {sorted({path.name for path in first} ^ expected)}")
    for base in (name, f"{name}-static"):
        if (folder / f"dist/{base}.tar.gz.sha256").read_text() not in (folder / "dist/SHA256SUMS").read_text():
            found.append(f"the checksum beside {base}.tar.gz is another one")
        with tarfile.open(folder / f"dist/{base}.tar.gz") as file:
            file.extractall(folder / "unpacked")
        top = sorted(path.name for path in (folder / "unpacked" / base).iterdir())
        if top != ["LICENSE", "THIRD-PARTY.txt", "carryover", "completions", "man"]:
            found.append(f"the archive has {top}")
        found += bills.problems(folder / "dist" / base, (folder / "unpacked" / base / "THIRD-PARTY.txt").read_text())
    found += at_work(folder / "unpacked" / name / "carryover", folder / "work")
    found += formula(folder / "dist/carryover.rb")
    return found + planted(release, folder / "dist", folder / "plants")


def key(folder: Path) -> tuple[Path, Path]:
    """A pair of keys to throw away, without a password: the secret one and the public one."""
    pair = folder / "test.key", folder / "test.pub"
    subprocess.run(["minisign", "-G", "-W", "-f", "-s", pair[0], "-p", pair[1]], check=True, stdout=subprocess.DEVNULL)
    return pair


class Dist:
    """The files of a version, made without a Debian package, which a build for tests cannot be in."""

    def __init__(self, binary: Path, version: dict, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.version, self.folder = version, folder
        self.binary = folder / "carryover"
        document = json.dumps(version)
        # The binary itself, which says what one that is built from a commit says.
        self.binary.write_text(f"#!/bin/sh\n[ \"$*\" = 'version --json' ] && exec echo '{document}'\nexec '{binary.resolve()}' \"$@\"\n")
        self.binary.chmod(0o755)
        self.pages = Manual.of(self.binary, DAY).pages()
        # The scripts for completion, which take long to make.
        self.items = tree.items(self.binary, self.binary.read_bytes(), {}, "")
        self.secret, self.public = key(folder)

    def make(self, folder: Path, pages: dict[str, str] | None = None) -> list[Path]:
        def build(ending: str) -> dist.Build:
            version = {**self.version, "target": self.version["target"] + ending}
            notices = bill.notices(version)
            return dist.Build(version, self.tree(pages or self.pages, notices), notices)

        return dist.make(folder, [build(""), build("-static")], DAY, self.secret, debian=False)

    def tree(self, pages: dict[str, str], notices: str) -> dict:
        placed = {f"share/man/man{name[-1]}/{name}": tree.Item(text.encode()) for name, text in pages.items()}
        return self.items | placed | {f"{tree.DOCUMENTS}/THIRD-PARTY.txt": tree.Item(notices.encode())}


def formula(path: Path) -> list[str]:
    said = subprocess.run(["ruby", "-c", path], capture_output=True, text=True)
    return [] if said.stdout.strip() == "Syntax OK" else [f"ruby: {said.stdout}{said.stderr}"]


def planted(release: Dist, made: Path, folder: Path) -> list[str]:
    """The plants that release-check does not see, and what it says without one."""
    version, archive_name = release.version["version"], f"{archive.name(release.version)}.tar.gz"

    def edited(place: str, old: str, new: str) -> Callable[[Path], None]:
        def edit(root: Path) -> None:
            text = (root / place).read_text()
            assert old in text, f"{place} has no {old}"
            (root / place).write_text(text.replace(old, new))
        return edit

    def page(old: str, new: str) -> Callable[[Path], None]:
        pages = {**release.pages, "carryover-plan.1": release.pages["carryover-plan.1"].replace(old, new)}
        return lambda root: None if release.make(root / "dist", pages) else None

    def resigned(name: str, edit: Callable[[Path], None]) -> Callable[[Path], None]:
        """A disagreement that the checksums do not show."""
        def plant(root: Path) -> None:
            path = root / "dist" / name
            before = f"{dist.sha256(path)}  {name}"
            edit(root)
            edited("dist/SHA256SUMS", before, f"{dist.sha256(path)}  {name}")(root)
            dist.sign(root / "dist", release.secret, version)
        return plant

    def replaced(name: str, make: Callable[[dist.Build], bytes]) -> Callable[[Path], None]:
        """A file of another version, under the right name."""
        other = {**release.version, "version": "9.9.9", "target": release.version["target"] + "-static"}
        items = release.tree(release.pages, "")
        return resigned(name, lambda root: (root / "dist" / name).write_bytes(make(dist.Build(other, items, ""))) and None)

    def rpm(build: dist.Build) -> bytes:
        path = folder / "other.rpm"
        redhat.package(build.version, build.items, bill.licences(build.version), dist.HOME, dist.MAINTAINER, DAY, path)
        return path.read_bytes()

    def other_key(root: Path) -> None:
        (root / "own").mkdir()
        dist.sign(root / "dist", key(root / "own")[0], version)

    static = f"{archive.name(release.version)}-static"
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
        "a file with another checksum": lambda root: (root / f"dist/{archive.name(release.version)}.spdx.json").write_text("{}"),
        "an archive that is not there": lambda root: (root / "dist" / archive_name).unlink(),
        "a binary of changed sources": lambda root: Dist(release.binary, {**release.version, "commit": COMMIT + "-changed"}, root / "own").make(root / "dist") and None,
        "an action that installs another version": edited("action.yml", f"default: {version}", "default: 9.9.9"),
        "a formula of another version": resigned("carryover.rb", edited("dist/carryover.rb", f'version "{version}"', 'version "9.9.9"')),
        "a formula with another checksum": resigned("carryover.rb", edited("dist/carryover.rb", 'sha256 "', 'sha256 "0')),
        "a formula that loads another release": resigned("carryover.rb", edited("dist/carryover.rb", f"/v{version}/", "/v9.9.9/")),
        "a package of another version": replaced(redhat.name(release.version), rpm),
        "an image of another version": replaced(f"{static}.oci.tar", lambda build: image.image(build.version, build.items, DAY, bill.licences(build.version), dist.HOME)),
        "an SPDX bill of another version": replaced(f"{static}.spdx.json", lambda build: bill.spdx(build.version, b"", DAY).encode()),
        "a CycloneDX bill of another version": replaced(f"{static}.cdx.json", lambda build: bill.cyclonedx(build.version, b"", DAY).encode()),
        "a static archive without its image": resigned(f"{static}.tar.gz", lambda root: (root / f"dist/{static}.oci.tar").unlink()),
        "another checksum beside an archive": edited(f"dist/{static}.tar.gz.sha256", "  ", "0  "),
        "no signature": lambda root: (root / "dist/SHA256SUMS.minisig").unlink(),
        "checksums changed after signing": lambda root: (root / "dist/SHA256SUMS").write_text("\n".join(sorted((root / "dist/SHA256SUMS").read_text().split("\n"))[1:]) + "\n") and None,
        "a line of the checksums without a name": edited("dist/SHA256SUMS", f"  {static}.tar.gz\n", f"  {static}.tar.gz\n\n"),
        "another key": other_key,
        "a signature for another version": lambda root: dist.sign(root / "dist", release.secret, "9.9.9"),
    }
    found = []
    for name, plant in [("nothing", lambda root: None), *plants.items()]:
        root = folder / name.replace(" ", "-")
        (root / constant).parent.mkdir(parents=True)
        shutil.copy(REPOSITORY / constant, root / constant)
        (root / "CHANGELOG.md").write_text(f"# Changelog\n\n{heading}\n")
        shutil.copy(REPOSITORY / "action.yml", root / "action.yml")
        shutil.copytree(made, root / "dist")
        plant(root)
        said = check.problems(root, root / "dist", release.public)
        if bool(said) != (name != "nothing"):
            found.append(f"release-check, with {name}, says {said}")
    return found
