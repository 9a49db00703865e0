#!/bin/sh
# Builds the peers, makes the data, runs the races. See README.md beside this file.
#
#   run.sh [--quick] [--screens | --codecs | --audits] [--data FOLDER] [--tig-repository FOLDER] [options of race.py]
#
#   --quick            a fiftieth of the data: shows that everything works, judges no goal
#   --screens          only the screens, against tig, less and visidata
#   --codecs           only the property lists, the cost of an apply and a million keys
#   --audits           only audits, against a loop of the shell, xargs and plistlib
#   --data FOLDER      keep the data there, and use it again if it is there already
#   --tig-repository   tig's own repository, to race it on that as well
set -eu

here=$(cd "$(dirname "$0")" && pwd)
build="$here/.build"
data=
half=
tig_repository=
no_fail=
keys=500000
files=10000
screen_keys=100000
commits=5000
large_keys=1000000
quick=
screen_options=
rest_count=$#

# Takes our options out of "$@" and leaves race.py's.
while [ "$rest_count" -gt 0 ]; do
  case $1 in
    --quick)
      quick=--small-data keys=10000 files=200 screen_keys=2000 commits=200 large_keys=20000
      screen_options='--rounds 3 --moves 24'
      ;;
    --screens | --codecs | --audits) half=${1#--} ;;
    --data | --tig-repository)
      if [ "$rest_count" -lt 2 ]; then
        echo "bench: $1 needs a folder" >&2
        exit 64
      fi
      if [ "$1" = --data ]; then data=$2; else tig_repository=$2; fi
      shift
      rest_count=$((rest_count - 1))
      ;;
    --no-fail)
      no_fail=--no-fail
      set -- "$@" "$1"
      ;;
    *) set -- "$@" "$1" ;;
  esac
  shift
  rest_count=$((rest_count - 1))
done

run_audits() {
  # shellcheck disable=SC2086 # the options are several words, or none
  python3 "$here/audits.py" --carryover "$here/../.build/release/carryover" $quick $no_fail
}
if [ "$half" = audits ]; then
  run_audits && exit
  exit 1
fi

# What we race against is no part of Carryover, so `make` installs none of it but here; visidata in a folder of its own.
"$here/../Scripts/setup.sh" bench >&2
visidata="$build/visidata/bin/vd"
if [ "$half" != codecs ] && [ ! -x "$visidata" ]; then
  echo "bench: installing visidata from PyPI in $build/visidata, to race against" >&2
  if ! { python3 -m venv "$build/visidata" && "$build/visidata/bin/pip" install -q visidata==3.4; } >&2; then
    echo "bench: visidata could not be installed, so it is not raced against" >&2
    visidata=
  fi
fi
if pkg-config --exists libplist-2.0; then libplist=libplist-2.0; else libplist=libplist; fi

echo "bench: building" >&2
# -q leaves errors and warnings.
swift build -q --package-path "$here" -c release >&2
# What is measured from inside sees more than apps do, so it is built with the package itself.
for product in ApplyCost ReviewCost; do
  CARRYOVER_BENCHMARKS=1 swift build -q --package-path "$here/.." --scratch-path "$build/measured" -c release \
    --product "$product" >&2
done
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
export XDG_STATE_HOME="$data/state" # where the command keeps its key
status=0
command="$here/../.build/release/carryover"

# Makes data in a folder that records its size, unless it is there in that size.
make_data() { # folder, size in words, program, its options
  folder=$1 size=$2 program=$3
  shift 3
  [ "$(cat "$folder/size" 2>/dev/null)" != "$size" ] || return 0
  echo "bench: making the data ($size)" >&2
  rm -rf "$folder"
  python3 "$here/$program" "$folder" "$@"
  echo "$size" >"$folder/size"
}

if [ "$half" != codecs ]; then
  if [ ! -x "$command" ]; then
    echo "bench: no release build of the command to race; make release makes one" >&2
    exit 1
  fi
  make_data "$data/screens" "$screen_keys keys, $commits commits" make-screen-data.py \
    --keys "$screen_keys" --commits "$commits"
  # shellcheck disable=SC2086 # the options are several words, or none
  python3 "$here/screens.py" --data "$data/screens" --keys "$screen_keys" --carryover "$command" \
    --review-cost "$build/measured/release/ReviewCost" ${visidata:+--visidata "$visidata"} \
    ${tig_repository:+--tig-repository "$tig_repository"} $quick $screen_options $no_fail || status=1
  [ "$half" != screens ] || exit "$status"
  echo
fi

make_data "$data/codecs" "$keys keys, $files files" make-data.py --keys "$keys" --files "$files"
if [ -x "$command" ]; then
  set -- --carryover "$command" --plistutil "$(command -v plistutil)" "$@"
else
  echo "bench: no release build of the command, so its start is not timed (swift build -c release)" >&2
fi

# On a real disk, where an apply makes the calls that it makes for people.
echo "bench: what an apply costs beside its synchronizations" >&2
apply=$(mktemp -d "$here/.build/apply-XXXXXX")
round=1
while [ "$round" -le 60 ]; do
  cp -R "$here/../Examples/Clean.xcappdata" "$apply/$round.xcappdata"
  round=$((round + 1))
done
"$build/measured/release/ApplyCost" "$apply"/*.xcappdata || status=1
rm -rf "$apply"

python3 "$here/race.py" --data "$data/codecs" --build "$build" $quick "$@" || status=1

if [ -x "$command" ]; then
  # shellcheck disable=SC2086 # the options are several words, or none
  python3 "$here/large.py" --data "$data/large" --keys "$large_keys" --carryover "$command" $quick $no_fail || status=1
  [ -n "$half" ] || run_audits || status=1
fi
exit "$status"
