#!/usr/bin/env python3
"""Measures how the sources are built, and holds them to the limits of Scripts/house.json.

    python3 Scripts/house.py             print modules, folders and their arrows; status 1 where a limit is exceeded
    python3 Scripts/house.py --quiet     print what exceeds a limit, and nothing else
    python3 Scripts/house.py --why A B   print the names because of which folder A needs folder B (Module/Folder)
    python3 Scripts/house.py --self-check  break every limit, and fail unless that is found

A folder needs another one of its module where it names a type that is declared there, or calls a member that an
extension there adds to a type from elsewhere. It is a look at the text, not at what the compiler sees: a name that
several folders declare counts for none.
"""

from __future__ import annotations

import argparse
import functools
import json
import re
import statistics
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIMITS = "Scripts/house.json"

ATTRIBUTES = r"^(?:@\w+(?:\([^)\n]*\))?\s+)*"
WORDS = r"(?:(?:public|package|internal|fileprivate|private|open|final|indirect|static|mutating|nonisolated)\s+)*"
TYPE = re.compile(ATTRIBUTES + WORDS + r"(?:struct|enum|class|actor|protocol|typealias)\s+([A-Z]\w*)", re.M)
EXTENSION = re.compile(r"^(?:public |package |fileprivate )?extension\s+([\w.]+)[^{]*\{\n(.*?)^\}", re.M | re.S)
MEMBER = re.compile(r"^  (?:@\w+(?:\([^)\n]*\))?\s+)*" + WORDS + r"(?:func|var|let)\s+(\w+)", re.M)
NESTED = re.compile(r"^ +" + WORDS + r"(?:struct|enum|class|actor|protocol|typealias)\s+([A-Z]\w*)", re.M)
DECLARED = re.compile(r"\b(?:func|var|let|case)\s+(\w+)")
PUBLIC = re.compile(r"^[ \t]*(?:@\w+(?:\([^)\n]*\))?\s+)*(?:public|open)\s+(?!import\b|extension\b)", re.M)
COMMENT = re.compile(r"//[^\n]*")
STRING = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"')


def code(text: str) -> str:
    """A source without its comments and texts."""
    return STRING.sub('""', COMMENT.sub("", text))


class Module:
    """One module's sources, and which of its folders need which."""

    def __init__(self, name: str, texts: dict[Path, str]):
        self.name = name
        self.texts = texts
        self.codes = {path: code(text) for path, text in self.texts.items()}
        self.folders = sorted({self.folder(path) for path in self.codes} - {""})

    @staticmethod
    def folder(path: Path) -> str:
        """The folder that counts; what lies beside the folders belongs to none."""
        return path.parts[0] if len(path.parts) > 1 else ""

    @functools.cached_property
    def needs(self) -> dict[str, dict[str, set[str]]]:
        """For each folder the folders it needs, with the names because of which it does."""
        types, members = defaultdict(set), defaultdict(set)
        for path, text in self.codes.items():
            for name in TYPE.findall(text):
                types[name].add(self.folder(path))
        for path, text in self.codes.items():
            for extended, body in EXTENSION.findall(text):
                if self.folder(path) not in types.get(extended.split(".")[0], ()):
                    for name in MEMBER.findall(body):
                        members[name].add(self.folder(path))
        nested = defaultdict(set)
        for path, text in self.codes.items():
            nested[self.folder(path)].update(NESTED.findall(text))
        own = {n: next(iter(f)) for n, f in types.items() if len(f) == 1}
        # A name that is declared twice, of whatever type, would be a guess.
        declared = Counter(name for text in self.codes.values() for name in DECLARED.findall(text))
        added = {n: next(iter(f)) for n, f in members.items() if len(f) == 1 and declared[n] == 1}
        needs: dict[str, dict[str, set[str]]] = {folder: defaultdict(set) for folder in self.folders}
        for path, text in self.codes.items():
            here = self.folder(path)
            if not here:
                continue
            for name in set(re.findall(r"\b[A-Z]\w*\b", text)):
                if own.get(name, "") not in ("", here) and name not in nested[here]:
                    needs[here][own[name]].add(name)
            for name in set(re.findall(r"\.(\w+)\b", text)):
                if added.get(name, "") not in ("", here):
                    needs[here][added[name]].add("." + name)
        return needs

    @functools.cached_property
    def circles(self) -> list[list[str]]:
        """The sets of folders of which each needs each, in the end."""
        reach = {folder: self.reach(folder) for folder in self.folders}
        found = {tuple(g for g in self.folders if g in reach[f] and f in reach[g]) for f in self.folders if f in reach[f]}
        return [list(circle) for circle in sorted(found)]

    def reach(self, folder: str) -> set[str]:
        seen, waiting = set(), [folder]
        while waiting:
            for other in self.needs[waiting.pop()]:
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen

    @functools.cached_property
    def lines(self) -> list[int]:
        return [len(text.splitlines()) for text in self.texts.values()]

    @functools.cached_property
    def public(self) -> int:
        return sum(len(PUBLIC.findall(text)) for text in self.codes.values())

    @functools.cache
    def naming(self, words: str) -> list[str]:
        """The files with one of these words, texts included and comments not."""
        word = re.compile(words, re.I)
        return [f"{self.name}/{path}" for path, text in self.texts.items() if word.search(COMMENT.sub("", text))]


