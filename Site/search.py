"""The search: an index of all sections as a script, which a page can load without a server."""

from __future__ import annotations

import json

from outline import sections
from page import Page, heading

# What is searched of one section, in characters.
LONGEST = 4_000


def index(pages: list[Page]) -> bytes:
    """A line for each section: where it is, its page, its heading if that is another, its text."""
    lines = []
    for page in pages:
        for section in sections(page.body) if page.sections_found else sections(page.body)[:1]:
            place = page.path if section.level == 1 else f"{page.path}#{section.anchor}"
            title = "" if section.level == 1 else section.title
            lines.append(json.dumps([place, page.title, title, section.text[:LONGEST]], ensure_ascii=False))
    # These two end a line of a script in older browsers.
    text = ",\n".join(lines).replace("\u2028", " ").replace("\u2029", " ")
    return f"const sections = [\n{text}\n];\n".encode()


def page() -> Page:
    body = heading(1, "Search", "search") + """<form role="search">
<input type="search" name="q" id="q" aria-label="Words to search for" autocomplete="off">
<button>Search</button>
</form>
<p id="count" role="status"></p>
<noscript><p>The search needs JavaScript. All pages are in <a href="#pages">the list</a>.</p></noscript>
<ol id="found"></ol>
"""
    return Page("search.html", "Search", body, scripts=["search-index.js", "search.js"])
