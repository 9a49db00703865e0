"""What an archive of DocC says in its JSON, as HTML: declarations, paragraphs, lists, tables, code."""

from __future__ import annotations

from html import escape
from typing import Callable

from page import code, heading, slug, table

# The path of what an identifier names, on the page that is made; None if no page has it.
Find = Callable[[str], "str | None"]
MARKS = {"emphasis": "em", "strong": "strong", "newTerm": "em", "inlineHead": "strong", "strikethrough": "s",
         "subscript": "sub", "superscript": "sup"}
# Headings of every page, which say nothing.
EMPTY = {"Overview", "Discussion"}


class Text:
    """The texts of one page of the archive, which names in its references what it speaks of.

    - level: the level of the heading above.
    - taken: the anchors that the page has.
    """

    def __init__(self, references: dict, find: Find, level: int, taken: set[str]):
        self.references, self.find, self.level, self.taken = references, find, level, taken
        # The level of the last heading that is left out: those below it move up.
        self.left_out = 0

    def inline(self, parts: list[dict]) -> str:
        return "".join(self.part(part) for part in parts)

    def part(self, part: dict) -> str:
        kind = part["type"]
        if kind == "text":
            return escape(part["text"], quote=False)
        if kind == "codeVoice":
            return f"<code>{escape(part['code'], quote=False)}</code>"
        if kind == "reference":
            return self.reference(part["identifier"])
        if kind == "link":
            return f'<a href="{escape(part["destination"])}">{escape(part["title"])}</a>'
        if kind in MARKS:
            return f"<{MARKS[kind]}>{self.inline(part['inlineContent'])}</{MARKS[kind]}>"
        raise SystemExit(f"site: the archive has a kind of text that Site/docc.py does not know: {kind}")

    def reference(self, identifier: str) -> str:
        known = self.references.get(identifier, {})
        title = escape(known.get("title", identifier.rpartition("/")[2]), quote=False)
        words = f"<code>{title}</code>" if known.get("kind") != "article" else title
        # A page elsewhere is named by its address.
        place = self.find(identifier) or (known.get("url") if known.get("type") == "link" else None)
        return f'<a href="{escape(place)}">{words}</a>' if place else words

    def declaration(self, tokens: list[dict]) -> str:
        def shown(token: dict) -> str:
            place = self.find(token.get("identifier", ""))
            text = escape(token["text"], quote=False)
            return f'<a href="{escape(place)}">{text}</a>' if place else text

        return f'<pre tabindex="0"><code class="language-swift">{"".join(map(shown, tokens))}</code></pre>\n'

    def blocks(self, blocks: list[dict]) -> str:
        return "".join(self.block(block) for block in blocks)

    def block(self, block: dict) -> str:
        kind = block["type"]
        if kind == "paragraph":
            return f"<p>{self.inline(block['inlineContent'])}</p>\n"
        if kind == "heading":
            if block["text"] in EMPTY:
                self.left_out = block["level"]
                return ""
            if block["level"] <= self.left_out:
                self.left_out = 0
            level = max(self.level + 1, min(4, block["level"] - (1 if self.left_out else 0)))
            return heading(level, block["text"], slug(block["text"], self.taken))
        if kind == "codeListing":
            return code("\n".join(block["code"]) + "\n", block.get("syntax") or "")
        if kind == "aside":
            name = escape(block.get("name") or block["style"].capitalize())
            return f'<div class="aside"><p><strong>{name}</strong></p>\n{self.blocks(block["content"])}</div>\n'
        if kind in ("unorderedList", "orderedList"):
            tag = "ul" if kind == "unorderedList" else "ol"
            items = "".join(f"<li>{self.blocks(item['content'])}</li>\n" for item in block["items"])
            return f"<{tag}>\n{items}</{tag}>\n"
        if kind == "termList":
            return "<dl>\n" + "".join(
                f"<dt>{self.inline(item['term']['inlineContent'])}</dt><dd>{self.blocks(item['definition']['content'])}</dd>\n"
                for item in block["items"]) + "</dl>\n"
        if kind == "table":
            return self.rows(block)
        if kind == "links":
            return "<ul>\n" + "".join(f"<li>{self.reference(item)}</li>\n" for item in block["items"]) + "</ul>\n"
        raise SystemExit(f"site: the archive has a kind of block that Site/docc.py does not know: {kind}")

    def rows(self, block: dict) -> str:
        def row(cells: list, tag: str) -> str:
            return "<tr>" + "".join(f"<{tag}>{self.blocks(cell)}</{tag}>" for cell in cells) + "</tr>\n"

        first, *others = block["rows"] if block.get("header") in ("row", "both") else [None, *block["rows"]]
        head = f"<thead>\n{row(first, 'th')}</thead>\n" if first else ""
        return table(f"<table>\n{head}<tbody>\n{''.join(row(cells, 'td') for cells in others)}</tbody>\n</table>\n")

    def content(self, section: dict) -> str:
        """One of the sections that make up an entry."""
        kind = section["kind"]
        if kind == "declarations":
            return "".join(self.declaration(each["tokens"]) for each in section["declarations"])
        if kind == "parameters":
            return "<dl>\n" + "".join(
                f"<dt><code>{escape(each['name'])}</code></dt><dd>{self.blocks(each['content'])}</dd>\n"
                for each in section["parameters"]) + "</dl>\n"
        return self.blocks(section.get("content", []))
