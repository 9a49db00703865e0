"""Feeds every reader that takes a stranger's bytes with what libFuzzer makes of the corpora beside this file.

    python3 -B Fuzz [--minutes N | --short] [--keep] [READER ...]

An input that stops a reader, breaks a promise, takes too long or too much memory is written to .build/fuzz/finds, and the
run fails; so it does where a reader was given nothing. --short is for CI: a few seconds each, always the same inputs, and
built for debugging, which takes a third of the time to build. With --keep, the inputs that ran code which none of the
corpus runs are put into it, and those that others make superfluous are taken out.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
CORPORA = FOLDER / "Corpora"
BUILD = ROOT / ".build" / "fuzz"
FINDS = BUILD / "finds"
# What was made by all runs but short ones.
MADE = BUILD / "corpora"
# The longest input that is made, and the longest that is kept, in bytes.
LONGEST = {"archive": 32_768, "manifest": 40_960, "plan": 20_480, "record": 8_192}
USUAL = 4_096
LONGEST_KEPT = {"archive": 8_192, "manifest": 2_560, "plan": 1_536, "record": 1_536}
USUAL_KEPT = 896
SHORT_SECONDS = 4
LIMITS = ["-rss_limit_mb=512", "-malloc_limit_mb=256", "-timeout=10", "-report_slow_units=5"]
WORD = re.compile(rb"[A-Za-z$][\w.$-]{2,31}")
WORDS_AT_MOST = 500
STATUS = re.compile(r"^#(\d+)\t(\w+) +cov: (\d+)", re.MULTILINE)
EXECUTED = re.compile(r"^stat::number_of_executed_units: (\d+)", re.MULTILINE)


@dataclass
class Ended:
    """One reader's run."""

    reader: str
    status: int
    executions: int  # beside those of the corpus
    coverage: tuple[int, int]  # what the corpus runs, and what is run now
    log: str

    @property
    def fault(self) -> str:
        if self.status != 0:
            return f"status {self.status}"
        return "" if self.executions > 0 else "no input was made"

    def __str__(self) -> str:
        before, after = self.coverage
        line = f"  {self.reader:<14}{self.executions:>10,} executions   coverage {before:,} + {after - before}"
        return line + (f"   FAILED: {self.fault}" if self.fault else "")


def runtime() -> Path | None:
    """libFuzzer without a main of its own: the toolchain's, or Debian's."""
    name = f"lib/*/libclang_rt.fuzzer_no_main-{platform.machine()}.a"
    told = subprocess.run(["swiftc", "-print-target-info"], stdout=subprocess.PIPE, check=True).stdout
    toolchain = Path(json.loads(told)["paths"]["runtimeResourcePath"]) / "clang"
    for folder in [toolchain, *sorted(Path("/usr/lib").glob("llvm-*/lib/clang/*"), reverse=True)]:
        for found in sorted(folder.glob(name)):
            return found
    return None


def build(library: Path, configuration: str) -> Path:
    flags = ["-Xswiftc", "-enable-testing", "-Xswiftc", "-Xfrontend", "-Xswiftc", "-sanitize=fuzzer"]
    for word in (str(library), "-lstdc++", "-lm"):
        flags += ["-Xlinker", word]
    command = ["swift", "build", "-c", configuration, "--scratch-path", str(BUILD), "--product", "Fuzz", *flags]
    ended = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "CARRYOVER_FUZZ": "1"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, check=False)
    if ended.returncode != 0:
        sys.exit(ended.stdout + "\ncarryover: the fuzzer could not be built")
    return BUILD / configuration / "Fuzz"


def run(binary: Path, reader: str, *arguments) -> subprocess.CompletedProcess:
    # The same input runs the same code every time, and a trap is libFuzzer's to report.
    fixed = {"SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no", "CARRYOVER_READER": reader}
    memory = Path("/dev/shm")
    # An archive is read from a file: one in memory, where there is a file system in it.
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        return subprocess.run(
            [str(word) for word in (binary, *LIMITS, *arguments)],
            env={**os.environ, **fixed, "TMPDIR": folder}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)


