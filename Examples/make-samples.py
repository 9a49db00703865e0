#!/usr/bin/env python3
"""Makes the sample containers beside this script.

    Examples/make-samples.py             write every sample
    Examples/make-samples.py --findings  write one container a finding into Findings, which is not committed
    Examples/make-samples.py --check     write nothing; status 1 if a committed file differs

The bytes come from CPython's plistlib, so that Carryover is tried on files another writer made. Only the standard library is used,
and nothing depends on clock, locale or machine: the same bytes come out every time.

All samples belong to the app com.acme.shop, and the write key is 1xAcmeWriteKey. What is in them: samples/people.py, and
samples/findings.py for one container a finding."""

import argparse
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
FINDINGS = HERE / "Findings"
sys.path.insert(0, str(HERE))

from samples.basics import Files  # noqa: E402
from samples.findings import finding_folders, index  # noqa: E402
from samples.people import PEOPLE  # noqa: E402


def write(root: Path, files: Files) -> None:
    """The files in a new folder; what was there before is gone."""
    shutil.rmtree(root, ignore_errors=True)
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


def differences(root: Path, files: Files) -> list[str]:
    """What is wrong with a folder on disk, one line each."""
    on_disk = {file.relative_to(root).as_posix(): file for file in root.rglob("*") if not file.is_dir()}
    name = root.relative_to(HERE).as_posix()
    found = []
    for path in sorted(files.keys() | on_disk.keys()):
        if path not in on_disk:
            found.append(f"{name}/{path}: missing")
        elif path not in files:
            found.append(f"{name}/{path}: not part of the sample")
        elif on_disk[path].read_bytes() != files[path]:
            found.append(f"{name}/{path}: differs")
    return found


def people() -> dict[Path, Files]:
    """Every committed folder with what belongs in it."""
    return {HERE / f"{name}.xcappdata": make() for name, make in PEOPLE.items()}


def problems() -> list[str]:
    """What is wrong with the committed samples, one line each."""
    made = people()
    found = [line for root, files in made.items() for line in differences(root, files)]
    unknown = set(HERE.glob("*.xcappdata")) - made.keys()
    return found + [f"{root.relative_to(HERE)}: no sample of this name is made here" for root in sorted(unknown)]


def write_findings() -> None:
    made = finding_folders()
    for name in [path.name for path in FINDINGS.glob("*.*") if path.is_dir() and path.name not in made]:
        shutil.rmtree(FINDINGS / name)
    for name, files in made.items():
        if not (FINDINGS / name).is_dir() or differences(FINDINGS / name, files):
            write(FINDINGS / name, files)
    (FINDINGS / "index.json").write_bytes(index())


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the sample containers beside this script.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--findings", action="store_true", help="write one container a finding, and no other sample")
    choice.add_argument("--check", action="store_true", help="write nothing; status 1 if a committed file differs")
    options = parser.parse_args()
    if not options.check:
        write_findings()
    if not options.check and not options.findings:
        for root, files in people().items():
            write(root, files)
    found = [] if options.findings else problems()
    for line in found:
        print(line, file=sys.stderr)
    if found and options.check:
        print("Run Examples/make-samples.py to make the samples again.", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
