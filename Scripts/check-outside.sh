#!/usr/bin/env bash
# Type-checks what `swift build` leaves out, against what it has built. The code of the README, of the articles and of the
# example app is compiled as an app compiles it, from outside of the package, since the tests see more than apps do; what
# only `make bench` builds, as a part of the package.
set -euo pipefail
cd "$(dirname "$0")/.."
built=.build/debug
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 - "$work" <<'PYTHON'
import pathlib, re, sys
blocks = re.findall(r"```swift\n(import Carryover\n.*?)```", pathlib.Path("README.md").read_text(), re.DOTALL)
if not blocks:
    sys.exit("check-outside: the README has no block that imports Carryover")
pathlib.Path(sys.argv[1], "main.swift").write_text(blocks[0])
PYTHON
flags=(-I "$built/Modules" -swift-version 6)
for include in Sources/CCarryover{System,Archive}/include .build/checkouts/swift-crypto/Sources/*/include; do
  flags+=(-Xcc -I -Xcc "$include")
done
for map in "$built"/CCarryover{System,Archive}.build/module.modulemap Sources/CCarryoverSQLite/module.modulemap; do
  flags+=(-Xcc "-fmodule-map-file=$map")
done
check() { "${SWIFTC:-swiftc}" -typecheck "${flags[@]}" -package-name "$@"; }
check outside "$work/main.swift"
check outside -parse-as-library Examples/EmbeddedApp/Sources/EmbeddedApp/*.swift
check outside -parse-as-library Tests/StoresTests/Articles/*Snippets.swift Tests/StoresTests/Support/TestSuite.swift
# The compiler knows the package by the name of its folder.
name=$(grep '"-module-name","CarryoverSystem"' .build/debug.yaml | grep -o '"-package-name","[^"]*"' | head -1 | cut -d'"' -f4)
for folder in Benchmarks/Measured/*/; do
  check "$name" -enable-upcoming-feature MemberImportVisibility "$folder"*.swift
done
