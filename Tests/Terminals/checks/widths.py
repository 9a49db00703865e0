"""What the driver leaves to curses takes as many columns in every table of widths there is; and how far the tables differ."""

import ctypes
import locale
import re
import unicodedata

from containers import REPOSITORY
from stream import is_hidden
from wcwidth import list_versions, wcwidth

RANGE = re.compile(r"0x([0-9A-F]+)\.\.\.0x([0-9A-F]+)")
# Not assigned before: an older table knows nothing of what came later, and none of it is among the certain.
OLDEST = "9.0.0"


def ranges(path: str, name: str):
    text = (REPOSITORY / path).read_text()
    text = text[text.index(f" {name}: [ClosedRange"):]
    return [range(int(low, 16), int(high, 16) + 1) for low, high in RANGE.findall(text[:text.index("\n  ]")])]


def CASES(setting):
    return ["certain", "C library", "tables"]


def is_shown(code: int) -> bool:
    return not is_hidden(code) and unicodedata.category(chr(code)) not in ("Cn", "Zs")


def run(setting, case: str) -> list[str]:
    zero = {code for part in ranges("Sources/CarryoverTerminal/WidthTable.swift", "zero") for code in part}
    wide = {code for part in ranges("Sources/CarryoverTerminal/WidthTable.swift", "wide") for code in part}
    certain = ranges("Sources/CarryoverCurses/CertainWidth.swift", "certain") + [range(0x20, 0x7F), range(0xA1, 0x300)]

    def ours(code):
        return 0 if code in zero else 2 if code in wide else 1

    if case == "certain":
        codes = [code for part in certain for code in part if is_shown(code)]
        versions = [version for version in list_versions() if [int(n) for n in version.split(".")] >= [9, 0, 0]]
        return [f"U+{code:04X} is {wcwidth(chr(code), version)} wide in Unicode {version}, {ours(code)} here"
                for version in (OLDEST, versions[-1]) for code in codes if wcwidth(chr(code), version) != ours(code)][:5]
    known = [code for code in range(0x20, 0x30000) if is_shown(code)]
    if case == "C library":
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
        library = ctypes.CDLL(None).wcwidth
        differing = [code for code in known if library(code) != ours(code)]
    else:
        differing = [code for code in known if wcwidth(chr(code)) != ours(code)]
    print(f"  {case}: another width than ours for {len(differing)} of {len(known)} characters, such as "
          + ", ".join(f"U+{code:04X}" for code in differing[:: max(1, len(differing) // 8)]))
    return [f"U+{code:04X} is certain and differs" for code in differing if any(code in part for part in certain)][:5]
