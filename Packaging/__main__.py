#!/usr/bin/env python3
"""Installs, removes and packs what `make release` has built.

    python3 Packaging man FOLDER            write the manual pages
    python3 Packaging install               into --prefix, below --destination if that is given
    python3 Packaging uninstall             what install has put there
    python3 Packaging static FOLDER         link the command with every library inside
    python3 Packaging dist FOLDER           archives, packages, image, formula, bills of materials, checksums
    python3 Packaging check FOLDER          whether it is a whole release; status 1 if not

Needs Python's standard library alone; dpkg-dev for the Debian package, rpm for the other, minisign to sign. SOURCE_DATE_EPOCH sets the day.
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
import dist  # noqa: E402
import release  # noqa: E402
import static  # noqa: E402
import symbols  # noqa: E402
import tree  # noqa: E402
from manual import Manual, release_day  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(prog="Packaging", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=["man", "install", "uninstall", "static", "dist", "check"])
    parser.add_argument("folder", nargs="?", type=Path, help="for man, static, dist and check")
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/release/carryover")
    parser.add_argument("--static", type=Path, help="the static command, for dist")
    parser.add_argument("--key", type=Path, help="a key of minisign: for dist the secret one, for check the public one")
    parser.add_argument("--tag", help="git's tag of a real release, for check")
    parser.add_argument("--prefix", default="/usr/local")
    parser.add_argument("--destination", default="", help="a folder that stands for the root of the system")
    arguments = parser.parse_args()
    if arguments.job in ("man", "static", "dist", "check") and not arguments.folder:
        parser.error(f"{arguments.job} needs a folder")
    # What root installs, everybody can read.
    os.umask(0o022)
    if arguments.job == "check":
        found = release.problems(REPOSITORY, arguments.folder, arguments.key, arguments.tag)
        print("\n".join(found or ["All files are there; version, day, commit and checksums agree" + (", and are signed." if arguments.key else ".")]))
        return 1 if found else 0
    if arguments.job == "uninstall":
        if tree.uninstall(tree.root_of(arguments.prefix, arguments.destination), arguments.destination):
            print("Carryover is uninstalled.")
        return 0
    if arguments.job == "static":
        static.link(arguments.binary.resolve().parent, arguments.folder / "carryover")
        return 0
    if not arguments.binary.exists():
        raise SystemExit(f"install: {arguments.binary} does not exist: run make release first")
    version = said_by(arguments.binary)
    day = release_day(version, dict(os.environ))
    pages = Manual.of(arguments.binary, day).pages()
    if arguments.job == "man":
        tree.write(arguments.folder, {page: tree.Item(text.encode()) for page, text in pages.items()})
        return 0
    builds = [build(arguments.binary, archive.described(version, static=False), pages)]
    if arguments.job == "install":
        root = tree.root_of(arguments.prefix, arguments.destination)
        tree.install(root, builds[0].items)
        print(f"Carryover {version['version']} is installed: {root}/bin/carryover")
        return 0
    if arguments.static:
        builds.append(build(arguments.static, archive.described(said_by(arguments.static), static=True), pages))
    made = dist.make(arguments.folder, builds, day, arguments.key)
    print("\n".join(str(path) for path in [*made, arguments.folder / dist.SUMS]))
    return 0


def said_by(binary: Path) -> dict:
    return json.loads(subprocess.run([binary, "version", "--json"], check=True, capture_output=True, text=True).stdout)


def build(binary: Path, version: dict, pages: dict[str, str]) -> dist.Build:
    notices, (content, debug) = bill.notices(version), symbols.split(binary)
    return dist.Build(version, tree.items(binary, content, pages, notices), notices, debug)


try:
    sys.exit(main())
except OSError as error:
    print(f"packaging: {error.strerror}: {error.filename}. Choose another PREFIX or folder, or run the command as root.", file=sys.stderr)
except subprocess.CalledProcessError as error:
    print(f"packaging: {error.cmd[0]} ends with {error.returncode}: {error.stderr or ''}", file=sys.stderr)
sys.exit(1)
