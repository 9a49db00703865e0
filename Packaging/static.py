"""The static command: the objects of the release, linked again with every library inside, the C library too.

A program like this loads no library and finds no files beside it. So libarchive is inside, reached by the names that
CCarryoverArchive asks for, and so are descriptions of the usual terminals, for systems that have none."""

import re
import subprocess
import tempfile
from pathlib import Path

from contents import components

ROOT = Path(__file__).resolve().parents[1]
# Those that people use and Debian's ncurses-base and ncurses-term describe. Another terminal needs a description of the system's.
DESCRIBED = """alacritty linux rxvt-unicode-256color screen screen-256color screen.xterm-256color tmux tmux-256color tmux-direct vt100 vt220
    xterm xterm-256color xterm-mono""".split()
# Those that come with a description of their own, which Debian 12 does not have: each is like the other.
LIKE = {"foot": "xterm-256color", "wezterm": "xterm-256color", "xterm-ghostty": "xterm-256color", "xterm-kitty": "kitty"}
TERMINALS = sorted([*DESCRIBED, *LIKE])
DESCRIPTIONS = [Path("/etc/terminfo"), Path("/lib/terminfo"), Path("/usr/share/terminfo")]
LIBRARIES = "ncursesw tinfo sqlite3 yaml archive nettle lzma zstd lz4 bz2 z".split()
# Swift's runtime wants to know where it is, and ends the command if it cannot read that in /proc, which an empty root lacks.
# It looks beside this place for a program that explains crashes, only if SWIFT_BACKTRACE asks for it.
PLACE = """\
int dladdr(const void *address, Dl_info *found) {
  *found = (Dl_info){.dli_fname = "/usr/bin/carryover", .dli_fbase = (void *)address};
  return 1;
}
"""
# As for the release, but for packed relocations: what starts a static program need not read them.
OPTIONS = ["-use-ld=lld", "-Xlinker", "--gc-sections", "-Xlinker", "-s", "-Xlinker", "--no-eh-frame-hdr", "-Xlinker", "-T", "-Xlinker", "Packaging/discard.ld"]


def source() -> str:
    """C that defines the two functions which the command asks for what it has inside, and one that Swift asks."""
    text = (ROOT / "Sources/CCarryoverArchive/archive.c").read_text()
    wanted = sorted(set(re.findall(r"\barchive_(?:read|filter|error|entry|version)_\w+", text)))
    lines = ["#define _GNU_SOURCE", "#include <dlfcn.h>", "#include <stddef.h>", "#include <string.h>", PLACE, *(f"extern void {name}(void);" for name in wanted)]
    lines += ["static const struct { const char *name; void (*function)(void); } functions[] = {", *(f'  {{"{name}", {name}}},' for name in wanted), "};"]
    lines += ["static const struct { const char *name, *description; } terminals[] = {"]
    lines += [f'  {{"{name}", "hex:{description(name).hex()}"}},' for name in TERMINALS] + ["};"]
    for result, function, table, member in (
        ("void *", "carryover_archive_linked", "functions", "(void *)functions[i].function"),
        ("const char *", "cc_own_description", "terminals", "terminals[i].description"),
    ):
        lines += [
            f"{result}{function}(const char *name) {{", f"  for (size_t i = 0; i < sizeof {table} / sizeof *{table}; i++)",
            f"    if (strcmp({table}[i].name, name) == 0) return {member};", "  return NULL;", "}"]
    return "\n".join(lines) + "\n"


def description(terminal: str) -> bytes:
    if terminal in LIKE:
        return renamed(description(LIKE[terminal]), terminal)
    for folder in DESCRIPTIONS:
        if (path := folder / terminal[0] / terminal).exists():
            return path.read_bytes()
    raise SystemExit(f"static: this system does not describe the terminal {terminal}: install ncurses-base and ncurses-term")


def renamed(entry: bytes, name: str) -> bytes:
    """A compiled description with another name before its own: see term(5). ncurses compares the names."""
    size = int.from_bytes(entry[2:4], "little")
    names = name.encode() + b"|" + entry[12:12 + size]
    if (len(names) - size) % 2:
        # The numbers behind the names begin at an even place.
        names = name.encode() + b"||" + entry[12:12 + size]
    return entry[:2] + len(names).to_bytes(2, "little") + entry[4:12] + names + entry[12 + size:]


def link(release: Path, output: Path) -> None:
    objects = release / "carryover.product/Objects.LinkFileList"
    if not objects.exists():
        raise SystemExit(f"static: {objects} does not exist: run make release first")
    output.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        inside, used = Path(folder, "inside.c"), Path(folder, "used")
        inside.write_text(source())
        subprocess.run(["clang", "-O2", "-c", inside, "-o", inside.with_suffix(".o")], check=True)
        linked = subprocess.run([
            "swiftc", "-static-executable", "-Xclang-linker", "-static-pie", "-emit-executable", "-o", output, f"@{objects}", inside.with_suffix(".o"), *OPTIONS,
            "-Xlinker", f"--print-archive-stats={used}", *(f"-l{name}" for name in LIBRARIES),
        ], cwd=ROOT, capture_output=True, text=True)
        if linked.returncode:
            raise SystemExit(f"static: linking failed:\n{linked.stdout}{linked.stderr}")
        check(used.read_text())


def check(statistics: str) -> None:
    """Fails if a library is in the command and not in the list of what it is made of."""
    rows = [line.split("\t") for line in statistics.splitlines()[1:]]
    used = {Path(path).name for _, fetched, path in rows if int(fetched)}
    unknown, idle = set(used), []
    for item in components(static=True, system="linux"):
        found = {name for name in used for pattern in item.get("archives", []) if re.fullmatch(pattern, name)}
        unknown -= found
        idle += [item["name"]] if "archives" in item and not found else []
    if unknown or idle:
        raise SystemExit(f"static: components.json does not list {sorted(unknown)}, or lists without need {idle}")
