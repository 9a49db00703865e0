"""What the command shows as it is has the same width here and in a table of another maker, and in every terminal: code
points whose width is in doubt are shown by their numbers."""

import plistlib
import re
import subprocess
import unicodedata

from containers import REPOSITORY
from stream import has_uncertain_width, is_hidden
from wcwidth import wcwidth

RANGE = re.compile(r"0x([0-9A-F]+)\.\.\.0x([0-9A-F]+)")
# What people write in is shown as it is: a letter of each, and a mark where the script has any.
WRITTEN = "éßΩЯ→─✓§漢字かなｶｆ가שלוםַمرحباَﷺที่ไทยກຂကखगुঅতამაԱሀᐁ𝒜e\u0301"


def CASES(setting):
    return ["shown"]


def ranges(name: str) -> set[int]:
    text = (REPOSITORY / "Sources/CarryoverTerminal/WidthTable.swift").read_text()
    text = text[text.index(f" {name}: [ClosedRange"):]
    return {code for low, high in RANGE.findall(text[:text.index("\n  ]")]) for code in range(int(low, 16), int(high, 16) + 1)}


def run(setting, _: str) -> list[str]:
    zero, wide = ranges("zero"), ranges("wide")
    codes = [code for code in range(0xA1, 0x110000) if not is_hidden(code) and unicodedata.category(chr(code)) != "Zs"]
    texts = ["".join(map(chr, codes[start:start + 1000])) for start in range(0, len(codes), 1000)]
    file = setting.folder / "everything.plist"
    file.write_bytes(plistlib.dumps({str(index): text for index, text in enumerate(texts)}, fmt=plistlib.FMT_BINARY))
    result = subprocess.run([setting.binary, "inspect", file, "--all"], capture_output=True, check=True)
    shown = sorted(set(map(ord, result.stdout.decode())) & set(codes))
    wrong = [f"{character} is not shown" for character in WRITTEN if ord(character) > 0xA0 and ord(character) not in shown]
    wrong += [] if len(shown) > 100_000 else [f"only {len(shown)} code points are shown"]
    wrong += [f"U+{code:04X} is shown" for code in shown if has_uncertain_width(code)][:8]
    return wrong + [f"U+{code:04X} is {wcwidth(chr(code))} wide, {ours} here" for code in shown
                    if wcwidth(chr(code)) != (ours := 0 if code in zero else 2 if code in wide else 1)][:8]
