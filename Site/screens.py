"""The recorded screens: as pictures in the guides, and all of them as text."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

from page import Page, code, heading, slug


def figure(path: Path, link: str, words: str) -> str:
    """A picture that leads to itself, for a closer look, and the same screen as text if it was recorded so."""
    size = re.search(r'<svg[^>]* width="(\d+)" height="(\d+)"', path.read_text()[:1000])
    measures = f' width="{size.group(1)}" height="{size.group(2)}"' if size else ""
    picture = f'<a href="{escape(link)}"><img src="{escape(link)}" alt="{escape(words)}"{measures}></a>'
    text = path.with_suffix(".txt")
    said = f"<details>\n<summary>This screen as text</summary>\n{code(text.read_text())}</details>\n" if text.exists() else ""
    return f"<figure>\n{picture}\n</figure>\n{said}"


def page(root: Path) -> Page:
    parts = [
        heading(1, "Screens as text", "screens-as-text"),
        "<p>The screens that the tests record, as plain text.</p>\n",
    ]
    for path in sorted((root / "Screens").glob("*.txt")):
        parts += [heading(2, path.stem, slug(path.stem)), code(path.read_text())]
    return Page("screens/index.html", "Screens as text", "".join(parts), sections_found=False)
