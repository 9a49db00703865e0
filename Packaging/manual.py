"""The manual pages: what the command says of its options, and the texts in Documentation, each fact in one place."""

from __future__ import annotations

import datetime
import json
import re
import shutil
import subprocess
from pathlib import Path

from examples import EXAMPLES
from mdoc import converted, escaped, filled, inline, literal, tagged

DOCUMENTATION = Path(__file__).resolve().parents[1] / "Documentation"
ROOT = "carryover"
MONTHS = "January February March April May June July August September October November December".split()
STATUSES = "Exit status: "


def section(page: str, title: str) -> str:
    """What a page says below one of its headings of the second level."""
    text = (DOCUMENTATION / page).read_text()
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    if not match:
        raise SystemExit(f"manual: Documentation/{page} has no heading “{title}”")
    return match.group(1).strip()


def heading_once(text: str) -> str:
    return text[:1].lower() + text[1:]


def first_sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s", text, maxsplit=1)[0].rstrip(".")


def option_names(argument: dict) -> list[str]:
    names = [("-" if name["kind"] == "long" else "") + name["name"] for name in argument["names"]]
    return sorted(names, key=len)


def shown(command: dict) -> list[dict]:
    return [argument for argument in command.get("arguments", []) if argument.get("shouldDisplay", True)]


def options(command: dict) -> list[dict]:
    return [argument for argument in shown(command) if argument["kind"] != "positional"]


def positional(command: dict) -> list[dict]:
    return [argument for argument in shown(command) if argument["kind"] == "positional"]


def explained(argument: dict) -> list[str]:
    text = argument.get("abstract", "")
    values = argument.get("allValues")
    if values:
        text += f" One of {', '.join(f'`{value}`' for value in values)}."
    if values and argument.get("defaultValue"):
        text += f" By default `{argument['defaultValue']}`."
    return filled(text)


def option_list(command: dict) -> list[str]:
    """Every option of a command, each once. A flag and its opposite, which have one explanation, share an entry."""
    entries: list[tuple[str, list[str]]] = []
    for option in options(command):
        value = f" Ar {escaped(option['valueName'])}" if option["kind"] == "option" else ""
        tag = " , ".join(f"Fl {name}{value}" for name in option_names(option))
        body = explained(option)
        if entries and entries[-1][1] == body:
            entries[-1] = (f"{entries[-1][0]} , {tag}", body)
        else:
            entries.append((tag, body))
    return tagged(entries, tag_is_macros=True)


def synopsis(path: list[str], command: dict, default: bool = False) -> list[str]:
    *words, last = path
    lines = [f".Nm {words[0]}", *(f".Cm {word}" for word in words[1:]), f".Op Cm {last}" if default else f".Cm {last}"]
    if options(command):
        lines.append(".Op Ar options")
    for argument in positional(command):
        name = f"Ar {escaped(argument['valueName'])}" + (" ..." if argument["isRepeating"] else "")
        lines.append(f".Op {name}" if argument["isOptional"] else f".{name}")
    return lines


def described(command: dict) -> list[str]:
    lines = filled(command.get("abstract", ""))
    # The pages have a section of their own for exit statuses.
    for paragraph in statuses(command.get("discussion", ""))[0].split("\n\n"):
        if paragraph.strip():
            lines += [".Pp", *filled(paragraph)]
    arguments = positional(command)
    if arguments:
        lines += tagged([(f"Ar {escaped(item['valueName'])}", explained(item)) for item in arguments], tag_is_macros=True)
    return lines


def examples(subcommand: str) -> list[str]:
    lines = []
    for comment, command in EXAMPLES.get(subcommand, []):
        lines += ([f"# {comment}"] if comment else []) + [command]
    return literal(lines) if lines else []


def statuses(text: str) -> tuple[str, str]:
    """A discussion without its exit statuses, and these."""
    before, _, said = text.partition(STATUSES)
    said, _, after = said.partition("\n\n")
    return f"{before.strip()}\n\n{after}".strip(), said


