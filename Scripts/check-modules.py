#!/usr/bin/env python3
"""Checks by the package's graph what a product makes its user build, that modules declare their imports as
dependencies, and how the C targets are named.

    swift package dump-package | check-modules.py
"""

import json
import pathlib
import re
import sys

# All that a product may build: its modules, and the packages they need.
BASE = {"PropertyLists", "CCarryoverSystem", "CarryoverSystem"}
STORAGE = BASE | {"CarryoverStorage"}
CORE = STORAGE | {"Carryover"}
VENDORS = CORE | {"CarryoverVendors"}
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
# What a product must not build, whatever else it does.
FORBIDDEN = {"carryover": {"CarryoverEncryption", "CarryoverUserDefaults", "CarryoverRouter", "swift-crypto"}}

# All packages of an app share one set of target names, and the app cannot rename a module of C. swift-system has its
# own `CSystem`.
IMPORT = r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)"
PREFIX_OF_C = "CCarryover"


def is_c(target: dict) -> bool:
    """Whether a target is a module of C: a system library, or a folder without Swift."""
    if target["type"] == "system":
        return True
    folder = pathlib.Path(target.get("path") or f"Sources/{target['name']}")
    return target["type"] == "regular" and not any(folder.rglob("*.swift"))


def imports(target: dict) -> set:
    """The modules that a library imports. An undeclared dependency builds only if another target builds it first."""
    if target["type"] != "regular":
        return set()
    folder = pathlib.Path(target.get("path") or f"Sources/{target['name']}")
    text = "\n".join(file.read_text() for file in folder.rglob("*.swift"))
    return set(re.findall(IMPORT, text, re.MULTILINE))


def closure(targets: dict, names: list) -> set:
    """The modules and packages that some targets need, themselves among them."""
    found, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        for dependency in targets.get(name, {}).get("dependencies", []):
            if "product" in dependency:
                found.add(dependency["product"][1])
            else:
                waiting.append((dependency.get("byName") or dependency["target"])[0])
    return found


def main() -> int:
    package = json.load(sys.stdin)
    targets = {target["name"]: target for target in package["targets"]}
    products = {product["name"]: closure(targets, product["targets"]) for product in package["products"]}
    wrong = [f"there is no product {name}" for name in [*ALLOWED, *FORBIDDEN] if name not in products]
    for name, built in products.items():
        for one in sorted(built - ALLOWED.get(name, built)) + sorted(built & FORBIDDEN.get(name, set())):
            wrong.append(f"the product {name} builds {one}")
    for target in package["targets"]:
        if is_c(target) and not target["name"].startswith(PREFIX_OF_C):
            wrong.append(f"the C target {target['name']} does not begin with {PREFIX_OF_C}, and can clash with others'")
    for target in package["targets"]:
        known = {(d.get("byName") or d.get("target") or [None])[0] for d in target["dependencies"]}
        for name in sorted((imports(target) & targets.keys()) - known):
            wrong.append(f"{target['name']} imports {name} but does not depend on it")
    for line in wrong:
        print(f"modules: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
