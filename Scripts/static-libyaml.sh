#!/bin/sh
# Describes to pkg-config a folder in which -lyaml finds libyaml's archive alone, so that a release on Linux contains it. Where
# the system has no archive, the folder stays empty, and the release needs the library.
set -eu
rm -rf "$1"
mkdir -p "$1"
archive=$(cc -print-file-name=libyaml.a)
if [ "$(uname -s)" != Linux ] || [ "$archive" = libyaml.a ]; then exit 0; fi
ln -s "$archive" "$1/libyaml.a"
printf 'Name: yaml\nDescription: the archive of libyaml\nVersion: 0\nLibs: -L%s -lyaml\n' "$(cd "$1" && pwd)" >"$1/yaml-0.1.pc"