class House:
    """All modules of a checkout."""

    def __init__(self, modules: list[Module], c_lines: int, limits: dict):
        self.modules, self.c_lines, self.limits = modules, c_lines, limits

    @staticmethod
    def here() -> House:
        folders = sorted(path for path in (ROOT / "Sources").iterdir() if path.is_dir())
        texts = {
            folder.name: {path.relative_to(folder): path.read_text() for path in sorted(folder.rglob("*.swift"))}
            for folder in folders}
        c_lines = sum(
            len(path.read_text(errors="replace").splitlines())
            for ending in ("*.c", "*.h") for path in (ROOT / "Sources").rglob(ending))
        modules = [Module(name, files) for name, files in texts.items() if files]
        return House(modules, c_lines, json.loads((ROOT / LIMITS).read_text()))

    def with_files(self, module: str, files: dict[str, str]) -> House:
        """The same with more files in one module."""
        modules = [
            Module(m.name, m.texts | {Path(path): text for path, text in files.items()}) if m.name == module else m
            for m in self.modules]
        return House(modules, self.c_lines, self.limits)

    def vendor_files(self) -> list[str]:
        """The files of the modules without vendors that name one."""
        words = "|".join(self.limits["vendor words"])
        return [
            path for module in self.modules if module.name in self.limits["modules without vendors"]
            for path in module.naming(words)]

    def measures(self) -> dict[str, int]:
        """What limits speak of, by its name in the limits."""
        lines = [count for module in self.modules for count in module.lines]
        found = {
            "lines of Swift and C": sum(lines) + self.c_lines,
            "Swift files": len(lines),
            "longest file": max(lines),
            "files with a vendor's word": len(self.vendor_files()),
        }
        for module in self.modules:
            found[f"folders in a circle: {module.name}"] = sum(map(len, module.circles))
        for name in self.limits["products"]:
            found[f"public declarations: {name}"] = next(m.public for m in self.modules if m.name == name)
        found["public declarations"] = sum(found[f"public declarations: {name}"] for name in self.limits["products"])
        found["median of a file, at least"] = -round(statistics.median(lines))
        return found

    def problems(self) -> list[str]:
        """What exceeds its limit, a sentence each. What has no limit may be nothing at all."""
        limits, found = self.limits["at most"], self.measures()
        wrong = [f"{name} is in {LIMITS}, and nothing measures it" for name in limits if name not in found]
        for name, count in found.items():
            limit = limits.get(name, 0)
            if name.endswith("at least"):
                limit = -limits.get(name, 0)
            if count > limit:
                wrong.append(f"{name}: {abs(count)}, and the limit is {abs(limit)}")
        return wrong

    def show(self) -> None:
        for module in self.modules:
            lines = module.lines
            print(f"{module.name:24} {len(lines):4} files {sum(lines):6} lines {module.public:5} public")
            for folder in module.folders:
                count = [len(t.splitlines()) for p, t in module.texts.items() if module.folder(p) == folder]
                print(f"  {folder:22} {len(count):4} files {sum(count):6} lines   → {' '.join(sorted(module.needs[folder]))}")
            for circle in module.circles:
                print(f"  circle: {' '.join(circle)}")
        for name, count in self.measures().items():
            print(f"{name:48} {abs(count):6}   limit {self.limits['at most'].get(name, 0):6}")
        for path in self.vendor_files():
            print(f"  {path}")


def broken(house: House, name: str) -> House:
    """The house with one limit broken, in the cheapest way there is."""
    limit = house.limits["at most"].get(name, 0)
    small = min(house.modules, key=lambda module: sum(module.lines)).name
    one, other = "struct One { var other: Other }", "struct Other { var one: One }"
    if name.startswith("folders in a circle: "):
        return house.with_files(name.split(": ")[1], {"NewOne/One.swift": one, "NewOther/Other.swift": other})
    if name.startswith("public declarations"):
        product = (name.split(": ") + [house.limits["products"][-1]])[1]
        return house.with_files(product, {"New.swift": "public struct New {}\n" * (limit + 1)})
    if name == "files with a vendor's word":
        word = re.sub(r"\W", "", house.limits["vendor words"][0])
        clean = house.limits["modules without vendors"][0]
        return house.with_files(clean, {f"New{number}.swift": f'let word = "{word}"' for number in range(limit + 1)})
    if name == "Swift files":
        return house.with_files(small, {f"New{number}.swift": "" for number in range(limit + 1)})
    if name.endswith("at least"):
        count = sum(len(module.texts) for module in house.modules)
        return house.with_files(small, {f"New{number}.swift": "" for number in range(count + 1)})
    return house.with_files(small, {"New.swift": "\n" * (limit + 1)})


def self_check(house: House) -> int:
    """Breaks each limit, and looks whether that is found."""
    missed = [
        name for name in house.measures()
        if not any(problem.startswith(name + ":") for problem in broken(house, name).problems())]
    for name in missed:
        print(f"house: the limit of “{name}” was broken, and nothing noticed", file=sys.stderr)
    return 1 if missed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures how the sources are built.")
    parser.add_argument("--quiet", action="store_true", help="print what exceeds a limit, and nothing else")
    parser.add_argument("--why", nargs=2, metavar=("A", "B"), help="the names because of which folder A needs folder B")
    parser.add_argument("--self-check", action="store_true", help="break every limit, and fail unless that is found")
    chosen = parser.parse_args()
    house = House.here()
    if chosen.self_check:
        return self_check(house)
    if chosen.why:
        (module, one), (_, other) = (name.split("/") for name in chosen.why)
        found = next(m for m in house.modules if m.name == module)
        print("\n".join(sorted(found.needs[one].get(other, ["nothing"]))))
        return 0
    if not chosen.quiet:
        house.show()
    wrong = house.problems()
    for line in wrong:
        print(f"house: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
