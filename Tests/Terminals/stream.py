"""What a terminal is sent, cut into control sequences, each held against what curses may send to that terminal.

The list of what is allowed is made from the terminal's own description: any sequence that is not in it is a fault, and so is any
character that could steer a terminal, hide, or reorder text."""

import json
import re
import subprocess
import sys
import unicodedata
from functools import lru_cache

from wcwidth import wcwidth

# What the driver asks of a terminal with a mouse beyond its description: xterm's bracketed paste, and all ways of
# reporting the mouse off, which the handler of a crash sends.
OWN_MODES = {"2004", "1000", "1002", "1003", "1006"}
TOKEN = re.compile(
    rb"\x1b\[([<-?]?)([0-9;:]*)([ -/]*)([@-~])|\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b([ -/]+)([0-~])|\x1b([0-~])"
    rb"|([\x00-\x1f\x7f])"
)
# Neither of these has a category of its own that would give it away.
IGNORABLE = [
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F),
    (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3), (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
]
# Not in every version of Unicode that Python knows; no version has these.
NEVER = {0x378, 0x10FFFF, 0xFFFF, 0xFFFE}


def is_hidden(scalar: int) -> bool:
    if scalar in NEVER or any(low <= scalar <= high for low, high in IGNORABLE):
        return True
    return unicodedata.category(chr(scalar)) in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")


def has_uncertain_width(scalar: int) -> bool:
    """Whether terminals disagree about its width, by their version of Unicode or because they join it to its neighbour."""
    character = chr(scalar)
    width = wcwidth(character)
    if width != wcwidth(character, "9.0.0") or unicodedata.category(character) == "Mc" or unicodedata.combining(character) == 9:
        return True
    # Conjoining jamo; letters of flags; emoji, which are all the wide signs outside the blocks of East Asia.
    if 0x1100 <= scalar <= 0x11FF or 0xD7B0 <= scalar <= 0xD7FF or 0x1F1E6 <= scalar <= 0x1F1FF:
        return True
    return width == 2 and not (0x2E80 <= scalar <= 0xFFFF or 0x16FE0 <= scalar <= 0x1B2FF or 0x1F200 <= scalar <= 0x1F2FF
                               or 0x20000 <= scalar) and scalar not in (0x2329, 0x232A)


@lru_cache(maxsize=None)
def capabilities(term: str) -> dict[str, str]:
    """Every string the terminal's description holds, parameters filled in. In a process of its own: the curses library
    takes one description a process."""
    script = """
import curses, json, subprocess, sys
curses.setupterm(sys.argv[1], 1)
names = [line.split("=")[0].strip() for line in
         subprocess.run(["infocmp", "-1", "-x", sys.argv[1]], capture_output=True, text=True).stdout.splitlines()
         if "=" in line and not line.startswith("#")]
found = {}
for name in names:
    value = curses.tigetstr(name) or b""
    if name == "rep":
        value = curses.tparm(value, 65, 9)
    elif b"%p" in value and name not in ("Ms", "Cs", "Ss", "Se", "Setulc", "initc", "pfkey", "pfloc"):
        value = curses.tparm(value, 1, 2, 0, 0, 0, 0, 0, 0, 0)
    found[name] = value.decode("latin-1")
json.dump(found, sys.stdout)
"""
    result = subprocess.run([sys.executable, "-c", script, term], capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


# What curses draws with. Not the keys, not the title, not the clipboard.
DRAWING = (
    "cup cuu cud cuf cub cuu1 cud1 cuf1 cub1 hpa vpa home cr ind ri indn rin el el1 ed ech ich ich1 dch dch1 il il1 dl "
    "dl1 csr clear smcup rmcup smkx rmkx civis cnorm cvvis sgr0 sgr setaf setab op bold dim rev smul rmul smso rmso rep "
    "sc rc smacs rmacs enacs smir rmir kmous XM smam rmam E3 nel ht cbt"
).split()


class Allowed:
    """What may be sent to a terminal of this name."""

    def __init__(self, term: str, *, colour: bool = True):
        known = capabilities(term)
        self.colour = colour
        self.finals: set[tuple[bytes, bytes]] = set()
        self.modes = set(OWN_MODES) if known.get("kmous") else set()
        self.escapes: set[bytes] = set()
        self.controls = set(b"\r\n\b")
        for name in DRAWING:
            value = re.sub(r"\$<[^>]*>", "", known.get(name, "")).encode("latin-1")
            for token in TOKEN.finditer(value):
                prefix, numbers, _, final, _, charset, to, single, control = token.groups()
                if final in (b"h", b"l") and prefix == b"?":
                    self.modes.update(numbers.decode().split(";"))
                elif final:
                    self.finals.add((prefix, final))
                elif charset or single:
                    self.escapes.add(token.group())
                elif control:
                    self.controls.update(control)
        self.controls -= set(b"\x07\x1b\x00")
        self.palette_reset = known.get("oc", "").encode("latin-1")

    def faults(self, data: bytes, *, clipboard: bool = False, stopped: bool = False) -> list[str]:
        """What is wrong with what was sent. Coming back after a stop, curses resets the palette."""
        found = []
        text_start = 0
        for token in list(TOKEN.finditer(data)) + [None]:
            text = data[text_start:token.start() if token else len(data)]
            found += text_faults(text) or [
                f"U+{ord(character):04X} has no certain width" for character in dict.fromkeys(text.decode())
                if has_uncertain_width(ord(character))]
            if token is None:
                break
            text_start = token.end()
            prefix, numbers, between, final, system, _, _, single, control = token.groups()
            if control is not None:
                fine = control[0] in self.controls
            elif system is not None:
                fine = stopped and token.group() == self.palette_reset or clipboard and re.fullmatch(rb"52;c;[A-Za-z0-9+/]*={0,2}", system) and len(system) <= 66000
            elif final is None:
                fine = token.group() in self.escapes
            elif final in b"hl" and prefix == b"?":
                fine = set(numbers.decode().split(";")) <= self.modes
            elif final == b"m":
                fine = prefix == b"" and self.look(numbers.decode())
            else:
                fine = (prefix, final) in self.finals and not between
            if not fine:
                found.append(f"{token.group()[:40]!r} at {token.start()}")
        return found

    def look(self, numbers: str) -> bool:
        codes = [int(code or 0) for code in re.split("[;:]", numbers)]
        coloured = any(30 <= code <= 49 or 90 <= code <= 107 for code in codes)
        return max(codes) <= 255 and (self.colour or not coloured)


def text_faults(data: bytes) -> list[str]:
    """What is wrong with text between control sequences, or printed outside a screen."""
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        return [f"not UTF-8: {data[max(0, error.start - 5):error.end + 5]!r}"]
    return [f"U+{ord(character):04X} in {text[:60]!r}" for character in dict.fromkeys(text) if is_hidden(ord(character))]


COLORED = re.compile(rb"\x1b\[(?:1|2|31|32|33)m([^\x1b]*)\x1b\[0m")


def print_faults(data: bytes, is_colored: bool = False) -> list[str]:
    """The same for what a command prints on lines, in its own colours or in none."""
    if is_colored:
        data = COLORED.sub(rb"\1", data)
    return text_faults(data.replace(b"\r\n", b"").replace(b"\n", b""))
