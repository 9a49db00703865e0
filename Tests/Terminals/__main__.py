#!/usr/bin/env python3
"""Tries the built command on pseudo-terminals, and judges the bytes it sends and the terminals it leaves.

Needs pyte, which Scripts/setup.sh puts beside the build, and ncurses' tic and infocmp. A debug build has the deliberate faults that
are tried. Status 1 if anything is wrong."""

import argparse
import os
import random
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / ".build/judges"))
sys.dont_write_bytecode = True

from checks import given_back, hostile, kept, names, prompts, sizes, typed, widths  # noqa: E402
from setting import Setting  # noqa: E402

CHECKS = {module.__name__.split(".")[-1]: module for module in (typed, given_back, hostile, kept, prompts, names, sizes, widths)}


def work(setting: Setting, check: str, case: str) -> tuple[str, list[str], float]:
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="carryover-terminals-", ignore_cleanup_errors=True) as folder:
        setting.folder = Path(folder)
        try:
            wrong = CHECKS[check].run(setting, case)
        except Exception as error:  # a case that could not be tried has failed
            wrong = [f"{type(error).__name__}: {error}"]
    sys.stdout.flush()
    return f"{check} {case}", wrong, time.monotonic() - start


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Terminals", description="Tries the built command on pseudo-terminals.")
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/debug/carryover")
    parser.add_argument("--long", action="store_true", help="more of everything, ten minutes of random keys")
    parser.add_argument("--only", default="", help="the cases whose name has this text, as a failure names them")
    parser.add_argument("--seed", type=int, help="random keys and sizes of another run; each run prints its seed",
                        default=os.environ.get("CARRYOVER_RANDOM_SEED", random.randrange(10**6)))
    parser.add_argument("--seconds", type=float, default=None, help="how long to press random keys, in all")
    parser.add_argument("--jobs", type=int, default=max(2, min(4, os.cpu_count() or 1)))
    options = parser.parse_args()
    seconds = options.seconds or (600 if options.long else float(os.environ.get("CARRYOVER_RANDOM_SECONDS", 60)) / 2)
    setting = Setting(options.binary.resolve(), Path(), options.long, options.seed, seconds)
    cases = [(check, case) for check, module in CHECKS.items() for case in module.CASES(setting) if options.only in f"{check} {case}"]
    print(f"Terminals: {len(cases)} cases, seed {options.seed}")
    failed, start = 0, time.monotonic()
    state = tempfile.TemporaryDirectory(prefix="carryover-state-")
    os.environ["XDG_STATE_HOME"] = state.name  # where the command keeps its key
    with state, ProcessPoolExecutor(options.jobs) as pool:
        for future in as_completed([pool.submit(work, setting, check, case) for check, case in cases]):
            name, wrong, taken = future.result()
            if wrong:
                failed += 1
                print(f"✘ {name} ({taken:.1f} s)", *(f"    {line}" for line in wrong), sep="\n", flush=True)
            elif options.only:
                print(f"✔ {name} ({taken:.1f} s)", flush=True)
    print(f"Terminals: {len(cases) - failed} of {len(cases)} cases right in {time.monotonic() - start:.0f} s"
          + (f"; seed {options.seed}" if failed else ""))
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
