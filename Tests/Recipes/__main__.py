#!/usr/bin/env python3
"""Compares Carryover's reader of recipe files with PyYAML.

Whatever Carryover accepts, PyYAML must read as the same value under YAML 1.2's core schema; whatever it refuses must have a code, a
line and a column. The files are generated trees in five styles, and mutations of these and of the recipes that Carryover ships.
Needs PyYAML, which Scripts/setup.sh puts beside the build, and RecipeProbe beside the binary. Status 1 if anything is wrong."""

import argparse
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / ".build/judges"))
sys.dont_write_bytecode = True

import yaml  # noqa: E402

CORE = [
    ("b", re.compile(r"true|True|TRUE|false|False|FALSE")),
    ("n", re.compile(r"null|Null|NULL|~|")),
    ("i", re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")),
    ("d", re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")),
]
TEXTS = ["", "a", "user_id", "${token}-x", "true", "yes", "null", "1", "-7", "0.5", "1e9", "007", "0x1f", "1_000", "1:30", "2025-11-20", "~",
         "it's", 'say "hi"', "a: b", "a #b", "#a", "- a", "[a", "{a", "é漢字", "tab\there", "line\nbreak", "end\n", " lead", "trail ", "%a", "@a",
         "\U0001f600", "a\U000e0001b", "`a", "|", ">", "*a", "&a", "!a", "\\u0041", "\u200b", "<<", "a" * 200, "1.2.3", ".5", "5.", "+1", "rl_*"]


def joined(text: str) -> str:
    """A text whose pairs of surrogates, which PyYAML keeps apart, are characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


def python_value(node):
    if isinstance(node, yaml.SequenceNode):
        return ["l", [python_value(item) for item in node.value]]
    if isinstance(node, yaml.MappingNode):
        return ["m", [[joined(key.value), python_value(value)] for key, value in node.value]]
    kind = next((kind for kind, form in CORE if node.style is None and form.fullmatch(node.value)), "t")
    return [kind, node.value.lower() in ["true"] if kind == "b" else joined(node.value)]


def python_reads(text: bytes):
    try:
        return python_value(yaml.compose(text.decode(), Loader=yaml.BaseLoader)), None
    except (yaml.YAMLError, UnicodeDecodeError, AttributeError, RecursionError) as error:
        return None, error


def tree(chance: random.Random, depth: int = 0):
    shape = chance.random()
    if depth > 4 or shape < 0.55:
        return chance.choice([chance.choice(TEXTS), chance.choice(TEXTS), chance.randrange(-10**20, 10**20), chance.random() * 10, True, False])
    if shape < 0.75:
        return [tree(chance, depth + 1) for _ in range(chance.randrange(1, 5))]
    return {chance.choice(TEXTS[1:]): tree(chance, depth + 1) for _ in range(chance.randrange(1, 6))}


def styles(value) -> list[bytes]:
    options = {"allow_unicode": True, "width": 10**6, "sort_keys": False}
    return [text.encode() for text in (
        yaml.safe_dump(value, default_flow_style=False, **options), yaml.safe_dump(value, default_flow_style=True, **options),
        yaml.safe_dump(value, default_style='"', **options), json.dumps(value, ensure_ascii=False, indent=2),
        json.dumps(value))]


def mutated(chance: random.Random, text: bytes, others: list[bytes]) -> bytes:
    changed = bytearray(text)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(changed) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            changed[place:place + 1] = bytes([chance.choice(b"\x00\t\n\r :#-?,[]{}&*!|>'\"%@`~<=0123456789abcdefuxy\\\x7f\x85\xc2\xe2\xff")])
        elif kind == 1:
            del changed[place:place + chance.randrange(1, 9)]
        elif kind == 2:
            other = chance.choice(others)
            start = chance.randrange(len(other))
            changed[place:place] = other[start:start + chance.randrange(1, 40)]
        elif kind == 3:
            changed[place:place] = chance.choice([b"\n", b": ", b"- ", b"  ", b"\n---\n", b"\n...\n", b"? ", b"<<: ", b"|\n", b">-\n", b"#", b", "])
        else:
            changed[place:place] = bytes([chance.randrange(256)])
    return bytes(changed)


def main() -> int:
    parser = argparse.ArgumentParser(prog="Tests/Recipes", description="Compares the reader of recipe files with PyYAML.")
    parser.add_argument("--binary", type=Path, default=REPOSITORY / ".build/debug/RecipeProbe")
    parser.add_argument("--long", action="store_true", help="20,000 mutations")
    parser.add_argument("--seed", type=int, help="the files of another run; each run prints its seed",
                        default=os.environ.get("CARRYOVER_RANDOM_SEED", random.randrange(10**6)))
    options = parser.parse_args()
    chance = random.Random(options.seed)
    made = [text for _ in range(400) for text in styles(tree(chance))]
    shipped = [path.read_bytes() for path in sorted(REPOSITORY.glob("Recipes/*.recipe.yaml"))]
    seeds = made + shipped * 100
    files = shipped + made + [mutated(chance, chance.choice(seeds), seeds) for _ in range(20_000 if options.long else 2_000)]
    sent = "".join(text.hex() + "\n" for text in files).encode()
    answers = subprocess.run([options.binary], input=sent, stdout=subprocess.PIPE, check=True).stdout.splitlines()
    wrong, accepted, codes = [], 0, {}
    for index, (text, answer) in enumerate(zip(files, answers, strict=True)):
        value, issues = json.loads(answer)
        errors = [issue for issue in issues if issue[0] != "R014"]
        for code, *_ in issues:
            codes[code] = codes.get(code, 0) + 1
        if errors or value is None:
            lines = text.count(b"\n") + 1
            if not all(re.fullmatch(r"R\d{3}", code) and 1 <= int(place.split(":")[0]) <= lines + 1 and message for code, place, message in errors) or not errors:
                wrong.append((text, f"refused without a reason or a place: {issues}"))
            continue
        accepted += 1
        theirs, error = python_reads(text)
        if theirs != value:
            wrong.append((text, f"Carryover reads {str(value)[:300]}\n  PyYAML reads {str(theirs)[:300]} {error or ''}"))
        if index < len(shipped) and issues:
            wrong.append((text, f"a recipe that is shipped is refused: {issues}"))
    for text, reason in wrong[:10]:
        print(f"✘ {text[:600]!r}\n  {reason}")
    print(f"Recipes: {len(files)} files, {accepted} accepted, {len(wrong)} wrong; seed {options.seed}; "
          + ", ".join(f"{code} {count}" for code, count in sorted(codes.items())))
    return 1 if wrong or accepted < len(made) / 3 else 0


if __name__ == "__main__":
    sys.exit(main())
