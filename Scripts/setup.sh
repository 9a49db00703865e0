#!/usr/bin/env bash
# Installs what building (build), testing (test, test-all, apple, fleet), packing (dist), fuzzing (fuzz) or making
# the web site (site) needs, with apt or brew, and says what. Where there is dnf or pacman, it names the packages.
# Does nothing where all is there.
set -euo pipefail

purpose=${1:-build}
here=$(cd "$(dirname "$0")/.." && pwd)
built=$here/.build

fail() {
  echo "carryover: $1" >&2
  exit 1
}

command -v swift >/dev/null || fail "Swift 6.2 or later is needed and was not found; install it from https://www.swift.org/install"

# A package's names for apt, dnf, pacman and brew; - where it is not needed, or a part of another.
names="\
gcc                gcc                    gcc            -
libncurses-dev     ncurses-devel          ncurses        -
libsqlite3-dev     sqlite-devel           sqlite         -
libyaml-dev        libyaml-devel          libyaml        libyaml
libarchive13       libarchive             libarchive     -
ncurses-term       ncurses-term           ncurses        -
python3            python3                python         python3
python3-pip        python3-pip            python-pip     -
python3-venv       python3                python         -
strace             strace                 strace         -
parallel           parallel               parallel       -
mandoc             mandoc                 mandoc         -
zsh                zsh                    zsh            -
fish               fish                   fish           fish
shellcheck         ShellCheck             shellcheck     shellcheck
minisign           minisign               minisign       minisign
dpkg-dev           -                      -              -
libclang-rt-dev    compiler-rt            compiler-rt    -
xcodegen           -                      -              xcodegen
"
manager=apt column=1
if [ "$(uname -s)" = Darwin ]; then
  manager=brew column=4
  # ncurses and SQLite come with the system's SDK; cc alone does not look where brew puts the others.
  CPATH=$(brew --prefix 2>/dev/null || true)/include
  export CPATH
elif ! command -v apt-get >/dev/null; then
  if command -v dnf >/dev/null; then manager=dnf column=2; elif command -v pacman >/dev/null; then manager=pacman column=3; fi
fi

missing=()
miss() { # Debian's name
  local name
  name=$(awk -v name="$1" -v column=$column '$1 == name { print $column; found = 1 } END { if (!found) print name }' <<<"$names")
  [ "$name" = - ] || missing+=("$name")
}
need_header() { # header, Debian's name
  echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1 || miss "$2"
}
need_tool() { # tool, Debian's name
  command -v "$1" >/dev/null || miss "$2"
}
need_module() { # module of Python's, Debian's name
  python3 -c "import $1" 2>/dev/null || miss "$2"
}
need_libarchive() {
  # Looked for at run time, so building needs nothing of it. ldconfig is not on everybody's path.
  [ $manager = brew ] || PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -q 'libarchive\.so\.13' || miss libarchive13
}

# Packages of PyPI beside the build, and nobody else's, at the versions of a list: pip has nothing to choose.
install_list() { # folder, list
  local folder=$built/$1 list=$here/$2
  cmp -s "$list" "$folder/installed.txt" && return 0
  echo "carryover: installing the packages of $2 into .build/$1 with pip"
  python3 -m venv --clear "$folder"
  "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$list"
  cp "$list" "$folder/installed.txt"
}

# What ours is judged by: a terminal and a YAML reader of other makers.
install_judges() {
  [ ! -e "$built/judges/yaml" ] || return 0
  echo "carryover: installing pyte and PyYAML into .build/judges with pip"
  python3 -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --no-deps --upgrade --target "$built/judges" \
    pyte==0.8.2 wcwidth==0.2.13 PyYAML==6.0.2
}

if [ "$purpose" = dist ] && ! command -v dpkg-query >/dev/null; then
  fail "make dist needs Debian or a system like it: the static command is linked from its libraries"
fi
need_tool cc gcc
need_header curses.h libncurses-dev
need_header sqlite3.h libsqlite3-dev
need_header yaml.h libyaml-dev
# Terminal descriptions beyond the basic ones; the screen needs its user's.
[ $manager = brew ] || [ -e /usr/share/terminfo/x/xterm-256color ] || [ -e /lib/terminfo/x/xterm-256color ] || miss ncurses-term
[ "$purpose" = build ] || need_tool python3 python3

case $purpose in
test) need_libarchive ;;
test-all)
  need_libarchive
  need_module pip python3-pip
  need_module ensurepip python3-venv
  for tool in strace parallel mandoc zsh fish shellcheck minisign; do need_tool $tool $tool; done
  need_tool dpkg-shlibdeps dpkg-dev
  ;;
dist)
  need_tool dpkg-shlibdeps dpkg-dev
  need_tool minisign minisign
  [ -e /usr/share/terminfo/a/alacritty ] || miss ncurses-term
  # What the static command has inside. Debian packs these libraries with their headers.
  need_header archive.h libarchive-dev
  need_header zlib.h zlib1g-dev
  need_header bzlib.h libbz2-dev
  need_header lzma.h liblzma-dev
  need_header zstd.h libzstd-dev
  need_header lz4.h liblz4-dev
  need_header nettle/aes.h nettle-dev
  ;;
fuzz)
  need_libarchive
  # Toolchains of swift.org have libFuzzer; another one takes Debian's.
  python3 -B "$here/Fuzz" --runtime >/dev/null || miss libclang-rt-dev
  ;;
fleet | site) need_module ensurepip python3-venv ;;
apple) need_tool xcodegen xcodegen ;;
esac

if [ ${#missing[@]} -gt 0 ]; then
  case $manager in
  apt)
    command -v apt-get >/dev/null || fail "needed and not found: ${missing[*]} (Debian's names); install them and run make again"
    sudo=""
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    echo "carryover: installing ${missing[*]} with apt-get"
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    ;;
  brew)
    command -v brew >/dev/null || fail "needed and not found: ${missing[*]}; install them (https://brew.sh) and run make again"
    echo "carryover: installing ${missing[*]} with brew"
    brew install --quiet "${missing[@]}"
    ;;
  dnf) fail "needed and not found: run sudo dnf install ${missing[*]}, then make again" ;;
  pacman) fail "needed and not found: run sudo pacman -S ${missing[*]}, then make again" ;;
  esac
fi

case $purpose in
test-all)
  install_judges
  install_list site-tools Site/requirements.txt
  ;;
fleet)
  python3 -c 'import sys; sys.exit(sys.version_info < (3, 11) and "carryover: fleet needs Python 3.11 or later")'
  install_list fleet fleet/requirements.txt
  ;;
site) install_list site-tools Site/requirements.txt ;;
esac
