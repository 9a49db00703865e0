#!/usr/bin/env bash
# Opens the bundled sample on a copy. Without a terminal it does the same job by itself: plan, apply with the sample's
# decisions, show the target, roll back, and check that every file is as it was.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
carryover=$(cd "$root" && swift build -c release --show-bin-path)/carryover
work=$(mktemp -d "${TMPDIR:-/tmp}/carryover.XXXXXX")
sample=$work/AcmeShop.xcappdata
cp -R "$root/Examples/AcmeShop.xcappdata" "$sample"
options=("$sample" --write-key 1xAcmeWriteKey --now 2025-11-20T12:05:00Z)

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
