"""The rpm package, from the same files as the Debian package and with the static command: it needs no library, so that one
package suits every system with rpm."""

from __future__ import annotations

import datetime
import gzip
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import project
from tree import DOCUMENTS, Item, write

RELEASE = 1
CHANGES = f"usr/{DOCUMENTS}/CHANGELOG.md"
SPEC = """\
Name: carryover
Version: {version}
Release: {release}
Summary: {summary}
License: {licence}
URL: {home}
Packager: {maintainer}
# The command is static, and its names of functions are in an archive of their own.
AutoReqProv: no
%global debug_package %{{nil}}
%global __os_install_post %{{nil}}

%description
{description}

%install
cp -a {staged}/. %{{buildroot}}

%files
{files}

%changelog
* {day} {maintainer} - {version}-{release}
- The changes of this version are in CHANGELOG.md.
"""


def name(version: dict) -> str:
    return f"carryover-{version['version']}-{RELEASE}.{project.processor(version)[1]}.rpm"


def makes() -> bool:
    """Whether this system can make an rpm package."""
    return shutil.which("rpmbuild") is not None


def files(tree: dict[str, Item]) -> dict[str, Item]:
    placed = dict(
        (f"usr/{place}.gz", Item(gzip.compress(item.content, compresslevel=9, mtime=0))) if place.startswith("share/man/") else (f"usr/{place}", item)
        for place, item in tree.items())
    return placed | {CHANGES: Item((Path(__file__).resolve().parents[1] / "CHANGELOG.md").read_bytes())}


def package(version: dict, tree: dict[str, Item], licence: str, day: datetime.date, path: Path) -> None:
    weekday, month = project.words(day)
    placed = files(tree)
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = Path(name_of_folder)
        write(folder / "staged", placed)
        spec = folder / "carryover.spec"
        spec.write_text(SPEC.format(
            version=version["version"], release=RELEASE, licence=licence, home=project.HOME, staged=folder / "staged",
            summary=project.SUMMARY, description=project.DESCRIPTION, day=f"{weekday} {month} {day:%d} {day.year}", maintainer=project.MAINTAINER,
            files="\n".join(listed(placed))))
        settings = {
            "_topdir": folder / "top", "_buildhost": "carryover", "use_source_date_epoch_as_buildtime": 1, "clamp_mtime_to_source_date_epoch": 1,
            "_binary_payload": "w6.xzdio", "_rpmfilename": "made.rpm", "_docdir": "/usr/share/doc", "_build_id_links": "none",
        }
        subprocess.run(
            ["rpmbuild", "-bb", "--quiet", "--target", f"{project.processor(version)[1]}-linux", *(word for key, value in settings.items() for word in ("--define", f"{key} {value}")), spec],
            check=True, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(project.second(day)), "LC_ALL": "C"})
        shutil.copyfile(folder / "top/RPMS/made.rpm", path)


def listed(placed: dict[str, Item]) -> list[str]:
    """The section %files: root's, with the licences marked."""
    lines = ["%defattr(-,root,root,-)", f"%dir /usr/{DOCUMENTS}"]
    for place in placed:
        if place == CHANGES:
            lines.append(f"%doc /{place}")
            continue
        lines.append(f"%license /{place}" if place.startswith(f"usr/{DOCUMENTS}") else f"/{place}")
    return lines
