"""The archive and the Debian package. The same binary and the same day give the same bytes."""

from __future__ import annotations

import datetime
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import project
from image import tar
from tree import COMPLETIONS, DOCUMENTS, Item, write

ROOT = Path(__file__).resolve().parents[1]
# Of the Debian package of a version; it counts changes of the package alone.
REVISION = 1


def described(version: dict, static: bool) -> dict:
    """What a binary says of itself, with the target that its archive and its bills are named after.

    ubi takes the first in sort order of the names with this system and processor, mise the shortest of the best. So both
    take the static command, which runs on any Linux; the other one needs a recent glibc. What is not the command has no
    system in its name, and no ending of an archive or the word debug, which mise avoids."""
    target = version["target"]
    return {**version, "target": f"{target}-static" if static else f"{target}-system-libs" if target.startswith("linux") else target}


def name(version: dict) -> str:
    return f"carryover-{version['version']}-{version['target']}"


def debug_name(version: dict) -> str:
    return f"carryover-{version['version']}-{version['target'].split('-', 2)[-1]}-debug"


def packed(files: dict[str, Item], second: int) -> bytes:
    return gzip.compress(tar(files, second), compresslevel=9, mtime=0)


def for_archive(version: dict, tree: dict[str, Item]) -> dict[str, Item]:
    """The files of the archive: in one folder, the binary at its top, then pages, completions and notices."""
    places = {"bin/carryover": "carryover", f"{DOCUMENTS}/LICENSE": "LICENSE", f"{DOCUMENTS}/THIRD-PARTY.txt": "THIRD-PARTY.txt"}
    places |= {place: f"completions/{Path(place).name if shell != 'bash' else 'carryover.bash'}" for shell, place in COMPLETIONS.items()}
    return {f"{name(version)}/{places.get(place, place.removeprefix('share/'))}": item for place, item in tree.items()}


def for_debian(tree: dict[str, Item], notices: str, changelog: str) -> dict[str, Item]:
    """The files of the Debian package, where Debian has them, without DEBIAN/."""
    def compressed(content: bytes) -> Item:
        return Item(gzip.compress(content, compresslevel=9, mtime=0))

    result: dict[str, Item] = {}
    for place, item in tree.items():
        if place.startswith("share/man/"):
            result[f"usr/{place}.gz"] = compressed(item.content)
        elif place == COMPLETIONS["zsh"]:
            result["usr/share/zsh/vendor-completions/_carryover"] = item
        elif not place.startswith(DOCUMENTS):
            result[f"usr/{place}"] = item
    result[f"usr/{DOCUMENTS}/copyright"] = Item(copyright_file(notices.replace("see LICENSE", "see /usr/share/common-licenses/Apache-2.0")).encode())
    result[f"usr/{DOCUMENTS}/changelog.gz"] = compressed((ROOT / "CHANGELOG.md").read_bytes())
    result[f"usr/{DOCUMENTS}/changelog.Debian.gz"] = compressed(changelog.encode())
    # One package runs on several Debians because libyaml is in it.
    result["usr/share/lintian/overrides/carryover"] = Item(b"carryover: embedded-library libyaml *\n")
    return result


def debian_version(version: dict) -> str:
    return f"{version['version']}-{REVISION}"


def debian_name(version: dict) -> str:
    return f"carryover_{debian_version(version)}_{project.processor(version)[0]}.deb"


def debian_changelog(version: dict, day: datetime.date) -> str:
    weekday, month = project.words(day)
    return (
        f"carryover ({debian_version(version)}) unstable; urgency=medium\n\n  * The changes of this version are in changelog.gz.\n\n"
        f" -- {project.MAINTAINER}  {weekday}, {day:%d} {month} {day.year} 00:00:00 +0000\n")


def copyright_file(notices: str) -> str:
    paragraphs = "\n".join(f" {line}" if line else " ." for line in notices.splitlines())
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Carryover\n\n"
        "Files: *\nCopyright: the authors of Carryover\nLicense: Apache-2.0\n"
        " On Debian systems, the full text of the Apache License 2.0 is in\n /usr/share/common-licenses/Apache-2.0.\n"
        f"Comment:\n{paragraphs}\n")


def debian_package(version: dict, files: dict[str, Item], day: datetime.date, path: Path) -> None:
    second = project.second(day)
    # Debian wants a description that begins with a small letter.
    description = project.SUMMARY[:1].lower() + project.SUMMARY[1:] + "".join(f"\n {line}" for line in project.DESCRIPTION.splitlines())
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "root")
        root.mkdir(mode=0o755)
        write(root, files)
        control = [
            "Package: carryover", f"Version: {debian_version(version)}", f"Architecture: {project.processor(version)[0]}",
            f"Maintainer: {project.MAINTAINER}", f"Homepage: {project.HOME}",
            f"Installed-Size: {sum((len(item.content) + 1023) // 1024 for item in files.values())}",
            f"Depends: {dependencies(Path(folder), root / 'usr/bin/carryover')}", "Recommends: libarchive13", "Section: utils",
            "Priority: optional", f"Description: {description}",
        ]
        sums = [f"{hashlib.md5(item.content).hexdigest()}  {place}" for place, item in sorted(files.items())]
        write(root, {"DEBIAN/control": Item("\n".join([*control, ""]).encode()), "DEBIAN/md5sums": Item("\n".join([*sums, ""]).encode())})
        for place in [root, *root.rglob("*")]:
            os.utime(place, (second, second))
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", root, path], check=True, stdout=subprocess.DEVNULL,
            env={**os.environ, "SOURCE_DATE_EPOCH": str(second)})


def dependencies(folder: Path, binary: Path) -> str:
    """What the binary needs, as this system's packages say."""
    (folder / "debian").mkdir()
    (folder / "debian/control").write_text("Source: carryover\n\nPackage: carryover\nArchitecture: any\n")
    said = subprocess.run(["dpkg-shlibdeps", "-O", binary], cwd=folder, check=True, capture_output=True, text=True)
    depends = next(line.removeprefix("shlibs:Depends=") for line in said.stdout.splitlines() if line.startswith("shlibs:Depends="))
    # Symbols do not tell that packed relocations need a later C library.
    tables = subprocess.run(["readelf", "--dynamic", binary], check=True, capture_output=True, text=True).stdout
    return re.sub(r"libc6 \(>= [\d.]+\)", "libc6 (>= 2.36)", depends) if "(RELR)" in tables else depends


def makes_debian(version: dict) -> bool:
    """Whether this system can make a Debian package."""
    return version["target"].startswith("linux") and all(map(shutil.which, ["dpkg-deb", "dpkg-shlibdeps"]))
