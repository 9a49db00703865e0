"""The manual pages, from what the command says of its options and from the texts in Documentation: each fact in one place."""

import datetime
import json
import re
import subprocess
from pathlib import Path
from textwrap import wrap

from examples import EXAMPLES

DOCUMENTATION = Path(__file__).resolve().parents[1] / "Documentation"
ROOT = "carryover"
CODE = {"\\": r"\e", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti", "-": r"\-", '"': r"\(dq"}
PROSE = {"\\": r"\e", "'": r"\(aq", "`": r"\(ga", '"': r"\(dq"}
INLINE = re.compile(r"`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)|<kbd>([^<]+)</kbd>")
# A sentence ends at the end of a line of the source, so that every formatter leaves the right space behind it.
SENTENCE_END = re.compile(r"[.!?:](?:\\\(dq|\\\[u201D\]|\\fR|[)\]])*$")
COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE)
ITEM = r"(?:[*-]|\d+\.) "
LINES = rf"(?:^(?!{ITEM}|#|\||```).+\n?)"
BLOCK = re.compile(
    rf"^```.*\n(?P<code>(?:.*\n)*?)```$|^#+ *(?P<heading>.*)|(?P<table>(?:^\|.*\n?)+)"
    rf"|(?P<list>(?:^{ITEM}.*\n?{LINES}*)+)|(?P<text>{LINES}+)", re.MULTILINE)


def pages(binary: Path, version: str, day: datetime.date) -> dict[str, str]:
    """The text of each page by the name of its file."""
    said = subprocess.run([binary, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    root = json.loads(said)["command"]
    commands = inner(root)

    def page(name: str, number: int, summary: str, parts: dict[str, list[str]]) -> str:
        lines = [
            rf'.\" Carryover {version}', f".Dd {day:%B} {day.day}, {day.year}", f".Dt {name.upper()} {number}",
            f".Os Carryover {version}", ".Sh NAME", f".Nm {name}", f".Nd {inline(summary[:1].lower() + summary[1:])}"]
        for title, content in parts.items():
            lines += [f".Sh {title}", *content] if content else []
        return "\n".join(lines) + "\n"

    result = {f"{ROOT}.1": page(ROOT, 1, first_sentence(root), {
        "SYNOPSIS": [f".Nm {ROOT}", ".Op Ar subcommand", ".Op Ar options", ".Ar path"],
        "DESCRIPTION": [
            *described(root), ".Ss Subcommands", *tagged([(f"Cm {item['commandName']}", filled(item["abstract"])) for item in commands]),
            ".Ss Options", *option_list(root)],
        "ENVIRONMENT": section("Command.md", "Environment"),
        "FILES": section("Command.md", "Files"),
        "EXIT STATUS": section("Command.md", "Exit statuses"),
        "EXAMPLES": examples(""),
        "SEE ALSO": references(*((f"{ROOT}-{item['commandName']}", 1) for item in commands), (f"{ROOT}-config", 5), (f"{ROOT}-recipe", 5)),
    })}
    for command in commands:
        name = command["commandName"]
        usage = [line for item in inner(command) for line in synopsis([ROOT, name, item["commandName"]], item)]
        details = [line for item in inner(command) for line in [f".Ss {name} {item['commandName']}", *described(item), *option_list(item)]]
        result[f"{ROOT}-{name}.1"] = page(f"{ROOT}-{name}", 1, first_sentence(command), {
            "SYNOPSIS": usage or synopsis([ROOT, name], command),
            "DESCRIPTION": described(command),
            "SUBCOMMANDS": details,
            "OPTIONS": option_list(command),
            "EXAMPLES": examples(name),
            "SEE ALSO": references((ROOT, 1), *([(f"{ROOT}-{name}", 5)] if name in ("recipe", "config") else [])),
        })
    for name, source, summary in (("recipe", "Recipes", "the format of recipe files"), ("config", "Configuration", "the format of the configuration")):
        text = COMMENT.sub("", (DOCUMENTATION / f"{source}.md").read_text().partition("\n")[2])
        result[f"{ROOT}-{name}.5"] = page(f"{ROOT}-{name}", 5, summary, {
            "DESCRIPTION": converted(text), "SEE ALSO": references((ROOT, 1), (f"{ROOT}-{name}", 1))})
    return result


def inner(command: dict) -> list[dict]:
    return [item for item in command.get("subcommands", []) if item["commandName"] != "help"]


def section(page: str, title: str) -> list[str]:
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", (DOCUMENTATION / page).read_text(), re.MULTILINE | re.DOTALL)
    if not match:
        raise SystemExit(f"manual: Documentation/{page} has no heading “{title}”")
    return converted(match.group(1).strip())


def first_sentence(command: dict) -> str:
    return re.split(r"(?<=\.)\s", command["abstract"], maxsplit=1)[0].rstrip(".")


def arguments(command: dict, positional: bool) -> list[dict]:
    shown = [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]
    return [argument for argument in shown if (argument["kind"] == "positional") == positional]


def explained(argument: dict) -> list[str]:
    text = argument.get("abstract", "")
    if values := argument.get("allValues"):
        text += f" One of {', '.join(f'`{value}`' for value in values)}."
        text += f" By default `{argument['defaultValue']}`." if argument.get("defaultValue") else ""
    return filled(text)


def option_list(command: dict) -> list[str]:
    """Every option of a command, each once. A flag and its opposite, which have one explanation, share an entry."""
    entries: list[tuple[str, list[str]]] = []
    for option in arguments(command, positional=False):
        value = f" Ar {escaped(option['valueName'])}" if option["kind"] == "option" else ""
        names = sorted((("-" if name["kind"] == "long" else "") + name["name"] for name in option["names"]), key=len)
        tag, body = " , ".join(f"Fl {name}{value}" for name in names), explained(option)
        if entries and entries[-1][1] == body:
            entries[-1] = (f"{entries[-1][0]} , {tag}", body)
        else:
            entries.append((tag, body))
    return tagged(entries) if entries else []


def synopsis(words: list[str], command: dict) -> list[str]:
    lines = [f".Nm {words[0]}", *(f".Cm {word}" for word in words[1:])]
    if arguments(command, positional=False):
        lines.append(".Op Ar options")
    for argument in arguments(command, positional=True):
        name = f"Ar {escaped(argument['valueName'])}" + (" ..." if argument["isRepeating"] else "")
        lines.append(f".Op {name}" if argument["isOptional"] else f".{name}")
    return lines


def described(command: dict) -> list[str]:
    lines = filled(command.get("abstract", ""))
    for paragraph in command.get("discussion", "").split("\n\n"):
        if paragraph.strip():
            lines += [".Pp", *filled(paragraph)]
    if named := arguments(command, positional=True):
        lines += tagged([(f"Ar {escaped(item['valueName'])}", explained(item)) for item in named])
    return lines


def examples(subcommand: str) -> list[str]:
    lines = []
    for comment, command in EXAMPLES.get(subcommand, []):
        lines += ([f"# {comment}"] if comment else []) + [command]
    return literal(lines) if lines else []


def references(*names: tuple[str, int]) -> list[str]:
    ordered = sorted(names, key=lambda name: (name[1], name[0]))
    return [f".Xr {name} {number}" + (" ," if index < len(ordered) - 1 else "") for index, (name, number) in enumerate(ordered)]


# Markdown, as the pages in Documentation use it, as mdoc(7), the language of manual pages.


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
