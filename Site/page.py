"""A page around its text: head, header, the list of all pages, footer."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, field
from html import escape

from outline import sections

# Nothing comes from elsewhere, and nothing runs but the search, on its page.
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'"

# Where a list of the sections is of use: a text of this many characters.
LONG = 3_000


@dataclass
class Page:
    path: str
    title: str
    body: str
    source: str = ""
    scripts: list[str] = field(default_factory=list)
    # Whether the search finds its sections, too.
    sections_found: bool = True
    # Where a page has no name in the list of all pages, the name of the one that leads to it.
    under: str = ""


@dataclass
class Frame:
    """What is the same around every page: the groups of the list of all pages, each with paths and names."""

    groups: list[tuple[str, list[tuple[str, str]]]]
    version: str


def relative(target: str, page: str) -> str:
    """A path in the site as a link on a page. It names the file, so that it works without a server."""
    path, sign, anchor = target.partition("#")
    return posixpath.relpath(path, posixpath.dirname(page) or ".") + sign + anchor


def slug(title: str, taken: set[str] | None = None) -> str:
    """The anchor of a heading, as GitHub makes it, so that links in the Markdown work here too."""
    name = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
    candidate, number = name, 0
    while taken is not None and candidate in taken:
        number += 1
        candidate = f"{name}-{number}"
    if taken is not None:
        taken.add(candidate)
    return candidate


def heading(level: int, title: str, anchor: str, inner: str | None = None) -> str:
    """A heading with a link to itself.

    - inner: the title as HTML, if it is more than text.
    """
    inner = escape(title) if inner is None else inner
    if level == 1:
        return f'<h1 id="{escape(anchor)}">{inner}</h1>\n'
    link = f'<a class="anchor" href="#{escape(anchor)}" aria-label="Link to “{escape(title)}”">#</a>'
    return f'<h{level} id="{escape(anchor)}">{inner} {link}</h{level}>\n'


def code(text: str, language: str = "", wraps: bool = False) -> str:
    """Code or a screen, in a box that scrolls by itself, or whose lines wrap."""
    kind = f' class="language-{escape(language)}"' if language else ""
    box = ' class="wraps"' if wraps else ' tabindex="0"'
    return f'<pre{box}><code{kind}>{escape(text, quote=False)}</code></pre>\n'


def table(inner: str) -> str:
    return f'<div class="scroll" tabindex="0" role="group" aria-label="Table">{inner}</div>\n'


def html(page: Page, frame: Frame) -> str:
    def link(path: str, name: str, *others: str) -> str:
        current = ' aria-current="page"' if path == page.path else ' aria-current="true"' if path == page.under else ""
        return f'<a href="{escape(relative(path, page.path))}"{current}{"".join(others)}>{escape(name)}</a>'

    policy = POLICY + ("; script-src 'self'" if page.scripts else "")
    scripts = "".join(f'<script src="{relative(script, page.path)}" defer></script>\n' for script in page.scripts)
    title = page.title if page.path == "index.html" else f"{page.title} · Carryover"
    groups = "".join(
        f"<h2>{escape(name)}</h2>\n<ul>\n" + "".join(f"<li>{link(*entry)}</li>\n" for entry in entries) + "</ul>\n"
        for name, entries in frame.groups)
    search = "" if page.path == "search.html" else f"""<form role="search" action="{relative("search.html", page.path)}">
<input type="search" name="q" aria-label="Words to search for" placeholder="Search" autocomplete="off">
<button>Search</button>
</form>
"""
    source = f"<p>Made from <code>{escape(page.source)}</code>.</p>\n" if page.source else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>{escape(title)}</title>
<link rel="icon" href="{relative("icon.svg", page.path)}" type="image/svg+xml">
<link rel="stylesheet" href="{relative("site.css", page.path)}">
{scripts}</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header>
<a class="home" href="{relative("index.html", page.path)}">Carryover</a>
<a class="menu" href="#pages">All pages</a>
{search}</header>
<div class="columns">
<main id="main" tabindex="-1">
{with_contents(page.body)}</main>
<nav id="pages" aria-label="All pages">
{groups}</nav>
</div>
<footer>
{source}<p>Carryover {escape(frame.version)}</p>
</footer>
</body>
</html>
"""


def with_contents(body: str) -> str:
    """A long text with a list of its sections below the title, unless it begins with one."""
    every = sections(body)
    entries = [section for section in every if section.level == 2]
    has_own = body.partition("<h2")[0].count('href="#') >= 3
    if len(entries) < 3 or has_own or sum(len(section.text) for section in every) < LONG:
        return body
    items = "".join(f'<li><a href="#{escape(entry.anchor)}">{escape(entry.title)}</a></li>\n' for entry in entries)
    first, end, rest = body.partition("</h1>\n")
    return f'{first}{end}<details class="contents">\n<summary>On this page</summary>\n<ul>\n{items}</ul>\n</details>\n{rest}'
