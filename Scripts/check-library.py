#!/usr/bin/env python3
"""Checks what the compiler does not here: that the sources use nothing newer than the systems the package is for, which
only a compiler for those systems would refuse, and that a module's page names every type of its interface.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENTED = ["CarryoverSystem", "CarryoverStorage", "CarryoverRouter", "Carryover", "CarryoverVendors", "CarryoverUserDefaults", "CarryoverRestore",
              "CarryoverEncryption"]
# A newer system's functions do not compile in tests either: those have the package's systems too.
FOLDERS = ["Sources", "Tests", "Examples", "Benchmarks"]
# What came after macOS 14 and iOS 16, and what to use instead.
NEWER = {
    r"String\(validating:": "String(utf8:), in PropertyLists",
    r"\bimport Synchronization\b": "Locked",
    r"\bU?Int128\b": "its own type, as PropertyListInteger has",
    r"\bInlineArray\b|\b(Raw|Mutable|Output)?Span<|\.utf8Span\b|\.span\b(?!\()": "UnsafeBufferPointer",
    r"\bOSAllocatedUnfairLock\b|<each |\bwith(Throwing)?DiscardingTaskGroup\b": "something that iOS 16 has",
}
TYPE = re.compile(
    r"(?:@\w+(?:\([^)]*\))? )*public (?:final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)")


def public_types(text: str) -> dict:
    """The types at a file's outermost level, and whether only some systems have them."""
    found, depth = {}, 0
    for line in text.splitlines():
        word = line.strip()
        depth += word.startswith("#if ") - word.startswith("#endif")
        if match := TYPE.match(line.removeprefix("  " * depth)):
            found[match[1]] = depth > 0
    return found


def newer(path: pathlib.Path) -> list:
    """The lines of a file that use what is newer than the package's systems."""
    wrong = []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        code = line.split("//")[0]
        for pattern, instead in NEWER.items():
            if re.search(pattern, code):
                wrong.append(f"{path.relative_to(ROOT)}:{number}: newer than the package's systems; use {instead}")
    return wrong


def missing(module: str) -> list:
    """The types of a module that its page does not name. One that only some systems have cannot be linked to."""
    page = (ROOT / f"Sources/{module}/{module}.docc/{module}.md").read_text()
    topics = set(re.findall(r"^- ``(\w+)``$", page, re.MULTILINE))
    wrong = []
    for path in sorted((ROOT / "Sources" / module).rglob("*.swift")):
        for name, is_partial in public_types(path.read_text()).items():
            if name not in topics and not (is_partial and f"`{name}`" in page):
                wrong.append(f"{module}.md does not name {name}, of {path.relative_to(ROOT)}")
    return wrong


def main() -> int:
    wrong = [line for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.swift")) for line in newer(path)]
    wrong += [line for module in DOCUMENTED for line in missing(module)]
    for line in wrong:
        print(f"library: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
