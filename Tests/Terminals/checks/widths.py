"""What the command shows as it is takes as many columns in every table of widths there is; and our table differs from
other makers' only where it is meant to, over all planes."""

import ctypes
import locale
import plistlib
import re
import subprocess
import sys
import unicodedata

from containers import REPOSITORY
from stream import IGNORABLE, NEVER, has_uncertain_width
from wcwidth import wcwidth

RANGE = re.compile(r"0x([0-9A-F]+)\.\.\.0x([0-9A-F]+)")
# What people write in is shown as it is: a letter of each, and a mark where the script has any.
WRITTEN = "éßΩЯ→─✓§漢字かなｶｆ가שלוםַمرحباَﷺที่ไทยກຂकखगुঅતამაԱሀᐁ𝒜e\u0301"


# Where our table differs from others on purpose.
MEANT = [
    # Signs of the I Ching and counting rods: wide since Unicode 16.
    (0x2630, 0x2637), (0x268A, 0x268F), (0x4DC0, 0x4DFF), (0x1D300, 0x1D356), (0x1D360, 0x1D376),
    # Circled numbers on black squares, which are ambiguous: wide for the C library.
    (0x3248, 0x324F),
    # Conjoining vowels and finals: CPython knows no marks that are letters, and wcwidth takes their whole block.
    (0x1160, 0x11FF), (0xD7B0, 0xD7FF),
    # Skin tones, which wcwidth lets combine with the emoji before them.
    (0x1F3FB, 0x1F3FF),
    # A mark that takes room since Unicode 16.
    (0x1171E, 0x1171E),
]
# Newer than the tables of wcwidth 0.2.13, for which what is unassigned takes one column.
NEWER_MARKS = [
    (0x897, 0x897), (0x1ACF, 0x1AEB), (0x10D69, 0x10D6D), (0x10EFA, 0x10EFC), (0x113BB, 0x113E2), (0x11B60, 0x11B66),
    (0x11F5A, 0x11F5A), (0x1611E, 0x1612F), (0x1E5EE, 0x1E5EF), (0x1E6E3, 0x1E6F5),
]
NEWER_WIDE = [
    (0x31E4, 0x31E5), (0x16FF2, 0x16FF6), (0x187F8, 0x187FF), (0x18CFF, 0x18DF2), (0x1F6D8, 0x1F6D8),
    (0x1FA89, 0x1FAEF),
]


def ranges(path: str, name: str):
    text = (REPOSITORY / path).read_text()
    text = text[text.index(f" {name}: [ClosedRange"):]
    return [range(int(low, 16), int(high, 16) + 1) for low, high in RANGE.findall(text[:text.index("\n  ]")])]


def CASES(setting):
    # Apple's C library has a table that follows no version of Unicode.
    return ["shown", "CPython", "wcwidth"] + (["C library"] if sys.platform == "linux" else [])


IGNORED = NEVER | {code for low, high in IGNORABLE for code in range(low, high + 1)}


def is_laid_out(code: int) -> bool:
    category = unicodedata.category(chr(code))
    return category not in ("Cc", "Cf", "Co", "Cs", "Zl", "Zp", "Zs") and code not in IGNORED


def others(case: str):
    """The width of a code point in another table; None where it has none."""
    if case == "wcwidth":
        return lambda code: wcwidth(chr(code))
    if case == "C library":
        locale.setlocale(locale.LC_ALL, "C.UTF-8")
        library = ctypes.CDLL(None).wcwidth
        return lambda code: None if library(code) < 0 else library(code)

    def python(code):
        # What it says of an unassigned code point is wrong before version 3.12.
        if unicodedata.category(chr(code)) == "Cn":
            return None
        if unicodedata.category(chr(code)) in ("Mn", "Me"):
            return 0
        return 2 if unicodedata.east_asian_width(chr(code)) in ("W", "F") else 1

    return python


def is_meant(case: str, code: int, other: int, ours: int) -> bool:
    lists = [MEANT]
    if case == "wcwidth":
        lists += [NEWER_MARKS] if ours == 0 else [NEWER_WIDE] if other == 1 else []
        # It lets every mark combine, also those that take room.
        if other == 0 and unicodedata.category(chr(code)) in ("Mc", "Cn"):
            return True
    return any(low <= code <= high for part in lists for low, high in part)


def shown_by(setting) -> set[int]:
    """The code points that the command prints as they are."""
    codes = [code for code in range(0xA1, 0x110000) if is_laid_out(code)]
    texts = ["".join(map(chr, codes[start:start + 1000])) for start in range(0, len(codes), 1000)]
    file = setting.folder / "everything.plist"
    file.write_bytes(plistlib.dumps({str(index): text for index, text in enumerate(texts)}, fmt=plistlib.FMT_BINARY))
    result = subprocess.run([setting.binary, "inspect", file, "--all"], capture_output=True, check=True)
    return set(map(ord, result.stdout.decode())) & set(codes)


def run(setting, case: str) -> list[str]:
    zero = {code for part in ranges("Sources/CarryoverTerminal/WidthTable.swift", "zero") for code in part}
    wide = {code for part in ranges("Sources/CarryoverTerminal/WidthTable.swift", "wide") for code in part}
    shown = shown_by(setting)

    def ours(code):
        return 0 if code in zero else 2 if code in wide else 1

    if case == "shown":
        wrong = [f"{character} is not shown" for character in WRITTEN if ord(character) > 0xA0 and ord(character) not in shown]
        wrong += [] if len(shown) > 100_000 else [f"only {len(shown)} code points are shown"]
        wrong += [f"U+{code:04X} is shown" for code in sorted(shown) if has_uncertain_width(code)]
        return wrong[:8] + [f"U+{code:04X} is {wcwidth(chr(code))} wide, {ours(code)} here" for code in sorted(shown)
                            if wcwidth(chr(code)) != ours(code)][:8]
    other = others(case)
    widths = {code: other(code) for code in range(0x20, 0x110000) if is_laid_out(code)}
    known = {code: width for code, width in widths.items() if width is not None}
    differing = [code for code, width in known.items() if width != ours(code)]
    print(f"  {case}: another width than ours for {len(differing)} of {len(known)} code points, such as "
          + ", ".join(f"U+{code:04X}" for code in differing[:: max(1, len(differing) // 8)]))
    # Asked of nothing, a table would agree with any.
    return ([] if len(known) > 100_000 else [f"only {len(known)} code points are known"]) + [
        f"U+{code:04X} is {known[code]} wide, {ours(code)} here" for code in differing
        if not is_meant(case, code, known[code], ours(code)) or code in shown][:8]
