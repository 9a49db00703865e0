#!/usr/bin/env python3
"""Checks what a product makes its user build, by the package's own graph: `swift package dump-package | check-modules.py`."""

import json
import sys

# All that a product may build: its modules, and the packages they need.
ALLOWED = {
    "PropertyLists": {"PropertyLists"},
    "Carryover": {"Carryover", "CSystem", "PropertyLists"},
    "CarryoverUserDefaults": {"CarryoverUserDefaults", "Carryover", "CSystem", "PropertyLists"},
    "CarryoverEncryption": {"CarryoverEncryption", "Carryover", "CSystem", "PropertyLists", "swift-crypto"},
    "Containers": {"Containers", "CArchive", "CSQLite", "Carryover", "CSystem", "PropertyLists"},
}
# What a product must not build, whatever else it does.
FORBIDDEN = {"carryover": {"CarryoverEncryption", "CarryoverUserDefaults", "swift-crypto"}}


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
    for line in wrong:
        print(f"modules: {line}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
