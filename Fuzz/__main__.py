"""Feeds every reader that takes a stranger's bytes with what libFuzzer makes of the corpora beside this file.

    python3 -B Fuzz [--minutes N | --short] [READER ...]

An input that stops a reader, breaks a promise, takes too long or too much memory is written to .build/fuzz/finds, and the
run fails: mend the reader, and add a test with the input. It also fails where a reader was given nothing. --short is for CI: a few seconds each, always the same inputs, and
built for debugging, which takes a third of the time to build. Other runs go on from what the ones before have made.
"""

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
CORPORA = FOLDER / "Corpora"
BUILD = ROOT / ".build" / "fuzz"
FINDS = BUILD / "finds"
# The longest input that is made, in bytes.
LONGEST = {"archive": 32_768, "manifest": 40_960, "plan": 20_480, "record": 8_192}
USUAL = 4_096
SHORT_SECONDS = 4
LIMITS = ["-rss_limit_mb=512", "-malloc_limit_mb=256", "-timeout=10", "-report_slow_units=5"]
WORD = re.compile(rb"[A-Za-z$][\w.$-]{2,31}")
WORDS_AT_MOST = 500


def runtime() -> "Path | None":
    """libFuzzer without a main of its own: the toolchain's, or Debian's."""
    name = f"lib/*/libclang_rt.fuzzer_no_main-{platform.machine()}.a"
    told = subprocess.run(["swiftc", "-print-target-info"], stdout=subprocess.PIPE, check=True).stdout
    toolchain = Path(json.loads(told)["paths"]["runtimeResourcePath"]) / "clang"
    folders = [toolchain, *sorted(Path("/usr/lib").glob("llvm-*/lib/clang/*"), reverse=True)]
    return next((found for folder in folders for found in sorted(folder.glob(name))), None)


def build(library: Path, configuration: str) -> Path:
    flags = ["-Xswiftc", "-enable-testing", "-Xswiftc", "-Xfrontend", "-Xswiftc", "-sanitize=fuzzer"]
    for word in (str(library), "-lstdc++", "-lm"):
        flags += ["-Xlinker", word]
    command = ["swift", "build", "-c", configuration, "--scratch-path", str(BUILD), "--product", "Fuzz", *flags]
    ended = subprocess.run(command, cwd=ROOT, env={**os.environ, "CARRYOVER_FUZZ": "1"}, capture_output=True, text=True)
    if ended.returncode != 0:
        sys.exit(ended.stdout + ended.stderr + "\ncarryover: the fuzzer could not be built")
    return BUILD / configuration / "Fuzz"


def words(reader: str) -> Path:
    """The names in a corpus, for the fuzzer to put into inputs: it would not find them by changing bytes."""
    found = {word for file in (CORPORA / reader).iterdir() for word in WORD.findall(file.read_bytes())}
    file = BUILD / f"{reader}.words"
    file.write_text("".join(f'"{word.decode()}"\n' for word in sorted(found)[:WORDS_AT_MOST]))
    return file


def fuzz(binary: Path, reader: str, seconds: int, seed: int, made: Path) -> bool:
    made.mkdir(parents=True, exist_ok=True)
    options = [*LIMITS, f"-max_total_time={seconds}", f"-seed={seed}", f"-max_len={LONGEST.get(reader, USUAL)}",
               f"-artifact_prefix={FINDS}/{reader}-", f"-dict={words(reader)}", "-print_final_stats=1"]
    # The same input runs the same code every time, and a trap is libFuzzer's to report.
    fixed = {"SWIFT_DETERMINISTIC_HASHING": "1", "SWIFT_BACKTRACE": "enable=no", "CARRYOVER_READER": reader}
    memory = Path("/dev/shm")
    # An archive is read from a file: one in memory, where there is a file system in it.
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        ended = subprocess.run([binary, *options, made, CORPORA / reader], env={**os.environ, **fixed, "TMPDIR": folder},
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    log = ended.stdout.decode(errors="replace")
    begun, executed = (re.search(pattern, log, re.M) for pattern in (r"^#(\d+)\tINITED", r"^stat::number_of_executed_units: (\d+)"))
    coverage = re.findall(r" cov: (\d+)", log) or ["0"]
    count = int(executed[1]) - int(begun[1]) if begun and executed else 0
    passed = ended.returncode == 0 and count > 0
    print(f"  {reader:<14}{count:>10,} inputs, coverage {coverage[0]} to {coverage[-1]}{'' if passed else '   FAILED'}")
    if not passed:
        print(*log.splitlines()[-40:], f"status {ended.returncode}; a find is in {FINDS}", sep="\n")
        print(f"CARRYOVER_READER={reader} {binary} FILE repeats it")
    return passed


def main() -> None:
    readers = sorted(folder.name for folder in CORPORA.iterdir())
    parser = argparse.ArgumentParser(prog="Fuzz", description=__doc__.splitlines()[0])
    parser.add_argument("readers", nargs="*", metavar="READER", help=", ".join(readers))
    parser.add_argument("--minutes", type=float, default=5, help="for each reader (default: 5)")
    parser.add_argument("--short", action="store_true", help=f"{SHORT_SECONDS} seconds for each, as in CI")
    parser.add_argument("--runtime", action="store_true", help="prints only where libFuzzer is, for Scripts/setup.sh")
    parser.add_argument("--if-possible", action="store_true", help="passes where the toolchain has no fuzzer")
    choice = parser.parse_args()
    if unknown := set(choice.readers) - set(readers):
        parser.error(f"there is no reader {', '.join(sorted(unknown))}")
    library = runtime()
    if choice.runtime:
        sys.exit(print(library) if library else 1)
    if library is None:
        print("carryover: neither the toolchain nor Debian's packages have libFuzzer; nothing was fuzzed", file=sys.stderr)
        sys.exit(0 if choice.if_possible else 1)
    binary = build(library, "debug" if choice.short else "release")
    FINDS.mkdir(parents=True, exist_ok=True)
    seconds = SHORT_SECONDS if choice.short else max(1, round(choice.minutes * 60))
    with tempfile.TemporaryDirectory() as short, ThreadPoolExecutor(os.cpu_count()) as pool:
        made = Path(short) if choice.short else BUILD / "corpora"
        # libFuzzer takes another seed each time for 0.
        passed = list(pool.map(lambda reader: fuzz(binary, reader, seconds, int(choice.short), made / reader), choice.readers or readers))
    sys.exit(0 if all(passed) else 1)


if __name__ == "__main__":
    main()
