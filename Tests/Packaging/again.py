#!/usr/bin/env python3
"""Makes everything again from the last commit, in another folder, and compares every byte with what make dist has made.

    python3 Tests/Packaging/again.py FOLDER

A build takes minutes. Status 1 if a file differs, or if FOLDER was made from changed sources.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def main() -> int:
    first = Path(sys.argv[1]).resolve()
    if subprocess.run(["git", "diff", "--quiet", "HEAD"], cwd=REPOSITORY).returncode:
        print("again: the sources have changes that are not committed")
        return 1
    with tempfile.TemporaryDirectory(prefix="carryover-made-again-") as folder:
        subprocess.run(["git", "clone", "--quiet", "--no-local", REPOSITORY, folder], check=True)
        # The versions of the packages are no part of the sources.
        Path(folder, "Package.resolved").write_bytes((REPOSITORY / "Package.resolved").read_bytes())
        subprocess.run(["make", "dist"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        second = Path(folder, ".build/dist")
        names = {path.name for path in [*first.iterdir(), *second.iterdir()]}
        differ = [name for name in sorted(names) if content(first / name) != content(second / name)]
    print("\n".join(f"again: {name} differs" for name in differ) or f"again: {len(names)} files are the same")
    return 1 if differ or not names else 0


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


sys.exit(main())
