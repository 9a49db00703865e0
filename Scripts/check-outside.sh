#!/usr/bin/env bash
# Type-checks what `swift build` leaves out, against what it has built. The code of the README, of the articles and of the
# example app is compiled as an app compiles it, from outside of the package, since the tests see more than apps do, and
# once more with the settings of a new Xcode project.
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
check() { "${SWIFTC:-swiftc}" -typecheck "${flags[@]}" -package-name outside "$@"; }
new_project=(-default-isolation MainActor)
for feature in MemberImportVisibility InferIsolatedConformances NonisolatedNonsendingByDefault; do
  new_project+=(-enable-upcoming-feature "$feature")
done
check "$work/main.swift"
check "${new_project[@]}" "$work/main.swift"
for code in "Examples/EmbeddedApp/Sources/EmbeddedApp/*.swift" \
  "Tests/StoresTests/Articles/*Snippets.swift Tests/StoresTests/Support/TestSuite.swift"; do
  # shellcheck disable=SC2086 # patterns of several files
  check -parse-as-library $code
  # shellcheck disable=SC2086
  check "${new_project[@]}" -parse-as-library $code
done
