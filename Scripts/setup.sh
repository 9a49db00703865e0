#!/usr/bin/env bash
# Installs what building (build), testing (test, test-all, test-dist, apple, fleet), packing (dist), fuzzing (fuzz), racing
# against others (bench) or making the web site (site) needs, and says what. Does nothing where all is there.
set -euo pipefail

purpose=${1:-build}

if ! command -v swift >/dev/null; then
  echo "carryover: Swift 6.2 or later is needed and was not found; install it from https://www.swift.org/install" >&2
  exit 1
fi

missing=()
need_header() { # header, package
  echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1 || missing+=("$2")
}
need_tool() { # tool, package
  command -v "$1" >/dev/null || missing+=("$2")
}

built=$(cd "$(dirname "$0")/.." && pwd)/.build
install_python() { # folder, one of the modules, what it is called, packages
  local folder=$built/$1 module=$2 names=$3
  shift 3
  [ ! -e "$folder/$module" ] || return 0
  echo "carryover: installing $names into .build/${folder##*/} with pip"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --upgrade --target "$folder" "$@"
}

# Beside the build, and nobody else's: what ours is judged by, a terminal and a YAML reader of other makers; and the
# reader of Markdown for the site.
install_modules() {
  if [ "$purpose" = test-all ]; then
    install_python judges yaml "pyte and PyYAML" pyte==0.8.2 wcwidth==0.2.13 PyYAML==6.0.2
  fi
  if [ "$purpose" = test-all ] || [ "$purpose" = site ]; then
    install_python site-tools markdown_it markdown-it-py markdown-it-py==4.0.0 mdurl==0.1.2
  fi
  [ "$purpose" != fleet ] || install_fleet
}

# The driver for clusters and its tests, at the versions of its list: pip has nothing to choose, which could take it long.
install_fleet() {
  local list=$built/../fleet/requirements.txt folder=$built/fleet
  cmp -s "$list" "$folder/installed.txt" && return 0
  echo "carryover: installing the packages of fleet/requirements.txt into .build/fleet with pip"
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11) and "carryover: fleet needs Python 3.11 or later")'
  python3 -m venv --clear "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$list"
  cp "$list" "$folder/installed.txt"
}

case $(uname -s) in
Linux)
  if { [ "$purpose" = dist ] || [ "$purpose" = test-dist ]; } && ! command -v dpkg-query >/dev/null; then
    echo "carryover: make static and make dist need Debian or a system like it: the static command is linked from its libraries" >&2
    exit 1
  fi
  need_tool cc gcc
  need_header curses.h libncurses-dev
  need_header sqlite3.h libsqlite3-dev
  need_header yaml.h libyaml-dev
  # Terminal descriptions beyond the basic ones; the screen needs its user's.
  [ -e /usr/share/terminfo/x/xterm-256color ] || [ -e /lib/terminfo/x/xterm-256color ] || missing+=(ncurses-term)
  if [ "$purpose" = test-all ] || [ "$purpose" = test-dist ]; then
    need_tool mandoc mandoc
    need_tool zsh zsh
    need_tool fish fish
  fi
  if [ "$purpose" = dist ] || [ "$purpose" = test-all ] || [ "$purpose" = test-dist ]; then
    need_tool python3 python3
    need_tool dpkg-shlibdeps dpkg-dev
    [ -e /usr/share/terminfo/a/alacritty ] || missing+=(ncurses-term)
    need_tool rpmbuild rpm
    need_tool minisign minisign
    # What the static command has inside. Debian packs these libraries with their headers.
    need_header archive.h libarchive-dev
    need_header zlib.h zlib1g-dev
    need_header bzlib.h libbz2-dev
    need_header lzma.h liblzma-dev
    need_header zstd.h libzstd-dev
    need_header lz4.h liblz4-dev
    need_header nettle/aes.h nettle-dev
  fi
  if [ "$purpose" = test-all ] || [ "$purpose" = test-dist ]; then
    need_tool ruby ruby
    need_tool shellcheck shellcheck
    need_tool skopeo skopeo
    need_tool rpmlint rpmlint
  fi
  if [ "$purpose" = test-dist ]; then
    need_tool debootstrap debootstrap
    need_tool lintian lintian
  fi
  if [ "$purpose" = test-all ]; then
    need_tool tmux tmux
    need_tool strace strace
    need_tool parallel parallel
  fi
  if [ "$purpose" = test-all ] || [ "$purpose" = site ]; then
    need_tool python3 python3
    python3 -m pip --version >/dev/null 2>&1 || missing+=(python3-pip)
  fi
  if [ "$purpose" = test ] || [ "$purpose" = test-all ]; then
    need_tool python3 python3
    # Looked for at run time, so building needs nothing of it. ldconfig is not on everybody's path.
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q 'libarchive\.so\.13' || missing+=(libarchive13)
  fi
  if [ "$purpose" = fuzz ]; then
    need_tool python3 python3
    # Toolchains of swift.org have libFuzzer; another one takes Debian's.
    python3 -B "$(dirname "$0")/../Fuzz" --runtime >/dev/null || missing+=(libclang-rt-dev)
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q 'libarchive\.so\.13' || missing+=(libarchive13)
  fi
  if [ "$purpose" = fleet ]; then
    need_tool python3 python3
    python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
  fi
  if [ "$purpose" = bench ]; then
    need_tool python3 python3
    python3 -c 'import ensurepip' 2>/dev/null || missing+=(python3-venv)
    need_tool git git
    need_tool tig tig
    need_tool less less
    need_tool plistutil libplist-utils
    need_tool pkg-config pkg-config
    need_header plist/plist.h libplist-dev
  fi
  if [ ${#missing[@]} -eq 0 ]; then
    install_modules
    exit 0
  fi
  if ! command -v apt-get >/dev/null; then
    echo "carryover: needed and not found: ${missing[*]} (Debian's names); install them and run make again" >&2
    exit 1
  fi
  sudo=""
  [ "$(id -u)" -eq 0 ] || sudo=sudo
  echo "carryover: installing ${missing[*]} with apt-get"
  $sudo apt-get update -qq
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  install_modules
  ;;
Darwin)
  # ncurses and SQLite come with the system's SDK.
  need_header yaml.h libyaml
  if [ "$purpose" = test ] || [ "$purpose" = test-all ]; then need_tool python3 python3; fi
  if [ "$purpose" = test-all ]; then need_tool tmux tmux; fi
  if [ "$purpose" = apple ]; then
    need_tool python3 python3
    need_tool xcodegen xcodegen
  fi
  if [ "$purpose" = bench ]; then
    need_tool python3 python3
    need_tool tig tig
    need_tool less less
    need_tool plistutil libplist
    need_tool pkg-config pkg-config
  fi
  if [ ${#missing[@]} -eq 0 ]; then
    install_modules
    exit 0
  fi
  if ! command -v brew >/dev/null; then
    echo "carryover: needed and not found: ${missing[*]}; install them (https://brew.sh) and run make again" >&2
    exit 1
  fi
  echo "carryover: installing ${missing[*]} with brew"
  brew install --quiet "${missing[@]}"
  install_modules
  ;;
*)
  echo "carryover: only Linux and macOS are supported" >&2
  exit 1
  ;;
esac
