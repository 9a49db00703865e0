#!/usr/bin/env python3
"""Tests what ships beside the sources: manual pages, completions, installing, archives, the action for GitHub.

    python3 Tests/Packaging                     with the build for debugging
    python3 Tests/Packaging --dist FOLDER       what make dist has made: the static command in an empty root, and
                                                everything made again from the last commit; minutes

Needs what Scripts/setup.sh test-all installs; --dist needs root. Status 1 if anything is wrong.
"""

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.append(str(REPOSITORY / "Packaging"))

import action  # noqa: E402
import installed  # noqa: E402
import made  # noqa: E402
import pages  # noqa: E402
import shells  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Packaging", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/debug/carryover")
    parser.add_argument("--dist", type=Path, help="the folder that make dist has made")
    arguments = parser.parse_args()
    found: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder, binary = Path(name), arguments.binary.resolve()
        os.environ["XDG_STATE_HOME"] = str(folder / "state")  # never the user's own

        def check(what: str, problems: list[str]) -> None:
            print(f"packaging: {what}: {'as expected' if not problems else f'{len(problems)} problems'}", flush=True)
            found.extend(problems)

        if arguments.dist:
            check("the static command", made.alone(arguments.dist.resolve(), folder / "alone"))
            check("made again", made.again(arguments.dist.resolve()))
        else:
            installed.packaging("man", folder / "man", "--binary", binary)
            check("manual pages", pages.problems(binary, folder / "man") + pages.examples(binary, folder / "examples"))
            check("install and uninstall", installed.problems(binary, folder / "installed"))
            for shell in filter(shutil.which, ("bash", "zsh", "fish")):
                script = folder / "installed/root/usr/local" / installed.contents.COMPLETIONS[shell]
                check(f"completion in {shell}", shells.problems(shell, script, folder / "shells"))
            check("archive and Debian package", made.problems(binary, folder / "made"))
            check("what a release must be", made.release_problems(binary, folder / "release"))
            check("action", action.problems(binary, folder / "action"))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())
