"""Text that would do something in a page if it were not escaped: in Markdown, in a recipe, in an archive, in the index."""

from __future__ import annotations

import tempfile
from pathlib import Path

import findings
import guides
import recipes
import reference
import search
from page import Frame, Page, html
from pages import Read, closed

EVIL = '<script>alert(1)</script><img src=x onerror="alert(2)"> & "\'><style>*{}</style></title></pre></code>'
MARKDOWN = f"""# {EVIL}

{EVIL} <b onclick="x()">bold</b> <kbd onclick="x()">k</kbd> <kbd>{EVIL}</kbd> `{EVIL}`

<div onclick="x()">

## {EVIL}

[one](javascript:alert(1)) [two](data:text/html,x) [three](vbscript:x) [four](<x" onclick="y>) [five](../../etc/passwd)
[six](file:///etc/passwd) ![seven](https://example.com/x.png) ![eight](javascript:x) <javascript:alert(1)> [nine](//example.com/x)

| {EVIL} | b |
|---|---|
| {EVIL} | `{EVIL}` |

```x"onclick="y
{EVIL}
```
"""


def problems() -> list[str]:
    found = []
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        (root / "README.md").write_text(MARKDOWN)
        places = guides.Places.__new__(guides.Places)
        places.root, places.places, places.codes, places.findings = root, {"README.md": "index.html"}, {}, {}
        links = guides.GuideLinks(places, "README.md", "index.html")
        finding = findings.Finding(EVIL, EVIL, EVIL, EVIL, EVIL, MARKDOWN)
        recipe = recipes.Recipe(EVIL, EVIL, 1, f"x\n{EVIL}\n\n{EVIL}\n\n{EVIL}:\n  {EVIL}\n", EVIL, EVIL)
        pages = {
            "guide": guides.page(places, "README.md"),
            "finding": findings.page(finding, links),
            "findings": findings.index([finding], links),
            "recipes": recipes.index([recipe]),
            "recipe": recipes.page(recipe),
            "library": library().pages()[-1],
        }
    for what, page in pages.items():
        page.path, page.scripts = "index.html", []
        read = Read("index.html", html(page, Frame([(EVIL, [("index.html", EVIL)])], EVIL)))
        found += [f"hostile text in a {what}: {problem}" for problem in [*read.wrong, *closed(read)]]
        schemes = {link["href"].partition(":")[0] for link in read.named("a") if ":" in link.get("href", "").partition("#")[0]}
        if schemes - {"https", "http", "mailto"}:
            found.append(f"hostile text in a {what}: its links lead to {schemes}")
        if "alert(1)" not in "".join(read.words):
            found.append(f"hostile text in a {what} is not there as text")
    index = search.index([Page("x.html", EVIL, f"<h1 id='x'>x</h1><p>\u2028{EVIL}</p>")]).decode()
    if "\u2028" in index or index.count("\n") != 3:
        found.append("hostile text ends a line of the search's index")
    return found


def library() -> reference.Libraries:
    """An archive of one module, which says what no module says."""
    parts = [{"type": "text", "text": EVIL}, {"type": "codeVoice", "code": EVIL}, {"type": "reference", "identifier": EVIL},
             {"type": "strong", "inlineContent": [{"type": "text", "text": EVIL}]}]
    content = [{"type": "paragraph", "inlineContent": parts}, {"type": "heading", "level": 2, "text": EVIL},
               {"type": "codeListing", "syntax": EVIL, "code": [EVIL]}, {"type": "aside", "style": EVIL, "content": []}]
    return reference.Libraries({"doc://x": {
        "identifier": {"url": "doc://x"}, "variants": [{"paths": ["/documentation/x"]}], "hierarchy": {"paths": []},
        "metadata": {"role": "collection", "symbolKind": "module", "title": EVIL, "modules": [{"name": EVIL}]},
        "abstract": parts, "references": {EVIL: {"title": EVIL, "kind": "symbol"}},
        "primaryContentSections": [
            {"kind": "declarations", "declarations": [{"tokens": [{"kind": "text", "text": EVIL}]}]},
            {"kind": "content", "content": content}],
    }})
