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

from tree import DOCUMENTS, Item, write

RELEASE = 1
ARCHITECTURES = {"x86_64": "x86_64", "arm64": "aarch64"}
SPEC = """\
Name: carryover
Version: {version}
Release: {release}
Summary: Inspector and migrator for the data of iOS apps
License: {licence}
URL: {home}
Group: Applications/System
Packager: {maintainer}
# The command is static, and its names of functions are in an archive of their own.
AutoReqProv: no
%global debug_package %{{nil}}
%global __os_install_post %{{nil}}

%description
Carryover opens the data that an iOS app has stored on a device, shows what an
update to another SDK would lose, and migrates it field by field, with a
rollback.

%install
cp -a {staged}/. %{{buildroot}}

%files
{files}

%changelog
* {day} {maintainer} - {version}-{release}
- The changes of this version are in CHANGELOG.md.
"""


def name(version: dict) -> str:
    return f"carryover-{version['version']}-{RELEASE}.{ARCHITECTURES[version['target'].split('-')[1]]}.rpm"


def makes() -> bool:
    """Whether this system can make an rpm package."""
    return shutil.which("rpmbuild") is not None


def files(tree: dict[str, Item]) -> dict[str, Item]:
    return dict(
        (f"usr/{place}.gz", Item(gzip.compress(item.content, compresslevel=9, mtime=0))) if place.startswith("share/man/") else (f"usr/{place}", item)
        for place, item in tree.items())


def package(version: dict, tree: dict[str, Item], licence: str, home: str, maintainer: str, day: datetime.date, path: Path) -> None:
    second = int(datetime.datetime.combine(day, datetime.time(), datetime.timezone.utc).timestamp())
    # Not %a and %b, which are words of the locale.
    names = "Mon Tue Wed Thu Fri Sat Sun".split(), "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    date = f"{names[0][day.weekday()]} {names[1][day.month - 1]} {day:%d} {day.year}"
    placed = files(tree)
    with tempfile.TemporaryDirectory() as name_of_folder:
        folder = Path(name_of_folder)
        write(folder / "staged", placed)
        spec = folder / "carryover.spec"
        spec.write_text(SPEC.format(
            version=version["version"], release=RELEASE, licence=licence, home=home, staged=folder / "staged", day=date, maintainer=maintainer,
            files="\n".join(listed(placed))))
        settings = {
            "_topdir": folder / "top", "_buildhost": "carryover", "use_source_date_epoch_as_buildtime": 1, "clamp_mtime_to_source_date_epoch": 1,
            "_binary_payload": "w6.xzdio", "_rpmfilename": "made.rpm", "_docdir": "/usr/share/doc", "_build_id_links": "none",
        }
        machine = ARCHITECTURES[version["target"].split("-")[1]]
        subprocess.run(
            ["rpmbuild", "-bb", "--quiet", "--target", f"{machine}-linux", *(word for key, value in settings.items() for word in ("--define", f"{key} {value}")), spec],
            check=True, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(second), "LC_ALL": "C"})
        shutil.copyfile(folder / "top/RPMS/made.rpm", path)


def listed(placed: dict[str, Item]) -> list[str]:
    """The section %files: root's, with the licences marked."""
    lines = ["%defattr(-,root,root,-)", f"%dir /usr/{DOCUMENTS}"]
    for place in placed:
        lines.append(f"%license /{place}" if place.startswith(f"usr/{DOCUMENTS}") else f"/{place}")
    return lines
