#!/usr/bin/env bash
# Opens the bundled sample on a copy. Without a terminal it does the same job by itself: plan, apply with the sample's
# decisions, show the target, roll back, and check that every file is as it was. The command is CARRYOVER, or an installed
# one of this very commit; otherwise it is built for debugging, which takes a third of the time and opens the sample just
# as well.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
commit=$(git -C "$root" describe --always --exclude '*' --abbrev=40 --dirty=-changed 2>/dev/null || true)
carryover=${CARRYOVER:-$(command -v carryover || true)}
if [ -n "${CARRYOVER:-}" ]; then
  echo "Using $carryover."
elif [ -n "$carryover" ] && [ -n "$commit" ] && "$carryover" version --json 2>/dev/null | grep -q "\"$commit\""; then
  echo "Using $carryover: it is of this commit, so nothing has to be built."
else
  echo "Building Carryover for debugging: minutes the first time, seconds later. make release builds it for use."
  "${MAKE:-make}" -C "$root" --no-print-directory setup-build
  swift build --package-path "$root" --product carryover
  carryover=$(swift build --package-path "$root" --show-bin-path)/carryover
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/carryover.XXXXXX")
sample=$work/AcmeShop.xcappdata
cp -R "$root/Examples/AcmeShop.xcappdata" "$sample"
options=("$sample" --now 2025-11-20T12:05:00Z)

if [ -t 0 ] && [ -t 1 ]; then
  status=0
  "$carryover" "${options[@]}" || status=$?
  echo "The copy that was opened: $sample"
  exit "$status"
fi

trap 'rm -rf "$work"' EXIT
export XDG_STATE_HOME=$work/state # the key that this needs goes with it
echo "Not a terminal: migrating a copy of the sample and rolling it back."
echo
echo "== plan"
"$carryover" plan "${options[@]}"
echo
echo "== apply --set user_id=42 --set rudder.app_build=420 --yes"
"$carryover" apply "${options[@]}" --set user_id=42 --set rudder.app_build=420 --yes
echo
echo "== the target"
"$carryover" inspect "$sample" --store com.acme.shop.analytics.1xAcmeWriteKey.plist
echo
echo "== rollback --yes"
"$carryover" rollback "$sample" --yes
diff -r --exclude .carryover "$root/Examples/AcmeShop.xcappdata" "$sample"
echo "Every file of the sample is as it was."
