"""What is printed: a row for each kind and job, and each wrong container with the command line that shows it again."""

import argparse
import shlex

from kinds import self_check
from setting import Case, Result

SHOWN = 10
SOUND = ("ok", "found, as it must be", "not run")


def verdict(results: list[Result]) -> str:
    """What came of the cases of one row. A control, in which a call is swallowed, must leave something wrong."""
    missed = sum(len(one.missed) for one in results)
    wrong = any(one.wrong for one in results)
    if why := next((one.not_run for one in results if one.not_run), ""):
        return f"not run: {why}"
    if missed:
        return f"{missed} DID NOT STRIKE"
    if not any(one.injected for one in results):
        return "NOTHING INJECTED"
    if results[0].case.kind == self_check.NAME:
        return "found, as it must be" if wrong else "THE CHECK IS BLIND"
    return "WRONG" if wrong else "ok"


def print_wrong(case: Case, lines: list[str], chosen: argparse.Namespace) -> None:
    command = ["python3", "Tests/Faults", "--binary", str(chosen.binary), "--case", str(case)]
    print(f"WRONG {case}\n  " + "\n  ".join(lines) + f"\n  again: {shlex.join(command)}")


def show(results: list[Result], chosen: argparse.Namespace) -> bool:
    """Prints everything, and says whether all is sound."""
    looked = [result for result in results if result.case.kind != self_check.NAME or chosen.case]
    for case, lines in [found for result in looked for found in result.wrong][:SHOWN]:
        print_wrong(case, lines, chosen)
    for line in [line for result in results for line in result.missed][:SHOWN]:
        print(f"DID NOT STRIKE {line}")
    rows: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        case = result.case
        name = f"{case.job}, lost {case.words[0]}" if case.kind == self_check.NAME else case.job
        rows.setdefault((case.kind, name), []).append(result)
    print(f"{'fault':<16}{'job':<30}{'injected':>9}{'wrong':>7}  ")
    for (kind, job), found in rows.items():
        counts = sum(one.injected for one in found), sum(len(one.wrong) for one in found)
        print(f"{kind:<16}{job:<30}{counts[0]:>9}{counts[1]:>7}  {verdict(found)}")
    blind = not (chosen.kind or chosen.case) and not any(kind == self_check.NAME for kind, _ in rows)
    if blind:
        print("Nothing was broken on purpose, so that nobody knows whether a break would be found.")
    return bool(rows) and not blind and all(verdict(found).startswith(SOUND) for found in rows.values())
