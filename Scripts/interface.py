#!/usr/bin/env python3
"""Prints the public interface of every product, a declaration a line, or compares it with what is committed.

    python3 Scripts/interface.py           write Scripts/interface/MODULE.txt again
    python3 Scripts/interface.py --check   fail where one differs, and show what was added or removed

A removed or changed line breaks apps: say so in CHANGELOG.md. It reads the sources as they are formatted, so that it needs
neither a build nor a Mac; what only the compiler derives, such as a memberwise conformance, is not in it.
"""

import difflib
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Scripts" / "interface"
OPENS = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?P<access>(?:(?:public|package|private|fileprivate|internal|final|indirect|nonisolated) )*)"
    r"(?P<kind>struct|enum|class|actor|protocol|extension) (?P<name>[\w.]+)")
CASE = re.compile(r"^(?:indirect )?case ")


def declarations(text: str) -> list[str]:
    """The public declarations of a file, each with the types around it."""
    found, around = [], []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        code = line.strip()
        if not code or code.startswith(("//", ")", "#")):
            continue
        depth = len(line) - len(line.lstrip())
        while around and depth <= around[-1][0]:
            around.pop()
        opened = OPENS.match(code)
        inside = around[-1] if around else None
        is_public = re.match(r"(?:@\w+(?:\([^)]*\))? )*public ", code) is not None and " import " not in code
        # The cases of a public enum and the requirements of a public protocol are public without the word.
        is_part = inside is not None and inside[2] and (
            inside[3] == "enum" and CASE.match(code) is not None
            or inside[3] == "protocol" and re.match(r"(static |mutating )*(func|var|init|associatedtype|subscript)\b", code))
        if is_public or is_part:
            found.append(".".join([a[1] for a in around] + [""]) + whole(lines, number))
        if opened and not code.endswith("}"):
            is_open = "public" in opened["access"].split()
            around.append((depth, opened["name"], is_open, opened["kind"]))
    return found


def whole(lines: list[str], number: int) -> str:
    """A declaration from its first line to where its body begins."""
    text = lines[number].strip()
    while text.count("(") > text.count(")") and number + 1 < len(lines):
        number += 1
        text += " " + lines[number].strip()
    if not text.endswith(("{", "}")) and number + 1 < len(lines) and lines[number + 1].strip().startswith(("->", "throws", ")")):
        text += " " + lines[number + 1].strip()
    text = re.sub(r"\s*(//.*)?$", "", re.split(r"\s\{(?=\s|$)", text)[0])
    # A stored value is no part of the interface.
    return re.sub(r"\s+", " ", re.sub(r"^((?:public )?(?:static )?let \w+)\s*=.*", r"\1", text)).replace("( ", "(")


def interface(module: str) -> str:
    files = sorted((ROOT / "Sources" / module).rglob("*.swift"))
    return "\n".join(sorted(line for file in files for line in declarations(file.read_text()))) + "\n"


def main() -> int:
    modules = json.loads((ROOT / "Scripts" / "house.json").read_text())["products"]
    wrong = False
    for module in modules:
        file, present = FOLDER / f"{module}.txt", interface(module)
        if "--check" not in sys.argv:
            FOLDER.mkdir(exist_ok=True)
            file.write_text(present)
            continue
        known = file.read_text() if file.exists() else ""
        for line in difflib.unified_diff(known.splitlines(), present.splitlines(), lineterm="", n=0):
            if line[:1] in "+-" and line[:3] not in ("+++", "---"):
                wrong = True
                print(f"interface: {module}: {line}", file=sys.stderr)
    if wrong:
        print("interface: run make interface, and list what breaks apps in CHANGELOG.md", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
