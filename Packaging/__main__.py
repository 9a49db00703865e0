#!/usr/bin/env python3
"""Installs, removes and packs what `make release` has built.

    python3 Packaging man FOLDER            write the manual pages
    python3 Packaging install               into --prefix, below --destination if that is given
    python3 Packaging uninstall             what install has put there
    python3 Packaging static FOLDER         link the command with every library inside
    python3 Packaging dist FOLDER           archives, Debian package, checksums; --key signs, --tag checks a real release

Needs Python's standard library alone; dpkg-dev for the Debian package, minisign to sign. SOURCE_DATE_EPOCH sets the day.
"""

import argparse
import datetime
import os
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True

import contents  # noqa: E402
import manual  # noqa: E402
import release  # noqa: E402
import static  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[1]
INSTALLED = f"{contents.DOCUMENTS}/INSTALLED"


def main() -> int:
    parser = argparse.ArgumentParser(prog="Packaging", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("job", choices=["man", "install", "uninstall", "static", "dist"])
    parser.add_argument("folder", nargs="?", type=Path, help="for man, static and dist")
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/release/carryover")
    parser.add_argument("--static", type=Path, help="the static command, for dist")
    parser.add_argument("--key", type=Path, help="minisign's secret key, for dist")
    parser.add_argument("--tag", help="git's tag of a real release, for dist")
    parser.add_argument("--prefix", default="/usr/local")
    parser.add_argument("--destination", default="", help="a folder that stands for the root of the system")
    arguments = parser.parse_args()
    if arguments.job in ("man", "static", "dist") and not arguments.folder:
        parser.error(f"{arguments.job} needs a folder")
    if not arguments.prefix.startswith("/"):
        parser.error(f"PREFIX is not an absolute path: {arguments.prefix}")
    root = Path(arguments.destination + arguments.prefix)
    # What root installs, everybody can read.
    os.umask(0o022)
    if arguments.job == "uninstall":
        print("Carryover is uninstalled." if uninstall(root) else f"make install has installed nothing in {root}.")
        return 0
    binary = arguments.binary
    if not binary.exists():
        raise SystemExit(f"packaging: {binary} does not exist: run make release first")
    if arguments.job == "static":
        static.link(binary.resolve().parent, arguments.folder.resolve() / "carryover")
        return 0
    said = contents.version(binary)
    day = day_of(said)
    if arguments.job == "man":
        contents.write(arguments.folder, {name: text.encode() for name, text in manual.pages(binary, said["version"], day).items()})
    elif arguments.job == "install":
        install(root, contents.files(binary, day))
        print(f"Carryover {said['version']} is installed: {root}/bin/carryover")
    else:
        if arguments.tag and (wrong := release.problems(REPOSITORY, [binary, arguments.static or binary], arguments.tag, bool(arguments.key))):
            raise SystemExit("\n".join(wrong))
        print("\n".join(map(str, release.make(arguments.folder, binary, arguments.static, day, arguments.key))))
    return 0


def day_of(said: dict) -> datetime.date:
    """The day that everything names: SOURCE_DATE_EPOCH's, else that of the commit; today where neither is known."""
    if epoch := os.environ.get("SOURCE_DATE_EPOCH"):
        return datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).date()
    return datetime.date.fromisoformat(said["date"]) if said.get("date") else datetime.date.today()


def install(root: Path, files: dict[str, bytes]) -> None:
    """With a list of what was installed, so that a later version of the sources can remove it."""
    uninstall(root, keep=set(files))
    contents.write(root, {**files, INSTALLED: "".join(f"{place}\n" for place in files).encode()})


def uninstall(root: Path, keep: set[str] = frozenset()) -> bool:
    """Removes what was installed, but for what is replaced now. Folders stay, except Carryover's own."""
    path = root / INSTALLED
    if not path.exists():
        return False
    places = path.read_text().splitlines()
    if any(place.startswith("/") or ".." in Path(place).parts for place in places):
        raise SystemExit(f"packaging: {path} is not a list that make install has written")
    for place in set(places) - keep:
        (root / place).unlink(missing_ok=True)
    if not keep:
        path.unlink()
        if not any(path.parent.iterdir()):
            path.parent.rmdir()
    return True


try:
    sys.exit(main())
except OSError as error:
    sys.exit(f"packaging: {error.strerror}: {error.filename}. Choose another PREFIX or folder, or run the command as root.")
except subprocess.CalledProcessError as error:
    sys.exit(f"packaging: {error.cmd[0]} ends with {error.returncode}: {error.stderr or ''}")
