#!/usr/bin/env python3
"""Tests the web site that `make site` makes.

    python3 Tests/Site                  with the build for debugging

Builds the site twice, each time with other hash seeds, and reads every page. Needs what Scripts/setup.sh installs for the
site; no browser. Status 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "Site"), str(REPOSITORY / ".build/site-tools")]

import colours  # noqa: E402
import complete  # noqa: E402
import hostile  # noqa: E402
import pages  # noqa: E402
import searched  # noqa: E402


def built(folder: Path, binary: Path, archives: Path, seed: int) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-B", REPOSITORY / "Site", folder, "--binary", binary, "--archives", archives],
        env={**os.environ, "PYTHONHASHSEED": str(seed)}, stdout=subprocess.DEVNULL)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Site", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/debug/carryover")
    parser.add_argument("--archives", type=Path, default=REPOSITORY / ".build/documentation")
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    found: list[str] = []

    def check(what: str, problems: list[str]) -> None:
        print(f"site: {what}: {'as expected' if not problems else f'{len(problems)} problems'}", flush=True)
        found.extend(problems)

    with tempfile.TemporaryDirectory() as name:
        builds = [built(Path(name, str(seed)), binary, arguments.archives, seed) for seed in (1, 2)]
        if any([build.wait() for build in builds]):
            return 1
        first, second = (contents(Path(name, str(seed))) for seed in (1, 2))
    check("the same bytes twice", [f"{path} differs" for path in sorted({*first, *second}) if first.get(path) != second.get(path)])
    read = {path: pages.Read(path, content.decode()) for path, content in first.items() if path.endswith(".html")}
    check("a page for everything", complete.problems(REPOSITORY, binary, arguments.archives, first, read))
    check("pages", [problem for page in read.values() for problem in pages.problems(page)])
    check("links", pages.broken(read, set(first)))
    check("search", searched.problems(first, read))
    check("colours", colours.problems(first["site.css"].decode()))
    check("hostile text", hostile.problems())
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())
