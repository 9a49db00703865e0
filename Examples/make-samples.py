#!/usr/bin/env python3
"""Makes the sample containers beside this script.

The bytes come from CPython's plistlib, so that Carryover is tried on files another writer made. Only the standard library is used,
and nothing depends on clock, locale or machine: the same bytes come out every time.

All samples belong to the app com.acme.shop, and the write key is 1xAcmeWriteKey. What is in them: samples/people.py, and
samples/findings.py for one container a finding."""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
FINDINGS = HERE / "Findings"
sys.path.insert(0, str(HERE))

from samples.basics import write  # noqa: E402
from samples.findings import finding_files  # noqa: E402
from samples.people import PEOPLE  # noqa: E402

SAMPLES = {f"{name}.xcappdata": files for name, files in PEOPLE.items()}


def check() -> bool:
    found = {path.name for path in HERE.glob("*.xcappdata")}
    if unknown := found - SAMPLES.keys():
        print(f"Examples: nothing makes {', '.join(sorted(unknown))}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        for name, files in SAMPLES.items():
            write(Path(folder, name), files)
        same = [subprocess.run(["diff", "-r", Path(folder, name), HERE / name], stdout=sys.stderr).returncode == 0 for name in SAMPLES]
    if not all(same):
        print("Run Examples/make-samples.py to make the samples again.", file=sys.stderr)
    return all(same) and not unknown


def main() -> int:
    parser = argparse.ArgumentParser(description="Makes the sample containers beside this script.")
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--findings", action="store_true", help="write only one container a finding, into Findings, which is not committed")
    choice.add_argument("--check", action="store_true", help="write nothing; status 1 if a committed file differs")
    options = parser.parse_args()
    if options.check:
        return 0 if check() else 1
    wanted = {FINDINGS: finding_files()}
    if not options.findings:
        wanted |= {HERE / name: files for name, files in SAMPLES.items()}
    for root, files in wanted.items():
        shutil.rmtree(root, ignore_errors=True)
        write(root, files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
