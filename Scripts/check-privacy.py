#!/usr/bin/env python3
"""Checks the privacy manifests: a module that apps embed declares each category of calls that Apple requires a reason
for if its code for Apple's systems has such a call, and no other.

    swift package dump-package | check-privacy.py
"""

import copy
import json
import pathlib
import plistlib
import re
import sys

from conditions import APPLE, seen
from house import code

ROOT = pathlib.Path(__file__).resolve().parent.parent
MANIFEST = "PrivacyInfo.xcprivacy"
PREFIX = "NSPrivacyAccessedAPICategory"
# Apple's categories, with the calls and the reasons that its documentation lists ("Describing use of required reason API").
CATEGORIES = {
    "FileTimestamp": (
        r"\b(?:fstat|fstatat|lstat|f?getattrlist|getattrlist(?:bulk|at))\s*\(|\bstat\s*\([^)]|"
        r"\b(?:creationDate|modificationDate|fileModificationDate|contentModificationDateKey|creationDateKey)\b",
        {"DDA9.1", "C617.1", "3B52.1", "0A2A.1"}),
    "SystemBootTime": (r"\b(?:systemUptime|mach_absolute_time)\b", {"35F9.1", "8FFB.1", "3D61.1"}),
    "DiskSpace": (
        r"\bf?statv?fs\s*\([^)]|\b(?:volume(?:Available|Total)Capacity\w*|systemFreeSize|systemSize)\b",
        {"85F4.1", "E174.1", "7D9E.1", "B728.1"}),
    "ActiveKeyboards": (r"\bactiveInputModes\b", {"3EC4.1", "54BD.1"}),
    "UserDefaults": (r"\b(?:NS)?UserDefaults\b|@AppStorage\b", {"CA92.1", "1C8F.1", "C56D.1", "AC6B.1"}),
}


class Module:
    """A target: its sources, its manifest, and whether the package lists that."""

    def __init__(self, target: dict):
        self.name = target["name"]
        folder = ROOT / (target.get("path") or f"Sources/{self.name}")
        self.swift = [code(path.read_text()) for path in sorted(folder.rglob("*.swift"))]
        self.c = [code(path.read_text()) for path in sorted(folder.rglob("*.[ch]"))]
        file = folder / MANIFEST
        self.manifest = plistlib.loads(file.read_bytes()) if file.exists() else None
        self.is_listed = MANIFEST in [*target.get("exclude", []), *(each["path"] for each in target.get("resources", []))]

    def used(self) -> set:
        """The categories of the calls in the code for Apple's systems; in C, of all code."""
        texts = ["\n".join(line for line, holds in zip(text.splitlines(), seen(text, APPLE)) if holds) for text in self.swift]
        return {name for name, (calls, _) in CATEGORIES.items() if any(re.search(calls, text) for text in texts + self.c)}

    def problems(self) -> list:
        used, declared = self.used(), {}
        if self.manifest is not None:
            for each in self.manifest.get("NSPrivacyAccessedAPITypes", []):
                declared[each["NSPrivacyAccessedAPIType"].removeprefix(PREFIX)] = set(each["NSPrivacyAccessedAPITypeReasons"])
        wrong = [f"{self.name} calls what the category {name} is for; declare it in its {MANIFEST}, with a reason"
                 for name in sorted(used - declared.keys())]
        wrong += [f"{self.name} declares the category {name}, and calls nothing of it" for name in sorted(declared.keys() - used)]
        for name, reasons in declared.items():
            if not reasons or not reasons <= CATEGORIES.get(name, ("", set()))[1]:
                wrong.append(f"{self.name} gives a reason for {name} that Apple does not list")
        if self.manifest is not None and not declared:
            wrong.append(f"{self.name} has a manifest that declares nothing")
        if self.is_listed != (self.manifest is not None):
            wrong.append(f"{self.name}: Package.swift lists a manifest if and only if there is one")
        others = ["NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes"]
        if self.manifest is not None and (self.manifest.get("NSPrivacyTracking") is not False or any(self.manifest[key] for key in others)):
            wrong.append(f"{self.name} says that it tracks, or collects data; it does neither")
        return wrong


def embedded(package: dict) -> list:
    """The modules of the products that apps embed."""
    targets = {target["name"]: target for target in package["targets"] if target["type"] == "regular"}
    waiting = [name for product in package["products"] if "library" in product["type"] for name in product["targets"]]
    found = {}
    while waiting:
        name = waiting.pop()
        if name in targets and name not in found:
            found[name] = Module(targets[name])
            waiting += [(each.get("byName") or each.get("target") or [None])[0] for each in targets[name]["dependencies"]]
    return [found[name] for name in sorted(found)]


def self_check(modules: list) -> list:
    """What this check does not find: a call without its category, and a category without its call, in every module."""
    wrong = []
    for module in modules:
        calling, silent = copy.copy(module), copy.copy(module)
        calling.swift = [*module.swift, "func planted() -> UInt64 { mach_absolute_time() }"]
        silent.swift = ["#if os(Linux)\n  _ = statvfs(path, &status) + fstat(0, &status) + UserDefaults.count\n#endif"]
        for planted, is_broken in [(calling, True), (silent, module.manifest is not None)]:
            if bool(planted.problems()) != is_broken:
                wrong.append(f"the check of {module.name} does not see what was planted")
    return wrong


def main() -> int:
    modules = embedded(json.load(sys.stdin))
    wrong = [line for module in modules for line in module.problems()] or self_check(modules)
    for line in wrong:
        print(f"privacy: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
