#!/usr/bin/env bash
# Makes the documentation of the libraries from what `swift build` has built; any warning fails it. No plugin is needed,
# so no client has to load one.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
toolchain=$(dirname "$(readlink -f "$(command -v "$swift")")")
docc=$(command -v docc || true)
[[ -x "$toolchain/docc" ]] && docc="$toolchain/docc"
extract=$(command -v swift-symbolgraph-extract || true)
[[ -x "$toolchain/swift-symbolgraph-extract" ]] && extract="$toolchain/swift-symbolgraph-extract"
if [[ -z "$docc" || -z "$extract" ]]; then
  echo "make docs: docc or swift-symbolgraph-extract is missing. Both come with the toolchains of swift.org." >&2
  exit 1
fi
built=.build/debug
out=.build/documentation
rm -rf "$out"
flags=(-I "$built/Modules" -target "$("$swift" -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')")
for include in Sources/CSystem/include .build/checkouts/swift-crypto/Sources/*/include; do
  flags+=(-Xcc -I -Xcc "$include")
done
for map in "$built"/CSystem.build/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done

for module in PropertyLists Carryover CarryoverUserDefaults CarryoverEncryption; do
  mkdir -p "$out/$module.symbols"
  "$extract" -module-name "$module" "${flags[@]}" -minimum-access-level public -output-dir "$out/$module.symbols"
done
for module in Carryover CarryoverUserDefaults CarryoverEncryption; do
  "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$out/$module.symbols" \
    --fallback-display-name "$module" --fallback-bundle-identifier "carryover.$module" \
    --output-path "$out/$module.doccarchive" --warnings-as-errors
  echo "$out/$module.doccarchive"
done
