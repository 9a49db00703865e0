#!/usr/bin/env python3
"""Makes the property lists that are raced: make-data.py FOLDER [--keys N] [--files N]

Written with CPython's plistlib and the same on every machine and every run:

    large.binary.plist   one dictionary of 500,000 keys, about 46 MB
    large.xml.plist      the same data
    small/00000.plist…   10,000 files like an app's preferences, binary and XML in turn
    binary.list, xml.list, small.list   their paths, one a line, as the peers take them
"""

import argparse
import plistlib
from datetime import datetime, timedelta
from pathlib import Path

WORDS = (
    "account alert basket cache camera colour contact count device draft event feature filter font frame history "
    "image index invite keyboard language launch layout limit locale login map message mode network notice number "
    "offer option order page payment photo player price profile prompt queue rating reader region reminder review "
    "screen search session share shop sort sound state status store style sync tab theme time title token tour "
    "user version video view visit volume wallet window zone"
).split()
NON_ASCII = ("Königsallee", "crêpe", "日本語", "Привет", "naïve", "🧦 socks", "Çeşme")


class Numbers:
    """A fixed sequence: linear congruential, so that no version of Python's random module matters."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % limit

    def choice(self, values):
        return values[self.below(len(values))]


def sentence(numbers, at_least, at_most):
    words = [numbers.choice(WORDS) for _ in range(at_least + numbers.below(at_most - at_least + 1))]
    if numbers.below(8) == 0:
        words.append(numbers.choice(NON_ASCII))
    return " ".join(words)


def moment(numbers):
    return datetime(2024, 1, 1) + timedelta(seconds=numbers.below(60_000_000))


def octets(numbers, at_most):
    return bytes(numbers.below(256) for _ in range(1 + numbers.below(at_most)))


def scalar(numbers):
    kind = numbers.below(20)
    if kind < 9:
        return sentence(numbers, 2, 16)
    if kind < 13:
        return numbers.below(numbers.choice((100, 70_000, 2**31))) - numbers.below(2) * 50
    if kind < 15:
        return numbers.below(1_000_000) / 64
    if kind < 17:
        return numbers.below(2) == 1
    if kind < 19:
        return moment(numbers)
    return octets(numbers, 48)


def value(numbers):
    kind = numbers.below(20)
    if kind == 0:
        return [scalar(numbers) for _ in range(numbers.below(6))]
    if kind == 1:
        return {numbers.choice(WORDS): scalar(numbers) for _ in range(numbers.below(5))}
    return scalar(numbers)


def preferences(numbers, keys, prefix):
    """A dictionary of the given number of keys, each as long as real ones are."""
    return {
        f"{prefix}.{numbers.choice(WORDS)}.{numbers.choice(WORDS)}.{number}": value(numbers) for number in range(keys)
    }


def main():
    parser = argparse.ArgumentParser(description="Makes the property lists that are raced.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--keys", type=int, default=500_000, help="keys of the large files")
    parser.add_argument("--files", type=int, default=10_000, help="number of small files")
    options = parser.parse_args()

    options.folder.mkdir(parents=True, exist_ok=True)
    large = preferences(Numbers(1), options.keys, "com.acme.shop")
    for name, form in (("binary", plistlib.FMT_BINARY), ("xml", plistlib.FMT_XML)):
        path = options.folder / f"large.{name}.plist"
        path.write_bytes(plistlib.dumps(large, fmt=form, sort_keys=False))
        (options.folder / f"{name}.list").write_text(f"{path}\n")

    small = options.folder / "small"
    small.mkdir(exist_ok=True)
    paths = [small / f"{number:05}.plist" for number in range(options.files)]
    numbers = Numbers(2)
    for number, path in enumerate(paths):
        form = plistlib.FMT_XML if number % 2 else plistlib.FMT_BINARY
        content = preferences(numbers, 8 + numbers.below(40), "rl" if number % 7 == 0 else "settings")
        path.write_bytes(plistlib.dumps(content, fmt=form, sort_keys=False))
    (options.folder / "small.list").write_text("".join(f"{path}\n" for path in paths))


if __name__ == "__main__":
    main()
