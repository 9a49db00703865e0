"""What `make dist` makes of a build, or of two: the archives, the packages for systems that have a tool to make them, the
image, the formula, the bills of materials, the checksums, and their signature. The same binaries and the same day give the
same bytes."""

from __future__ import annotations

import datetime
import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import archive
import bill
import formula
import image
import project
import redhat
from symbols import DEBUG
from tree import Item

SUMS = "SHA256SUMS"
SIGNATURE = f"{SUMS}.minisig"


@dataclass
class Build:
    """One binary, with what it says of itself and all that ships with it."""

    version: dict
    items: dict[str, Item]
    notices: str
    debug: bytes | None = None

    @property
    def binary(self) -> bytes:
        return self.items["bin/carryover"].content

    @property
    def name(self) -> str:
        return archive.name(self.version)


def make(folder: Path, builds: list[Build], day: datetime.date, key: Path | None = None) -> list[Path]:
    """Makes everything in a folder, which is emptied first.
    - builds: the command, and the static one if there is one.
    - key: minisign's, to sign the checksums with."""
    second = project.second(day)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    made: list[Path] = []

    def write(name: str, content: bytes) -> None:
        made.append(folder / name)
        made[-1].write_bytes(content)

    for build in builds:
        write(f"{build.name}.tar.gz", archive.packed(archive.for_archive(build.version, build.items), second))
        write(f"{build.name}.spdx.json", bill.spdx(build.version, build.binary, day).encode())
        write(f"{build.name}.cdx.json", bill.cyclonedx(build.version, build.binary, day).encode())
        if build.debug:
            name = archive.debug_name(build.version)
            write(f"{name}.tar.gz", archive.packed({f"{name}/{DEBUG}": Item(build.debug)}, second))
        if bill.is_static(build.version["target"]):
            made += for_systems(folder, build, day)
        elif archive.makes_debian(build.version):
            made.append(folder / archive.debian_name(build.version))
            files = archive.for_debian(build.items, build.notices, archive.debian_changelog(build.version, day))
            archive.debian_package(build.version, files, day, made[-1])
    sums = {path.name: f"{sha256(path)}  {path.name}\n" for path in made}
    for build in builds:
        (folder / f"{build.name}.tar.gz.sha256").write_text(sums[f"{build.name}.tar.gz"])
    (folder / SUMS).write_text("".join(sums.values()))
    if key:
        sign(folder, key, builds[0].version["version"])
    return made


def names(version: dict) -> set[str]:
    """The files of a release by what a binary says of itself, without signature: everything for Linux, else the archive."""
    if not version["target"].startswith("linux"):
        builds, others = [archive.described(version, static=False)], []
    else:
        builds = [archive.described(version, static) for static in (False, True)]
        others = [archive.debian_name(version), redhat.name(version), image.name(version), "carryover.rb", *(f"{archive.debug_name(build)}.tar.gz" for build in builds)]
    return {SUMS, *others, *(f"{archive.name(build)}.{ending}" for build in builds for ending in ("tar.gz", "tar.gz.sha256", "spdx.json", "cdx.json"))}


def for_systems(folder: Path, build: Build, day: datetime.date) -> list[Path]:
    """The image, the formula and the rpm package: what has the static command inside, or installs it."""
    made = [folder / image.name(build.version), folder / "carryover.rb"]
    made[0].write_bytes(image.image(build.version, build.items, day, bill.licences(build.version)))
    name = f"{build.name}.tar.gz"
    made[1].write_text(formula.formula(build.version, name, sha256(folder / name)))
    if redhat.makes():
        made.append(folder / redhat.name(build.version))
        redhat.package(build.version, build.items, bill.licences(build.version), day, made[-1])
    return made


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def sign(folder: Path, key: Path, version: str) -> None:
    """Signs the checksums. Minisign asks for the password of the key, if it has one, on the terminal."""
    # The comment is signed, too: a signature of another version is another one.
    subprocess.run(["minisign", "-S", "-s", key.resolve(), "-m", SUMS, "-t", comment(version)], cwd=folder, check=True, stdout=subprocess.DEVNULL)


def comment(version: str) -> str:
    return f"carryover {version}"
