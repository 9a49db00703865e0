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
INDENT = 2
OPENS = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?P<access>(?:(?:public|package|private|fileprivate|internal|final|indirect|nonisolated) )*)"
    r"(?P<kind>struct|enum|class|actor|protocol|extension) (?P<name>[\w.]+)")
CONFORMS = re.compile(r"^extension ([\w.]+): (.*?)( where .*)?$")
PUBLIC_TYPE = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))? )*public (?:final |indirect )*(?:struct|enum|class|actor|protocol) (\w+)", re.M)
PACKAGE_PROTOCOL = re.compile(r"^(?:package )?protocol (\w+)", re.M)
PART = {
    "enum": re.compile(r"(?:indirect )?case "),
    "protocol": re.compile(r"(?:static |mutating )*(?:func|var|init|associatedtype|subscript)\b"),
}


def declarations(text: str) -> list[str]:
    """The public declarations of a file, each after its enclosing types, and the conformances that extensions add."""
    found, around = [], []
    lines = text.split("\n")
    for number, line in enumerate(lines):
        code = line.strip()
        if not code or code.startswith(("//", ")", "{", "#")):
            continue
        depth = len(line) - len(line.lstrip())
        while around and depth <= around[-1][0]:
            around.pop()
        opened = OPENS.match(code)
        inside = around[-1] if around else None
        is_public = re.match(r"(?:@\w+(?:\([^)]*\))? )*public ", code) is not None and " import " not in code
        # The cases of a public enum and the requirements of a public protocol are public without the word, at the first
        # level only: a `case` that is indented further is a pattern of a switch.
        is_part = (
            inside is not None and inside[2] and inside[3] in PART and depth == inside[0] + INDENT
            and PART[inside[3]].match(code) is not None)
        if is_public or is_part:
            found.append(".".join([a[1] for a in around] + [""]) + whole(lines, number))
        if CONFORMS.match(whole(lines, number)):
            found.append(whole(lines, number))
        if opened and not code.endswith("}"):
            is_open = "public" in opened["access"].split()
            around.append((depth, opened["name"], is_open, opened["kind"]))
    return found


def whole(lines: list[str], number: int) -> str:
    """A declaration from its first line to where its body begins."""
    text = lines[number].strip()
    while number + 1 < len(lines) and (text.count("(") > text.count(")") or text.endswith(",")):
        number += 1
        text += " " + lines[number].strip()
    if not text.endswith(("{", "}")) and number + 1 < len(lines) and lines[number + 1].strip().startswith(("->", "throws", ")")):
        text += " " + lines[number + 1].strip()
    text = re.sub(r"\s*(//.*)?$", "", text[:body(text)])
    # An initial value is not part of the interface if the declaration has a type.
    text = re.sub(r"^([^(=]*(?:\(set\) )?\b(?:let|var) \w+: [^={]+?)\s*=.*", r"\1", text)
    text = re.sub(r"^((?:public )?(?:static )?let \w+)\s*=.*", r"\1", text)
    return re.sub(r"\s+", " ", text).replace("( ", "(").replace(" )", ")")


def body(text: str) -> int:
    """The index of a declaration's body: the first brace outside parentheses. A brace inside is a default value's."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "{" and depth == 0:
            return place
    return len(text)


def interface(module: str) -> str:
    sources = [file.read_text() for file in sorted((ROOT / "Sources").rglob("*.swift"))]
    types = {name for text in sources for name in PUBLIC_TYPE.findall(text)}
    hidden = {name for text in sources for name in PACKAGE_PROTOCOL.findall(text)}
    found = []
    for file in (ROOT / "Sources" / module).rglob("*.swift"):
        for line in declarations(file.read_text()):
            if match := CONFORMS.match(line):
                protocols = [name for name in match[2].split(", ") if name not in hidden]
                line = f"extension {match[1]}: {', '.join(protocols)}{match[3] or ''}"
                if not protocols or not types.issuperset(match[1].split(".")):
                    continue
            found.append(line)
    return "\n".join(sorted(found)) + "\n"


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
