"""Markdown, as the repository's pages use it, as HTML. HTML in it is text, but for <kbd>."""

from __future__ import annotations

import re
from html import escape
from typing import Protocol

from markdown_it import MarkdownIt
from markdown_it.token import Token

from page import code, heading, slug, table

KEY = re.compile(r"<kbd>([^<>]+)</kbd>")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


class Links(Protocol):
    """Where the links and pictures of one text lead."""

    def link(self, target: str) -> str | None:
        """The target on the page, or None if the site does not have it."""

    def code(self, text: str) -> str | None:
        """Where code leads that names something with a page, such as a finding."""

    def picture(self, target: str, words: str) -> str | None:
        """A picture with its words, as HTML."""

    def elsewhere(self, target: str) -> str:
        """What a text says of a target that the site does not have."""


def key(state, silent: bool) -> bool:
    found = KEY.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.push("key", "kbd", 0).content = found.group(1)
    state.pos = found.end()
    return True


def parser() -> MarkdownIt:
    result = MarkdownIt("commonmark", {"html": False}).enable("table")
    result.inline.ruler.before("autolink", "key", key)
    for name, rule in {
        "key": lambda self, tokens, index, options, env: f"<kbd>{escape(tokens[index].content)}</kbd>",
        "ready": lambda self, tokens, index, options, env: tokens[index].content,
        "fence": lambda self, tokens, index, options, env: code(tokens[index].content, tokens[index].info.strip()),
        "code_block": lambda self, tokens, index, options, env: code(tokens[index].content),
    }.items():
        result.add_render_rule(name, rule)
    return result


PARSER = parser()


def ready(content: str) -> Token:
    """A token that is HTML already."""
    return Token("ready", "", 0, content=content)


def words(token: Token) -> str:
    """The text of a heading, a link or a picture, without its marks."""
    return "".join(child.content if not child.children else words(child) for child in token.children or [])


def rendered(text: str, links: Links) -> tuple[str, str]:
    """A text's title, from its heading of the first level, and the text with that heading as HTML."""
    tokens = PARSER.parse(text)
    taken: set[str] = set()
    result: list[Token] = []
    title, index = "", 0
    while index < len(tokens):
        token, inline = tokens[index], tokens[index + 1] if index + 1 < len(tokens) else None
        if token.type == "heading_open":
            level, said = int(token.tag[1]), words(inline)
            title = title or said
            result.append(ready(heading(level, said, slug(said, taken), inner(inline, links, link_code=False))))
            index += 3
        elif token.type == "paragraph_open" and COMMENT.fullmatch(inline.content):
            index += 3
        elif token.type == "paragraph_open" and [child.type for child in inline.children] == ["image"]:
            image = inline.children[0]
            result.append(ready(links.picture(str(image.attrs["src"]), words(image)) or escape(words(image))))
            index += 3
        elif token.type == "table_open":
            end = next(number for number in range(index, len(tokens)) if tokens[number].type == "table_close")
            result.append(ready(table(rows(tokens[index:end + 1], links))))
            index = end + 1
        else:
            result.append(ready(inner(token, links)) if token.type == "inline" else token)
            index += 1
    return title, PARSER.renderer.render(result, PARSER.options, {})


def rows(tokens: list[Token], links: Links) -> str:
    """A table. A head without a word is none."""
    head = next((number for number, token in enumerate(tokens) if token.type == "thead_close"), 0)
    if not any(token.content for token in tokens[:head] if token.type == "inline"):
        tokens = tokens[:1] + tokens[head + 1:]
    return PARSER.renderer.render(
        [ready(inner(token, links)) if token.type == "inline" else token for token in tokens], PARSER.options, {})


def inner(inline: Token, links: Links, link_code: bool = True) -> str:
    """Text in a line. A link that leads to nothing in the site is its words, and where that is in the repository."""
    result: list[Token] = []
    open_links: list[str | None] = []
    for token in inline.children or []:
        if token.type == "link_open":
            target = str(token.attrs["href"])
            found = links.link(target)
            open_links.append(None if found else links.elsewhere(target))
            if found:
                token.attrs = {"href": found}
                result.append(token)
        elif token.type == "link_close":
            said = open_links.pop()
            result.append(token if said is None else ready(said))
        elif token.type == "image":
            picture = links.picture(str(token.attrs["src"]), words(token))
            result.append(ready(picture or escape(words(token))))
        elif token.type == "code_inline" and link_code and not open_links and (place := links.code(token.content)):
            result.append(ready(f'<a href="{escape(place)}"><code>{escape(token.content, quote=False)}</code></a>'))
        else:
            result.append(token)
    return PARSER.renderer.render(result, PARSER.options, {})
