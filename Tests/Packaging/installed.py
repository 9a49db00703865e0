"""Installing and removing, in a folder that stands for the root of a system, and the installed command at work."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
SAMPLE = REPOSITORY / "Examples/AcmeShop.xcappdata"


def packaging(*arguments: object, status: int = 0) -> str:
    run = subprocess.run([sys.executable, "-B", REPOSITORY / "Packaging", *map(str, arguments)], capture_output=True, text=True)
    if run.returncode != status:
        raise AssertionError(f"Packaging {' '.join(map(str, arguments))} ends with {run.returncode}: {run.stdout}{run.stderr}")
    return run.stdout


def files(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


def problems(binary: Path, folder: Path) -> list[str]:
    found = []
    root = folder / "root"
    options = ["--prefix", "/usr/local", "--destination", root, "--binary", binary]
    # What was there stays there: a folder without anything in it, and a file beside ours.
    (root / "usr/local/share/man/man1").mkdir(parents=True)
    (root / "usr/local/share/man/man1/other.1").write_text("other")
    (root / "usr/local/lib").mkdir()
    before = files(root)
    packaging("install", *options)
    first = files(root)
    found += readable(root)
    packaging("install", *options)
    if files(root) != first:
        found.append(f"installing again changes {set(files(root)) ^ set(first)}")
    found += at_work(root / "usr/local/bin/carryover", folder / "work")
    (root / "usr/local/share/doc/carryover/mine").write_text("mine")
    packaging("uninstall", *options)
    rest = set(files(root)) - set(before)
    if rest != {"usr/local/share/doc", "usr/local/share/doc/carryover", "usr/local/share/doc/carryover/mine"} or not set(before) <= set(files(root)):
        found.append(f"with a file of somebody else's, uninstall leaves {sorted(rest)}")
    shutil.rmtree(root / "usr/local/share/doc")
    packaging("install", *options)
    packaging("uninstall", *options)
    if files(root) != before:
        found.append(f"uninstall leaves {set(files(root)) ^ set(before)}")
    # A root without the prefix is as it was, too.
    empty = folder / "empty"
    empty.mkdir()
    for job in ("install", "uninstall", "uninstall"):
        packaging(job, "--prefix", "/opt/carryover", "--destination", empty, "--binary", binary)
    if files(empty):
        found.append(f"in an empty root, uninstall leaves {files(empty)}")
    packaging("uninstall", *options)
    if files(root) != before:
        found.append(f"a second uninstall changes {set(files(root)) ^ set(before)}")
    (root / "usr/local/share/doc/carryover").mkdir(parents=True)
    (root / "usr/local/share/doc/carryover/INSTALLED").write_text("file ../../../etc/passwd\n")
    packaging("uninstall", *options, status=1)
    return found


def readable(root: Path) -> list[str]:
    modes = {path: path.stat().st_mode & 0o777 for path in root.rglob("*") if path.is_file() and path.name != "other.1"}
    wrong = [str(path) for path, mode in modes.items() if mode != (0o755 if path.parent.name == "bin" else 0o644)]
    return [f"other modes than expected: {wrong}"] if wrong else []


def at_work(command: Path, folder: Path) -> list[str]:
    """Plans, applies and rolls back a copy of the sample with an installed command."""
    sample = folder / "AcmeShop.xcappdata"
    shutil.copytree(SAMPLE, sample)
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    options = [sample, "--write-key", "1xAcmeWriteKey", "--now", "2025-11-20T12:05:00Z"]
    found = []

    def run(*arguments: object) -> str:
        ran = subprocess.run([command, *map(str, arguments)], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if ran.returncode:
            found.append(f"{' '.join(map(str, arguments))} ends with {ran.returncode}: {ran.stderr}")
        return ran.stdout

    run("plan", *options)
    run("apply", *options, "--set", "user_id=42", "--set", "rudder.app_build=420", "--yes")
    if "1xAcmeWriteKey" not in run("inspect", sample, "--store", "com.acme.shop.analytics.1xAcmeWriteKey.plist"):
        found.append("the target is not there after apply")
    run("rollback", sample, "--yes")
    differences = [name for name in different(SAMPLE, sample) if not name.startswith(".carryover")]
    return found + [f"after the rollback, {name} is not as it was" for name in differences]


def different(one: Path, other: Path) -> list[str]:
    def content(root: Path) -> dict[str, bytes]:
        return {name: (root / name).read_bytes() for name in files(root) if (root / name).is_file()}

    first, second = content(one), content(other)
    return sorted(name for name in first.keys() | second.keys() if first.get(name) != second.get(name))