class Manual:
    """All pages for one version on one day."""

    def __init__(self, root: dict, version: str, day: datetime.date):
        self.root, self.version, self.day = root, version, day
        self.commands = [item for item in root["subcommands"] if item["commandName"] != "help"]

    @staticmethod
    def of(binary: Path, day: datetime.date) -> "Manual":
        def said(*arguments: str) -> str:
            return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout

        return Manual(json.loads(said("--experimental-dump-help"))["command"], said("--version").strip(), day)

    def pages(self) -> dict[str, str]:
        """The text of each page by the name of its file."""
        pages = {f"{ROOT}.1": self.main(), f"{ROOT}-recipe.5": self.recipe(), f"{ROOT}-config.5": self.config()}
        for command in self.commands:
            pages[f"{ROOT}-{command['commandName']}.1"] = self.subcommand(command)
        return pages

    def page(self, name: str, number: int, summary: str, parts: list[tuple[str, list[str]]]) -> str:
        lines = [
            rf'.\" Carryover {self.version}',
            f".Dd {written(self.day)}",
            f".Dt {name.upper()} {number}",
            f".Os Carryover {self.version}",
            *[".Sh NAME", f".Nm {name}", f".Nd {inline(heading_once(summary))}"],
        ]
        for title, content in parts:
            lines += [f".Sh {title}", *content] if content else []
        return "\n".join(lines) + "\n"

    def references(self, *pages: tuple[str, int]) -> list[str]:
        ordered = sorted(pages, key=lambda page: (page[1], page[0]))
        return [f".Xr {name} {number}" + (" ," if index < len(ordered) - 1 else "") for index, (name, number) in enumerate(ordered)]

    def main(self) -> str:
        entries = [(f"Cm {item['commandName']}", filled(item["abstract"])) for item in self.commands]
        see = [(f"{ROOT}-{item['commandName']}", 1) for item in self.commands]
        return self.page(ROOT, 1, first_sentence(self.root["abstract"]), [
            ("SYNOPSIS", [f".Nm {ROOT}", ".Op Ar subcommand", ".Op Ar options", ".Ar path"]),
            ("DESCRIPTION", [*described(self.root), ".Ss Subcommands", *tagged(entries, tag_is_macros=True), ".Ss Options", *option_list(self.root)]),
            ("ENVIRONMENT", converted(section("Command.md", "Environment"))),
            ("FILES", converted(section("Command.md", "Files"))),
            ("EXIT STATUS", converted(section("Command.md", "Exit statuses"))),
            ("EXAMPLES", examples("")),
            ("SEE ALSO", self.references(*see, (f"{ROOT}-config", 5), (f"{ROOT}-recipe", 5))),
        ])

    def subcommand(self, command: dict) -> str:
        name = command["commandName"]
        inner = [item for item in command.get("subcommands", []) if item["commandName"] != "help"]
        default = command.get("defaultSubcommand")
        usage = [line for item in inner for line in synopsis([ROOT, name, item["commandName"]], item, item["commandName"] == default)]
        parts = [("SYNOPSIS", usage or synopsis([ROOT, name], command)), ("DESCRIPTION", described(command))]
        if inner:
            details = []
            for item in inner:
                words = " ".join([name, item["commandName"]])
                also = f" (or {', '.join(item['aliases'])})" if item.get("aliases") else ""
                details += [f".Ss {words}{also}", *described(item), *option_list(item)]
            parts.append(("SUBCOMMANDS", details))
        parts.append(("OPTIONS", option_list(command)))
        also = [(ROOT, 1)] + ([(f"{ROOT}-{name}", 5)] if name in ("recipe", "config") else [])
        parts += [
            ("EXIT STATUS", self.exit_status(command, inner)),
            ("EXAMPLES", examples(name)),
            ("SEE ALSO", self.references(*also)),
        ]
        return self.page(f"{ROOT}-{name}", 1, first_sentence(command["abstract"]), parts)

    def exit_status(self, command: dict, inner: list[dict]) -> list[str]:
        """What the subcommands say themselves; for the others, what the command says."""
        said = [(f"{command['commandName']} {item['commandName']}", statuses(item.get("discussion", ""))[1]) for item in inner]
        own = [(words, text) for words, text in said if text]
        general = [*filled(statuses(self.root["discussion"])[1]), ".Xr carryover 1", "has the details."]
        if not own:
            return general
        others = ", ".join(f"`{words}`" for words, text in said if not text)
        return tagged([*((f"`{words}`", filled(text)) for words, text in own), *([(others, general)] if others else [])])

    def format_page(self, name: str, source: str, summary: str, sections: list[str], tool: str) -> str:
        first, *others = sections
        pages = [title.split("#") if "#" in title else (source, title) for title in others]
        body = [line for page, title in pages for line in [f".Ss {escaped(title)}", *converted(section(page, title))]]
        return self.page(name, 5, summary, [
            ("DESCRIPTION", converted(section(source, first)) + body),
            ("SEE ALSO", self.references((ROOT, 1), (tool, 1))),
        ])

    def recipe(self) -> str:
        sections = [
            "The format", "Files to read", "Parameters", "Fields", "Steps", "Findings of its own", "Not migrated", "Models", "Tests",
            "What YAML is allowed", "LintARecipe.md#Codes",
        ]
        return self.format_page(f"{ROOT}-recipe", "Recipes.md", "the format of recipe files", sections, f"{ROOT}-recipe")

    def config(self) -> str:
        sections = ["Syntax", "Settings", "Keys", "Colours", "Precedence", "Location"]
        return self.format_page(f"{ROOT}-config", "Configuration.md", "the format of the configuration", sections, f"{ROOT}-config")


def written(day: datetime.date) -> str:
    """A day as mdoc has it, in any locale."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


def release_day(version: dict, environment: dict[str, str]) -> datetime.date:
    """The day that the pages name: SOURCE_DATE_EPOCH's, else that of the commit that was built or the last one, else of the last version."""
    if epoch := environment.get("SOURCE_DATE_EPOCH"):
        if not epoch.isdecimal():
            raise SystemExit(f"manual: SOURCE_DATE_EPOCH is not a number of seconds: {epoch}")
        return datetime.datetime.fromtimestamp(int(epoch), datetime.timezone.utc).date()
    if day := version.get("date"):
        return datetime.date.fromisoformat(day)
    if (DOCUMENTATION.parent / ".git").exists() and shutil.which("git"):
        said = subprocess.run(["git", "-C", DOCUMENTATION, "log", "-1", "--format=%ct"], check=True, capture_output=True, text=True)
        return datetime.datetime.fromtimestamp(int(said.stdout), datetime.timezone.utc).date()
    if dated := re.search(r"^## \S+ - (\d{4}-\d{2}-\d{2})$", (DOCUMENTATION.parent / "CHANGELOG.md").read_text(), re.MULTILINE):
        return datetime.date.fromisoformat(dated.group(1))
    raise SystemExit("manual: the day is unknown: set SOURCE_DATE_EPOCH, or build in a clone")
