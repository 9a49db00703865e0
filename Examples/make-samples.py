#!/usr/bin/env python3
"""Makes the sample containers beside this script.

    Examples/make-samples.py          write every sample
    Examples/make-samples.py --check  write nothing; status 1 if a committed file differs

The bytes come from CPython's plistlib, so that Carryover is tried on files another writer made. Only the
standard library is used, and nothing depends on clock, locale or machine: the same bytes come out every time.

All samples belong to the app com.acme.shop, and the write key is 1xAcmeWriteKey. What is in them: samples/people.py,
and samples/findings.py for one container a finding.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
FINDINGS = HERE / "Findings"
INDEX = FINDINGS / "index.json"
sys.path.insert(0, str(HERE))

from samples import files as disk  # noqa: E402
from samples.basics import Files  # noqa: E402
from samples.findings import finding_folders, index  # noqa: E402
from samples.people import PEOPLE  # noqa: E402


def folders() -> dict[Path, Files]:
    """Every committed folder with what belongs in it."""
    people = {HERE / f"{name}.xcappdata": make() for name, make in PEOPLE.items()}
    return {**people, **{FINDINGS / name: files for name, files in finding_folders().items()}}


def problems() -> list[str]:
    """What is wrong with the committed samples, one line each."""
    made = folders()
    found = [line for root, files in made.items() for line in disk.differences(root, files, HERE)]
    if not INDEX.is_file() or INDEX.read_bytes() != index():
        found.append(f"{INDEX.relative_to(HERE)}: differs")
    unknown = {*HERE.glob("*.xcappdata"), *FINDINGS.glob("*")} - made.keys() - {INDEX}
    return found + [f"{root.relative_to(HERE)}: no sample of this name is made here" for root in sorted(unknown)]


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the sample containers beside this script.")
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 if a committed file differs")
    options = parser.parse_args()
    if not options.check:
        for root, files in folders().items():
            disk.write(root, files)
        INDEX.write_bytes(index())
    found = problems()
    for line in found:
        print(line, file=sys.stderr)
    if found and options.check:
        print("Run Examples/make-samples.py to make the samples again.", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
