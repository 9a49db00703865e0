"""Checks what would reach an app that embeds the library and that no compiler here refuses.

    swift package dump-package | python3 -B Scripts/check-library.py

A product builds only the modules and packages listed here; a module's privacy manifest declares the categories of calls that its
code for Apple's systems makes, and no others, since App Store Connect refuses an app over that; and nothing is newer than the
systems that the package supports."""

import json
import plistlib
import re
import sys
from pathlib import Path

from conditions import APPLE, seen
from house import COMMENT, STRING

ROOT = Path(__file__).resolve().parent.parent
CORE = {"PropertyLists", "CCarryoverSystem", "CarryoverSystem", "CarryoverStorage", "Carryover"}
STORAGE = CORE - {"Carryover"}
VENDORS = CORE | {"CarryoverVendors"}
# All that a library may build: its modules, and the packages that they need.
ALLOWED = {
    "PropertyLists": {"PropertyLists"},
    "CarryoverStorage": STORAGE,
    "CarryoverRouter": STORAGE | {"CarryoverRouter"},
    "CarryoverUserDefaults": STORAGE | {"CarryoverUserDefaults"},
    "CarryoverEncryption": STORAGE | {"CarryoverEncryption", "swift-crypto"},
    "Carryover": CORE,
    "CarryoverVendors": VENDORS,
    "CarryoverRestore": VENDORS | {"CarryoverRestore", "CarryoverUserDefaults"},
    "CarryoverContainers": VENDORS | {"CarryoverContainers", "CCarryoverArchive", "CCarryoverSQLite"},
}
FORBIDDEN_IN_THE_COMMAND = {"CarryoverEncryption", "CarryoverUserDefaults", "CarryoverRouter", "swift-crypto"}
IMPORT = re.compile(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|func)\s+)?(\w+)", re.M)

MANIFEST = "PrivacyInfo.xcprivacy"
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
# What came after macOS 14 and iOS 16, and what to use instead. check-apple.py sees everything but availability.
NEWER = {
    r"String\(validating:": "String(utf8:), in PropertyLists",
    r"\bimport Synchronization\b": "Locked",
    r"\bU?Int128\b": "its own type, as PropertyListInteger has",
    r"\bInlineArray\b|\b(Raw|Mutable|Output)?Span<|\.utf8Span\b|\.span\b(?!\()": "UnsafeBufferPointer",
    r"\bOSAllocatedUnfairLock\b|<each |\bwith(Throwing)?DiscardingTaskGroup\b": "something that iOS 16 has",
}


def folder(target: dict) -> Path:
    return ROOT / (target.get("path") or f"Sources/{target['name']}")


def needed(target: dict) -> set:
    """The names of the targets that a target needs, and of the packages of its products."""
    return {each["product"][1] if "product" in each else (each.get("byName") or each["target"])[0] for each in target["dependencies"]}


def closure(targets: dict, names: list) -> set:
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += needed(targets[name]) if name in targets else []
    return found


def graph(package: dict, targets: dict) -> list:
    wrong = []
    for product in package["products"]:
        built = closure(targets, product["targets"])
        excess = built - ALLOWED.get(product["name"], set()) if "library" in product["type"] else built & FORBIDDEN_IN_THE_COMMAND
        wrong += [f"the product {product['name']} builds {name}" for name in sorted(excess)]
    for target in targets.values():
        if target["type"] == "regular":
            # Without this, it builds only if another target happens to build the module first.
            imports = set(IMPORT.findall("\n".join(STRING.sub("", path.read_text()) for path in folder(target).rglob("*.swift"))))
            wrong += [f"{target['name']} imports {name} but does not depend on it"
                      for name in sorted((imports & targets.keys()) - needed(target))]
    return wrong


def compiled(path: Path) -> str:
    """A source without comments, texts and the Swift that Apple's systems do not compile."""
    text = STRING.sub('""', COMMENT.sub("", path.read_text()))
    if path.suffix != ".swift":
        return text
    return "\n".join(line for line, holds in zip(text.splitlines(), seen(text, APPLE)) if holds)


def privacy(target: dict) -> list:
    name, file = target["name"], folder(target) / MANIFEST
    text = "\n".join(compiled(path) for path in folder(target).rglob("*") if path.suffix in (".swift", ".c", ".h"))
    used = {category for category, (calls, _) in CATEGORIES.items() if re.search(calls, text)}
    manifest = plistlib.loads(file.read_bytes()) if file.exists() else {}
    declared = {each["NSPrivacyAccessedAPIType"].removeprefix("NSPrivacyAccessedAPICategory"): set(each["NSPrivacyAccessedAPITypeReasons"])
                for each in manifest.get("NSPrivacyAccessedAPITypes", [])}
    wrong = []
    if used != declared.keys():
        wrong.append(f"{name} uses {sorted(used)} of Apple's categories, and its {MANIFEST} declares {sorted(declared)}")
    for category, reasons in declared.items():
        if not reasons or not reasons <= CATEGORIES.get(category, ("", set()))[1]:
            wrong.append(f"{name} gives a reason for {category} that Apple does not list")
    listed = [*target.get("exclude", []), *(each["path"] for each in target.get("resources", []))]
    if (MANIFEST in listed) != file.exists():
        wrong.append(f"{name}: Package.swift lists a manifest if and only if there is one")
    if manifest and (manifest["NSPrivacyTracking"] or manifest["NSPrivacyTrackingDomains"] or manifest["NSPrivacyCollectedDataTypes"]):
        wrong.append(f"{name} says that it tracks, or collects data; it does neither")
    return wrong


def newer() -> list:
    """The lines that use what is newer than the package's systems. Tests count too: they are built for those systems."""
    return [f"{path.relative_to(ROOT)}:{number}: newer than the package's systems; use {instead}"
            for part in ("Sources", "Tests", "Examples") for path in sorted((ROOT / part).rglob("*.swift"))
            for number, line in enumerate(path.read_text().splitlines(), 1)
            for pattern, instead in NEWER.items() if re.search(pattern, line.split("//")[0])]


def main() -> None:
    package = json.load(sys.stdin)
    targets = {target["name"]: target for target in package["targets"]}
    embedded = closure(targets, [name for product in package["products"] if "library" in product["type"] for name in product["targets"]])
    wrong = graph(package, targets) + newer()
    wrong += [line for name in sorted(embedded & targets.keys()) for line in privacy(targets[name])]
    sys.exit("\n".join(f"library: {line}" for line in wrong) or None)


if __name__ == "__main__":
    main()
