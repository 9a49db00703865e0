#!/usr/bin/env bash
# Installs a version of Carryover for the steps that follow, if its archive has the right checksum.
set -euo pipefail

fail() {
  echo "::error title=Carryover::$1"
  exit 1
}

[[ $CARRYOVER_VERSION =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "version is not a number such as 1.0.0: $CARRYOVER_VERSION"
[[ $(uname -sm) == "Linux x86_64" ]] || fail "There is no archive for $(uname -sm). Run the job on ubuntu-latest."
name=carryover-$CARRYOVER_VERSION-linux-x86_64-static
folder=$(mktemp -d "$RUNNER_TEMP/carryover-XXXXXX")
cd "$folder"
for file in "$name.tar.gz" "$name.tar.gz.sha256"; do
  curl --fail --silent --show-error --location --retry 3 --output "$file" "$CARRYOVER_SOURCE/v$CARRYOVER_VERSION/$file" ||
    fail "$CARRYOVER_SOURCE/v$CARRYOVER_VERSION/$file could not be downloaded. Check the version."
done
expected=${CARRYOVER_SHA256:-$(cut -d ' ' -f 1 "$name.tar.gz.sha256")}
actual=$(sha256sum "$name.tar.gz" | cut -d ' ' -f 1)
[[ $actual == "$expected" ]] || fail "$name.tar.gz has the SHA-256 $actual, not $expected. Nothing was installed."
tar -xzf "$name.tar.gz"
[[ $("$name/carryover" --version) == "$CARRYOVER_VERSION" ]] || fail "$name.tar.gz contains another version than $CARRYOVER_VERSION."
echo "$folder/$name" >>"$GITHUB_PATH"
echo "Carryover $CARRYOVER_VERSION is installed, SHA-256 $actual."
