"""Markdown, as the pages in Documentation use it, as mdoc(7), the language of manual pages."""

import re
from textwrap import wrap

CODE = {"\\": r"\e", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", "-": r"\-", '"': r"\(dq"}
PROSE = {"\\": r"\e", "'": r"\(aq", "`": r"\(ga", '"': r"\(dq"}
INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)|<kbd>([^<]+)</kbd>")
# A sentence ends at the end of a line of the source, so that every formatter leaves the right space behind it.
SENTENCE_END = re.compile(r"[.!?:](?:\\\(dq|\\\[u201D\]|\\fR|[)\]])*$")
ITEM = r"(?:[*-]|\d+\.) "
LINES = rf"(?:^(?!{ITEM}|#|\||```).+\n?)"
BLOCK = re.compile(
    rf"^```.*\n(?P<code>(?:.*\n)*?)```$|^#+ *(?P<heading>.*)|(?P<table>(?:^\|.*\n?)+)"
    rf"|(?P<list>(?:^{ITEM}.*\n?{LINES}*)+)|(?P<text>{LINES}+)", re.MULTILINE)


def escaped(text: str, signs: dict[str, str] = PROSE) -> str:
    return "".join(signs.get(sign, sign if ord(sign) < 128 else f"\\[u{ord(sign):04X}]") for sign in text)


def inline(text: str) -> str:
    """One paragraph's text: code and keys bold, names of links as they are, without where they lead."""
    result, end = [], 0
    for match in INLINE.finditer(text):
        result.append(escaped(text[end:match.start()]))
        code, strong, emphasis, link, target, key = match.groups()
        if code or key:
            result.append(f"\\fB{escaped(code or key, CODE)}\\fR")
        elif strong:
            result.append(f"\\fB{escaped(strong)}\\fR")
        elif emphasis:
            result.append(f"\\fI{escaped(emphasis)}\\fR")
        else:
            result.append(inline(link) + (f" ({escaped(target)})" if "://" in target else ""))
        end = match.end()
    return "".join(result) + escaped(text[end:])


def filled(text: str) -> list[str]:
    """Text in lines of the source, one or more for a sentence."""
    words = (f"{word}\n" if SENTENCE_END.search(word) else word for word in inline(text).split())
    sentences = " ".join(words).split("\n")
    return [safe(line) for sentence in sentences for line in wrap(sentence.strip(), 78, break_long_words=False, break_on_hyphens=False)]


def safe(line: str) -> str:
    """A line that is no request, whatever it begins with."""
    return "\\&" + line if line[:1] in (".", "'") or line.startswith(r"\(aq") else line


def literal(lines: list[str]) -> list[str]:
    return [".Bd -literal -offset indent", *(safe(escaped(line, CODE)) or "\\&" for line in lines), ".Ed"]


def tagged(entries: list[tuple[str, list[str]]]) -> list[str]:
    return [".Bl -tag -width Ds", *(line for tag, body in entries for line in [f".It {tag}", *body]), ".El"]


def table(lines: list[str]) -> list[str]:
    """A table as a list: the first cell is the term, the others follow, with their headings where they are several."""
    head, _, *body = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
    entries = []
    for tag, *cells in body:
        described: list[str] = []
        for name, cell in zip(head[1:], cells):
            described += ([".br"] if described else []) + filled(cell if len(cells) == 1 else f"{name}: {cell}")
        entries.append((f'"{inline(tag)}"', described))
    return tagged(entries)


def converted(markdown: str) -> list[str]:
    result: list[str] = []
    before = None
    for block in BLOCK.finditer(markdown):
        kind, text = block.lastgroup, block[block.lastgroup]
        # Displays and lists make their own space above.
        if kind == "text" and before not in (None, "heading"):
            result.append(".Pp")
        if kind == "code":
            result += literal(text.splitlines())
        elif kind == "heading":
            result.append(f".Ss {inline(text)}")
        elif kind == "table":
            result += table(text.splitlines())
        elif kind == "list":
            items = re.split(rf"^{ITEM}", text, flags=re.MULTILINE)[1:]
            result += [".Bl -bullet", *(line for item in items for line in [".It", *filled(item)]), ".El"]
        else:
            result += filled(text)
        before = kind
    return result
