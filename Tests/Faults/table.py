"""What is printed: a row for each kind and job, and each wrong container with the command line that shows it again."""

from __future__ import annotations

import argparse
import shlex

from setting import Result

SHOWN = 10


def show(results: list[Result], chosen: argparse.Namespace) -> bool:
    """Prints everything, and says whether all is sound."""
    rows: dict[tuple[str, str], list[int]] = {}
    for result in results:
        row = rows.setdefault((result.case.kind, result.case.job), [0, 0, 0])
        row[0] += result.injected
        row[1] += len(result.wrong)
        row[2] += len(result.missed)
    wrong = [found for result in results for found in result.wrong]
    missed = [line for result in results for line in result.missed]
    for case, lines in wrong[: None if chosen.keep else SHOWN]:
        command = ["python3", "Tests/Faults", "--binary", str(chosen.binary), "--case", str(case)]
        if chosen.broken:
            command += ["--break", chosen.broken]
        print(f"WRONG {case}\n  " + "\n  ".join(lines) + f"\n  again: {shlex.join(command)}")
    for line in missed[: None if chosen.keep else SHOWN]:
        print(f"MISSED {line}")
    print(f"{'kind':<12}{'job':<20}{'injected':>10}{'wrong':>8}{'missed':>8}")
    for (kind, job), (injected, bad, lost) in rows.items():
        print(f"{kind:<12}{job:<20}{injected:>10}{bad:>8}{lost:>8}")
    return not wrong and not missed and all(row[0] for row in rows.values()) and bool(rows)
