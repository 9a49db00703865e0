#!/usr/bin/env python3
"""Prints which functions a move of the cursor runs, in the review and among the stores, the costliest first: `make
symbol-order` keeps them for the linker, which puts them side by side.

What lies side by side is brought from memory together. After a pause that is most of what a key costs: it runs few
instructions, and their places would be all over a binary of twenty megabytes.

Needs valgrind, and the command linked with its symbols.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pseudo_terminal import Expected, Session

HERE = Path(__file__).parent
SIZE = (120, 40)
FEW, MANY = 24, 124
# Less than once a move is not what a move runs.
LEAST = MANY - FEW
# In bytes.
LARGEST_PIECE = 1 << 12


def profile(command, expected, rows, moves, home, name):
    """The instructions of each function, by its mangled name, in a session with so many moves."""
    out = home / name
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "XDG_STATE_HOME": str(home), "XDG_CONFIG_HOME": str(home),
        "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "TZ": "UTC",
    }
    valgrind = [
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-strings=no", "--demangle=no",
    ]
    with Session([*valgrind, *command], SIZE, environment) as session:
        session.painted(Expected(expected), quiet=1.5)
        keys = [b"j"] * rows + [b"k"] * rows
        for move in range(moves):
            session.press(keys[move % len(keys)])
        session.prepare(b"q")
        session.process.wait(60)
    return costs(out)


def costs(path):
    """The instructions of each function without those it calls."""
    found = {}
    function = None
    is_call = False
    for line in path.read_text(errors="replace").splitlines():
        if line.startswith("fn="):
            function = line[3:]
        elif line.startswith("calls="):
            # The next line holds what the call cost, which is the other function's.
            is_call = True
        elif re.match(r"[+\-*\d]", line):
            words = line.split()
            if not is_call and function and len(words) > 1:
                found[function] = found.get(function, 0) + int(words[1])
            is_call = False
    return found


def movable(path):
    """The functions that the linker can put elsewhere without much else, of those its map names: some libraries come in
    pieces of a megabyte, each of which stays whole."""
    found = set()
    is_small = False
    for line in path.read_text(errors="replace").splitlines()[1:]:
        words = line.split(maxsplit=4)
        if len(words) < 5:
            continue
        if ":(" in words[4]:
            is_small = int(words[2], 16) <= LARGEST_PIECE
        elif is_small:
            found.add(words[4])
    return found


def hot(command, expected, rows, home, name):
    few = profile(command, expected, rows, FEW, home, name + "-few")
    many = profile(command, expected, rows, MANY, home, name + "-many")
    gained = {function: many[function] - few.get(function, 0) for function in many}
    return sorted((one for one in gained if gained[one] >= LEAST), key=lambda one: (-gained[one], one))


def main():
    parser = argparse.ArgumentParser(description="Prints which functions a move of the cursor runs.")
    parser.add_argument("--carryover", type=Path, required=True, help="the command, built for release, with symbols")
    parser.add_argument("--map", type=Path, required=True, help="what the linker says of where it put everything")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        # valgrind cannot read what the linker writes for debuggers.
        command = home / "carryover"
        subprocess.run(["objcopy", "--strip-debug", asked.carryover, command], check=True)
        subprocess.run(
            [sys.executable, HERE / "make-screen-data.py", home / "data", "--keys", "2000", "--commits", "1"], check=True)
        sample = home / "AcmeShop.xcappdata"
        shutil.copytree(HERE.parent / "Examples" / "AcmeShop.xcappdata", sample)
        review = hot([command, sample, "--write-key", "1abcDEF"], rb"rudder\.app_build", 6, home, "review")
        browse = hot([command, "browse", home / "data" / "Large.xcappdata"], b"key000030", 30, home, "browse")
    # The others are shared libraries', which are where they are.
    ours = movable(asked.map)
    names = [name for name in dict.fromkeys([*review, *browse]) if name in ours]
    print("\n".join(names))


if __name__ == "__main__":
    main()
