#!/usr/bin/env python3
"""Tests what ships beside the sources: manual pages, completions, installing, archives, the action for GitHub.

    python3 Tests/Packaging             with the build for debugging
    python3 Tests/Packaging --dist      with what make dist has made, too: the packages in roots of their own, the image

Needs what Scripts/setup.sh test-all installs; --dist needs root, and what test-dist installs. Status 1 if anything is
wrong.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True

import action  # noqa: E402
import alone  # noqa: E402
import bills  # noqa: E402
import debian  # noqa: E402
import installed  # noqa: E402
import packed  # noqa: E402
import pages  # noqa: E402
import shells  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Packaging", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=installed.REPOSITORY / ".build/debug/carryover")
    parser.add_argument("--dist", type=Path, help="the folder that make dist has made")
    arguments = parser.parse_args()
    found: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder, binary = Path(name), arguments.binary.resolve()

        def check(what: str, problems: list[str]) -> None:
            print(f"packaging: {what}: {'as expected' if not problems else f'{len(problems)} problems'}", flush=True)
            found.extend(problems)

        installed.packaging("man", folder / "man", "--binary", binary)
        check("manual pages", pages.problems(binary, folder / "man") + pages.examples(binary, folder / "examples") + pages.day(folder / "day"))
        check("install and uninstall", installed.problems(binary, folder / "installed"))
        for shell in filter(shutil.which, ("bash", "zsh", "fish")):
            script = folder / f"completion.{shell}"
            script.write_bytes(packed.tree.completion(binary, shell))
            check(f"completion in {shell}", shells.problems(shell, script, folder / "shells"))
        check("dist and release-check", packed.problems(binary, folder / "packed"))
        check("action", action.problems(binary, folder / "action"))
        if arguments.dist:
            check("bills of materials", bills.validated(arguments.dist.resolve()))
            check("static command, rpm package, image, debug files", alone.problems(arguments.dist.resolve(), folder / "alone"))
            check("Debian package", debian.problems(arguments.dist.resolve(), folder / "debian"))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())
