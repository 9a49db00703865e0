#!/usr/bin/env python3
"""Installs, removes and packs what `make release` has built.

    python3 Packaging man FOLDER            write the manual pages
    python3 Packaging install               into --prefix, below --destination if that is given
    python3 Packaging uninstall             what install has put there
    python3 Packaging dist FOLDER           archive, Debian package, bill of materials, checksums
    python3 Packaging check FOLDER          whether version and day are the same everywhere; status 1 if not

Needs Python's standard library alone, and dpkg-dev for the Debian package. SOURCE_DATE_EPOCH sets the day.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import archive  # noqa: E402
import bill  # noqa: E402
import release  # noqa: E402
import tree  # noqa: E402
from manual import Manual, release_day  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[1]
MAINTAINER = "Carryover maintainers <carryover@example.com>"


def main() -> int:
    parser = argparse.ArgumentParser(prog="Packaging", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=["man", "install", "uninstall", "dist", "check"])
    parser.add_argument("folder", nargs="?", type=Path, help="for man, dist and check")
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/release/carryover")
    parser.add_argument("--prefix", default="/usr/local")
    parser.add_argument("--destination", default="", help="a folder that stands for the root of the system")
    arguments = parser.parse_args()
    if arguments.job in ("man", "dist", "check") and not arguments.folder:
        parser.error(f"{arguments.job} needs a folder")
    # What root installs, everybody can read.
    os.umask(0o022)
    if arguments.job == "check":
        found = release.problems(REPOSITORY, arguments.folder)
        print("\n".join(found or ["Version, day and checksums agree."]))
        return 1 if found else 0
    if arguments.job == "uninstall":
        removed = tree.uninstall(tree.root_of(arguments.prefix, arguments.destination), arguments.destination)
        print("Carryover is uninstalled." if removed else f"make install has installed nothing in {arguments.prefix}.")
        return 0
    if not arguments.binary.exists():
        raise SystemExit(f"install: {arguments.binary} does not exist: run make release first")
    version = json.loads(subprocess.run([arguments.binary, "version", "--json"], check=True, capture_output=True, text=True).stdout)
    day = release_day(version, dict(os.environ))
    pages = Manual.of(arguments.binary, day).pages()
    if arguments.job == "man":
        tree.write(arguments.folder, {page: tree.Item(text.encode()) for page, text in pages.items()})
        return 0
    notices = bill.notices(version)
    items = tree.items(arguments.binary, pages, notices)
    if arguments.job == "install":
        root = tree.root_of(arguments.prefix, arguments.destination)
        tree.install(root, items)
        print(f"Carryover {version['version']} is installed: {root}/bin/carryover")
        return 0
    materials = bill.spdx(version, items["bin/carryover"].content, day)
    maintainer = MAINTAINER if archive.makes_debian(version) else None
    made = archive.make(arguments.folder, version, items, notices, materials, day, maintainer)
    print("\n".join(str(path) for path in [*made, arguments.folder / "SHA256SUMS"]))
    return 0


try:
    sys.exit(main())
except OSError as error:
    print(f"packaging: {error.strerror}: {error.filename}. Choose another PREFIX or folder, or run the command as root.", file=sys.stderr)
except subprocess.CalledProcessError as error:
    print(f"packaging: {error.cmd[0]} ends with {error.returncode}: {error.stderr or ''}", file=sys.stderr)
sys.exit(1)
