#!/bin/sh
# Builds the peers, makes the data, runs the races. See README.md beside this file.
#
#   run.sh [--quick] [--data FOLDER] [options of race.py]
#
#   --quick         a fiftieth of the data: shows that everything works, judges no goal
#   --data FOLDER   keep the data there, and use it again if it is there already
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build="$here/.build"
data=
keys=500000
files=10000
quick=
rest_count=$#

# Takes our two options out of "$@" and leaves race.py's.
while [ "$rest_count" -gt 0 ]; do
  case $1 in
    --quick) quick=--small-data keys=10000 files=200 ;;
    --data)
      if [ "$rest_count" -lt 2 ]; then
        echo "bench: --data needs a folder" >&2
        exit 64
      fi
      data=$2
      shift
      rest_count=$((rest_count - 1))
      ;;
    *) set -- "$@" "$1" ;;
  esac
  shift
  rest_count=$((rest_count - 1))
done

# libplist is no part of Carryover; it is only raced against, so it is not among what `make` installs.
libplist_there() {
  command -v plistutil >/dev/null && { pkg-config --exists libplist-2.0 || pkg-config --exists libplist; } 2>/dev/null
}
if ! libplist_there; then
  if command -v apt-get >/dev/null; then
    as_root=
    [ "$(id -u)" -eq 0 ] || as_root=sudo
    echo "bench: installing libplist-dev, libplist-utils and pkg-config with apt, to race against" >&2
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq libplist-dev libplist-utils pkg-config >/dev/null
  elif command -v brew >/dev/null; then
    echo "bench: installing libplist and pkg-config with brew, to race against" >&2
    brew install --quiet libplist pkg-config
  fi
  if ! libplist_there; then
    echo "bench: libplist is missing. Install its headers, plistutil and pkg-config, then try again." >&2
    exit 1
  fi
fi
if pkg-config --exists libplist-2.0; then libplist=libplist-2.0; else libplist=libplist; fi

echo "bench: building" >&2
# -q leaves errors and warnings.
swift build -q --package-path "$here" -c release >&2
# shellcheck disable=SC2046 # pkg-config prints several words
cc -std=c11 -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -o "$build/libplist_peer" "$here/Peers/libplist_peer.c" \
  $(pkg-config --cflags --libs "$libplist")

if [ -z "$data" ]; then
  data=$(mktemp -d)
  trap 'rm -rf "$data"' EXIT
  trap 'exit 130' INT TERM
fi
mkdir -p "$data"
data=$(cd "$data" && pwd)
size="$keys keys, $files files"
if [ "$(cat "$data/size" 2>/dev/null)" != "$size" ]; then
  echo "bench: making the data ($size)" >&2
  python3 "$here/make-data.py" "$data" --keys "$keys" --files "$files"
  echo "$size" >"$data/size"
fi

command="$here/../.build/release/carryover"
if [ -x "$command" ]; then
  set -- --carryover "$command" --plistutil "$(command -v plistutil)" "$@"
else
  echo "bench: no release build of the command, so its start is not timed (swift build -c release)" >&2
fi

# The disk must be a real one: in memory a synchronization costs nothing to compare with.
echo "bench: what an apply costs against its synchronizations alone" >&2
apply=$(mktemp -d "$here/.build/apply-XXXXXX")
round=1
while [ "$round" -le 60 ]; do
  cp -R "$here/../Examples/Clean.xcappdata" "$apply/$round.xcappdata"
  round=$((round + 1))
done
status=0
"$build/release/ApplyCost" "$apply"/*.xcappdata || status=1
rm -rf "$apply"

python3 "$here/race.py" --data "$data" --build "$build" $quick "$@" || status=1
exit "$status"
