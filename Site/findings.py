"""A page for each finding, and for each code of recipe lint: what `carryover explain CODE` says."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Callable

from markdown import Links, rendered
from page import Page, heading, relative, slug, table

Said = Callable[..., str]


@dataclass
class Finding:
    code: str
    group: str
    # error, asks
    weight: str
    title: str
    # The sentences below the code on the terminal.
    severity: str
    # Markdown of the second level.
    text: str

    @property
    def path(self) -> str:
        return f"findings/{self.code}.html"


def read(root: Path, said: Said) -> list[Finding]:
    """Every finding, in the order of the command, then every code of lint."""
    found = [*general(said), *lint(root)]
    with ThreadPoolExecutor() as pool:
        for finding, text in zip(found, pool.map(lambda finding: said("explain", finding.code), found)):
            finding.severity, finding.text = explained(text, finding.text)
    return found


def general(said: Said) -> list[Finding]:
    result, group = [], ""
    for part in re.split(r"^(?=##)", said("explain", "--markdown"), flags=re.MULTILINE):
        if part.startswith("## "):
            group = part.splitlines()[0][3:]
        elif part.startswith("### "):
            code, weight, title, text = re.fullmatch(r"### `([^`]+)`\n\n\*\*(.+?)\*\*: (.+?)\n\n(.*)", part, re.DOTALL).groups()
            result.append(Finding(code, group, weight, title, "", text))
    return result


def lint(root: Path) -> list[Finding]:
    text = (root / "Documentation/LintARecipe.md").read_text().partition("\n## Codes\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.+) \|$", text, re.MULTILINE)
    return [Finding(code, "lint: what recipe lint finds in a recipe file", weight, title, "", "") for code, weight, title in rows]


def explained(text: str, markdown: str) -> tuple[str, str]:
    """What the terminal says of a finding as a sentence and as Markdown; from the Markdown of its list, if it has that."""
    _, severity, *others = text.splitlines()
    if not markdown:
        lines = [f"\n## {line}\n" if line and line[:1] != " " else re.sub(r"([\\`*_\[\]<>#])", r"\\\1", line.strip()) for line in others]
        return severity, "\n".join(lines)
    return severity, re.sub(r"^\* \*\*(.+?)\.\*\*", r"\n## \1\n\n", re.sub(r"^  ", "", markdown, flags=re.MULTILINE), flags=re.MULTILINE)


def letters(text: str) -> str:
    return re.sub(r"\W", "", text)


def page(finding: Finding, links: Links) -> Page:
    name = heading(1, finding.code, slug(finding.code), f"<code>{escape(finding.code)}</code>")
    title = rendered(f"{finding.title[:1].upper()}{finding.title[1:]}.", links)[1].replace("<p>", '<p class="lead">', 1)
    _, body = rendered(finding.text, links)
    severity = f"<p>{escape(finding.severity)}</p>"
    if letters(finding.severity.partition(": ")[2]) == letters(finding.title):
        # Of a code of lint, the sentence says the title, too.
        title, severity = "", severity.replace("<p>", '<p class="lead">')
    body = f'{name}{title}{severity}\n<div class="brief">\n{body}</div>\n'
    return Page(finding.path, finding.code, body, under="findings/index.html")


def index(findings: list[Finding], links: Links) -> Page:
    path = "findings/index.html"
    parts = [
        heading(1, "Findings", "findings"),
        "<p>What Carryover finds in a container, a recipe file or a saved plan, by its code. "
        "<code>carryover explain CODE</code> prints the same.</p>\n",
    ]
    for group in dict.fromkeys(finding.group for finding in findings):
        rows = "".join(
            f'<tr id="{slug(each.code)}"><td><a href="{escape(relative(each.path, path))}"><code>{escape(each.code)}</code></a></td>'
            f"<td>{escape(each.weight)}</td><td>{inline(each.title, links)}</td></tr>\n"
            for each in findings if each.group == group)
        head = "<thead><tr><th>code</th><th>severity</th><th>when</th></tr></thead>\n"
        parts += [heading(2, group, slug(group)), table(f"<table>\n{head}<tbody>\n{rows}</tbody>\n</table>\n")]
    return Page(path, "Findings", "".join(parts))


def inline(text: str, links: Links) -> str:
    return rendered(text, links)[1].removeprefix("<p>").removesuffix("</p>\n")
