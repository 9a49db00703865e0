#!/usr/bin/env bash
# Makes the documentation of the libraries from what `swift build` has built. Any warning fails it, such as a link that
# leads nowhere, but for parameters without a sentence: one that its name explains gets none here. No plugin is needed, so
# no client has to load one.
set -euo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
toolchain=$(dirname "$(readlink -f "$(command -v "$swift")")")
docc=$(command -v docc || true)
[[ -x "$toolchain/docc" ]] && docc="$toolchain/docc"
extract=$(command -v swift-symbolgraph-extract || true)
[[ -x "$toolchain/swift-symbolgraph-extract" ]] && extract="$toolchain/swift-symbolgraph-extract"
if [[ -z "$docc" || -z "$extract" ]]; then
  if [[ "${1:-}" == --if-possible ]]; then
    echo "documentation: not checked, since docc or swift-symbolgraph-extract is missing"
    exit 0
  fi
  echo "make site: docc or swift-symbolgraph-extract is missing. Both come with the toolchains of swift.org." >&2
  exit 1
fi
built=.build/debug
out=.build/documentation
rm -rf "$out"
flags=(-I "$built/Modules" -target "$("$swift" -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')")
for include in Sources/CCarryoverSystem/include .build/checkouts/swift-crypto/Sources/*/include; do
  flags+=(-Xcc -I -Xcc "$include")
done
flags+=(-Xcc "-fmodule-map-file=$built/CCarryoverSystem.build/module.modulemap")

modules="CarryoverSystem CarryoverStorage CarryoverRouter Carryover CarryoverVendors CarryoverUserDefaults CarryoverRestore
  CarryoverEncryption"
for module in PropertyLists $modules; do
  mkdir -p "$out/$module.symbols"
  # What a module adds to another's types is a page of its own.
  "$extract" -module-name "$module" "${flags[@]}" -minimum-access-level public -emit-extension-block-symbols \
    -output-dir "$out/$module.symbols"
done
for module in PropertyLists $modules; do
  "$docc" convert "Sources/$module/$module.docc" --additional-symbol-graph-dir "$out/$module.symbols" \
    --fallback-display-name "$module" --fallback-bundle-identifier "carryover.$module" \
    --output-path "$out/$module.doccarchive" --diagnostics-file "$out/$module.json" >"$out/$module.log" 2>&1 ||
    { cat "$out/$module.log" >&2; exit 1; }
  python3 - "$out/$module.json" <<'PYTHON'
import json, sys
# Where there is no keychain, its types are in no module.
absent = [] if sys.platform == "darwin" else ["'KeychainDataStore'", "'KeychainStatus'"]
found = [each for each in json.load(open(sys.argv[1]))["diagnostics"]
         if not each["summary"].endswith("is missing documentation")
         and not any(each["summary"].startswith(name) for name in absent)]
for each in found:
    start = each.get("range", {}).get("start", {})
    print(f"{each.get('source', '')}:{start.get('line', '')}: {each['severity']}: {each['summary']}", file=sys.stderr)
sys.exit(1 if found else 0)
PYTHON
  echo "$out/$module.doccarchive"
done

# All in one, for a web server that has the site of `make site` below this path.
[[ "${1:-}" != --if-possible ]] || exit 0
"$docc" merge "$out"/*.doccarchive --output-path "$out/merged"
"$docc" process-archive transform-for-static-hosting "$out/merged" --output-path "$out/site" \
  --hosting-base-path "$(sed -n 's|^site_url: https://[^/]*/||p' Site/mkdocs.yml)libraries"
