"""What a page consists of: its sections, each with its heading, its anchor and its text."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from html.parser import HTMLParser

# Between these, words are apart although no space is between them.
BLOCKS = {"p", "li", "td", "th", "tr", "pre", "div", "dt", "dd", "summary", "figure", "br"}


@dataclass
class Section:
    level: int
    anchor: str
    title: str = ""
    text: str = ""


class Outline(HTMLParser):
    """Reads the body of a page. The sign beside a heading that links to it is no part of the text."""

    def __init__(self, body: str):
        super().__init__()
        self.sections: list[Section] = []
        self.in_heading = self.in_anchor = False
        self.feed(body)
        self.close()
        for section in self.sections:
            section.title, section.text = (re.sub(r"\s+", " ", text).strip() for text in (section.title, section.text))

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        if re.fullmatch(r"h[1-4]", tag):
            self.sections.append(Section(int(tag[1]), known.get("id") or ""))
            self.in_heading = True
        elif tag == "a" and known.get("class") == "anchor":
            self.in_anchor = True
        elif tag in BLOCKS:
            self.handle_data(" ")

    def handle_endtag(self, tag):
        if re.fullmatch(r"h[1-4]", tag):
            self.in_heading = False
        elif tag == "a":
            self.in_anchor = False

    def handle_data(self, data):
        if self.in_anchor or not self.sections:
            return
        if self.in_heading:
            self.sections[-1].title += data
        else:
            self.sections[-1].text += data


@functools.cache
def sections(body: str) -> list[Section]:
    return Outline(body).sections
