#!/usr/bin/env python3
"""Makes the web site of the documentation: pages that need no server, no script and nothing from elsewhere.

    python3 Site FOLDER                     from the build for debugging

The pages come from the Markdown of the repository, from what the command says of findings and recipes, and from the
archives that `make docs` has made, if there are any. Needs markdown-it-py, which Scripts/setup.sh installs. The same
sources give the same bytes.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
REPOSITORY = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPOSITORY / ".build/site-tools"))

import build  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(prog="Site", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder to write; what was in it is removed")
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/debug/carryover")
    parser.add_argument("--archives", type=Path, default=REPOSITORY / ".build/documentation", help="where the libraries' archives are")
    arguments = parser.parse_args()
    if not arguments.binary.exists():
        raise SystemExit(f"site: {arguments.binary} does not exist: run make build first")
    if arguments.folder.exists() and any(arguments.folder.iterdir()) and not (arguments.folder / "site.css").exists():
        raise SystemExit(f"site: {arguments.folder} is not a site that make site has written; choose another folder")
    files = build.files(REPOSITORY, arguments.binary.resolve(), arguments.archives)
    shutil.rmtree(arguments.folder, ignore_errors=True)
    os.umask(0o022)
    for place, content in files.items():
        path = arguments.folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    print(f"{len(files)} files: {arguments.folder}/index.html")
    return 0


try:
    sys.exit(main())
except OSError as error:
    print(f"site: {error.strerror}: {error.filename}", file=sys.stderr)
except subprocess.CalledProcessError as error:
    print(f"site: {error.cmd[0]} ends with {error.returncode}: {error.stderr or ''}", file=sys.stderr)
sys.exit(1)