def words(reader: str) -> Path:
    """The names in a corpus, for the fuzzer to put into inputs: it would not find them by changing bytes."""
    found = {word for file in (CORPORA / reader).iterdir() for word in WORD.findall(file.read_bytes())}
    file = BUILD / f"{reader}.words"
    file.write_text("".join(f'"{word.decode()}"\n' for word in sorted(found)[:WORDS_AT_MOST]))
    return file


def fuzz(binary: Path, reader: str, seconds: int, seed: int, made: Path) -> Ended:
    made.mkdir(parents=True, exist_ok=True)
    ended = run(
        binary, reader, f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST.get(reader, USUAL)}",
        f"-artifact_prefix={FINDS}/{reader}-", f"-dict={words(reader)}", "-print_final_stats=1", made, CORPORA / reader)
    log = ended.stdout.decode(errors="replace")
    lines = [(int(number), word, int(coverage)) for number, word, coverage in STATUS.findall(log)]
    first = next((line for line in lines if line[1] == "INITED"), (0, "", 0))
    executed = EXECUTED.search(log)
    executions = int(executed[1]) if executed else max((line[0] for line in lines), default=0)
    coverage = (first[2], max((line[2] for line in lines), default=0))
    return Ended(reader, ended.returncode, executions - first[0], coverage, log)


def keep(binary: Path, reader: str) -> None:
    """Makes the corpus anew: a few small inputs that together run what is run so far."""
    corpus, new = CORPORA / reader, BUILD / "kept"
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir()
    ended = run(
        binary, reader, "-set_cover_merge=1", "-use_counters=0", f"-max_len={LONGEST_KEPT.get(reader, USUAL_KEPT)}",
        new, corpus, MADE / reader)
    if ended.returncode != 0:
        sys.exit(ended.stdout.decode(errors="replace"))
    shutil.rmtree(corpus)
    shutil.move(new, corpus)
    files = list(corpus.iterdir())
    print(f"  {reader:<14}{len(files):>5} inputs, {sum(file.stat().st_size for file in files):,} bytes")


def main() -> None:
    parser = argparse.ArgumentParser(prog="Fuzz", description=__doc__.splitlines()[0])
    readers = sorted(folder.name for folder in CORPORA.iterdir())
    parser.add_argument("readers", nargs="*", metavar="READER", help=", ".join(readers))
    parser.add_argument("--minutes", type=float, default=5, help="for each reader (default: 5)")
    parser.add_argument("--short", action="store_true", help=f"{SHORT_SECONDS} seconds for each, as in CI")
    parser.add_argument("--seed", type=int, help="of the chance by which inputs are made")
    parser.add_argument("--keep", action="store_true", help="puts what was found into the corpora")
    parser.add_argument("--runtime", action="store_true", help="prints only where libFuzzer is, for Scripts/setup.sh")
    parser.add_argument("--if-possible", action="store_true", help="passes where the toolchain has no fuzzer")
    choice = parser.parse_args()
    if unknown := set(choice.readers) - set(readers):
        sys.exit(f"carryover: there is no reader {', '.join(sorted(unknown))}")
    library = runtime()
    if choice.runtime:
        sys.exit(print(library) if library else 1)
    if library is None:
        print("carryover: neither the toolchain nor Debian's packages have libFuzzer; nothing was fuzzed", file=sys.stderr)
        sys.exit(0 if choice.if_possible else 1)
    binary = build(library, "debug" if choice.short else "release")
    FINDS.mkdir(parents=True, exist_ok=True)
    seconds = SHORT_SECONDS if choice.short else max(1, round(choice.minutes * 60))
    # libFuzzer takes another seed each time for 0.
    seed = choice.seed if choice.seed is not None else int(choice.short)
    with tempfile.TemporaryDirectory() as short, ThreadPoolExecutor(os.cpu_count()) as pool:
        made = Path(short) if choice.short else MADE
        ended = list(
            pool.map(lambda reader: fuzz(binary, reader, seconds, seed, made / reader), choice.readers or readers))
    for one in ended:
        print(one)
    failed = [one for one in ended if one.fault]
    for one in failed:
        print(f"\n{one.reader}:\n" + "\n".join(one.log.splitlines()[-40:]))
    if failed:
        print(f"\nA find lies in {FINDS}; {binary} FILE, with CARRYOVER_READER set, repeats it.")
        sys.exit(1)
    if choice.keep:
        for one in ended:
            keep(binary, one.reader)


if __name__ == "__main__":
    main()
