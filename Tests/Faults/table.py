"""What is printed: a row for each kind and job, and each wrong container with the command line that shows it again."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import dataclass

from kinds import self_check
from setting import Case, Result

SHOWN = 10


@dataclass
class Row:
    """The counts of one kind and job."""

    injected: int = 0
    wrong: int = 0
    missed: int = 0
    not_run: str = ""
    must_be_wrong: bool = False

    @property
    def verdict(self) -> str:
        if self.not_run:
            return f"not run: {self.not_run}"
        if self.missed:
            return f"{self.missed} DID NOT STRIKE"
        if self.injected == 0:
            return "NOTHING INJECTED"
        if self.must_be_wrong:
            return "found, as it must be" if self.wrong else "THE CHECK IS BLIND"
        return "WRONG" if self.wrong else "ok"

    @property
    def is_sound(self) -> bool:
        return self.verdict in ("ok", "found, as it must be") or bool(self.not_run)


def rows(results: list[Result]) -> dict[tuple[str, str], Row]:
    found: dict[tuple[str, str], Row] = {}
    for result in results:
        checks = result.case.kind == self_check.NAME
        name = f"{result.case.job}, lost {result.case.words[0]}" if checks else result.case.job
        row = found.setdefault((result.case.kind, name), Row(must_be_wrong=checks))
        row.injected += result.injected
        row.wrong += len(result.wrong)
        row.missed += len(result.missed)
        row.not_run = row.not_run or result.not_run
    return found


def print_wrong(case: Case, lines: list[str], chosen: argparse.Namespace) -> None:
    command = ["python3", "Tests/Faults", "--binary", str(chosen.binary), "--case", str(case)]
    if chosen.broken:
        command += ["--break", chosen.broken]
    print(f"WRONG {case}\n  " + "\n  ".join(lines) + f"\n  again: {shlex.join(command)}")


def show(results: list[Result], chosen: argparse.Namespace) -> bool:
    """Prints everything, and says whether all is sound."""
    looked = [result for result in results if result.case.kind != self_check.NAME or chosen.case]
    wrong = [found for result in looked for found in result.wrong]
    missed = [line for result in results for line in result.missed]
    for case, lines in wrong[: None if chosen.verbose else SHOWN]:
        print_wrong(case, lines, chosen)
    for line in missed[: None if chosen.verbose else SHOWN]:
        print(f"DID NOT STRIKE {line}")
    found = rows(results)
    print(f"{'fault':<16}{'job':<30}{'injected':>9}{'wrong':>7}  ")
    for (kind, job), row in found.items():
        counts = f"{'-':>9}{'-':>7}" if row.not_run else f"{row.injected:>9}{row.wrong:>7}"
        print(f"{kind:<16}{job:<30}{counts}  {row.verdict}")
    blind = chosen.kind is None and chosen.broken is None and chosen.case is None and not any(
        row.must_be_wrong for row in found.values()
    )
    if blind:
        print("Nothing was broken on purpose, so that nobody knows whether a break would be found.")
    return bool(found) and not blind and all(row.is_sound for row in found.values())
