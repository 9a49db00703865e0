#!/usr/bin/env bash
# Builds and tests everything on a Mac: the tests of the package on macOS, the library for each of Apple's systems, and the
# tests of the modules for apps in the simulator, with its keychain. Goes on after a failure, and ends with a list.
set -uo pipefail
cd "$(dirname "$0")/.." || exit
work=$PWD/.build/simulator failed=0 list=

step() { # title, command
  local title=$1 start=$SECONDS passed=passed
  shift
  echo "== $title"
  "$@" || { passed=FAILED failed=1; }
  list+=$(printf '\n%s  %5d s  %s' "$passed" $((SECONDS - start)) "$title")
}
build() { # system
  local product all=0
  # Together, they need every product that apps embed.
  for product in CarryoverContainers CarryoverEncryption CarryoverRestore CarryoverRouter; do
    xcodebuild build -quiet -scheme "$product" -destination "generic/platform=$1" -derivedDataPath "$work/derived" || all=1
  done
  return $all
}
# Whether the build has put the privacy manifests where Xcode looks for them.
manifests() {
  local name
  for name in CarryoverContainers CarryoverSystem CarryoverUserDefaults; do
    find .build/debug/ -path "*_$name.bundle/*" -name PrivacyInfo.xcprivacy | grep . || return 1
  done
}
simulator() {
  local phone
  # An iPhone of the newest system, which simctl lists last.
  phone=$(xcrun simctl list devices available | awk '/^--/ { ios = /iOS/ } ios && /iPhone/' | grep -oE '[0-9A-F-]{36}' | tail -1)
  [ -n "$phone" ] || { echo "No iPhone simulator is installed: xcodebuild -downloadPlatform iOS" && return 1; }
  # Swift's name for the package, which tells who may see what is not public, is that of its folder.
  CARRYOVER_PACKAGE=$(basename "$PWD" | tr '[:upper:]' '[:lower:]') xcodegen generate --spec Tests/Simulator/project.yml --project "$work" &&
    xcodebuild test -project "$work/Simulator.xcodeproj" -scheme Host -destination "platform=iOS Simulator,id=$phone" \
      -derivedDataPath "$work/derived"
}

command -v xcodebuild >/dev/null || { echo "make apple: this needs a Mac with Xcode. On Linux, make check checks the types." >&2 && exit 1; }
mkdir -p "$work"
step "macOS: make test" make test
step "macOS: the privacy manifests are in the build" manifests
step "macOS: make test-all" make test-all
step "macOS: the sample" make run </dev/null
for system in iOS "iOS Simulator" tvOS visionOS "macOS,variant=Mac Catalyst"; do
  step "${system#*=}: the library builds" build "$system"
done
step "iOS Simulator: the tests of the modules for apps, with the keychain" simulator
printf '%s\n' "$list"
exit $failed
