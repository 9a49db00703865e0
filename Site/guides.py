"""The guides: the Markdown of the repository, with links that lead from page to page of the site."""

from __future__ import annotations

import posixpath
import re
from html import escape
from pathlib import Path

import contents
import screens
from markdown import rendered
from page import Page, relative, slug

LINKED = ("http", "https", "mailto")


class Places:
    """Where the files of the repository are in the site."""

    def __init__(self, root: Path, findings: list[str]):
        self.root = root
        self.places = {source: contents.place(source) for source in contents.guides(root)} | contents.INSTEAD
        # What code in a text may name.
        self.codes = {code: f"findings/{code}.html" for code in findings}
        # The guide has a heading for each.
        self.findings = {slug(code): place for code, place in self.codes.items()}
        # Files that are in the site as they are.
        self.copied: dict[str, str] = {}
        for folder, name, target in (("Documentation/Schemas", "*.json", "schemas"), ("Screens", "*.svg", "screens")):
            self.copied |= {f"{folder}/{path.name}": f"{target}/{path.name}" for path in sorted((root / folder).glob(name))}
        self.places |= self.copied

    def find(self, path: str, anchor: str) -> str | None:
        if path in contents.INSTEAD and anchor in self.findings:
            return self.findings[anchor]
        found = self.places.get(path)
        return found and (f"{found}#{anchor}" if anchor else found)


class GuideLinks:
    """The links of one text of the repository, on one page."""

    def __init__(self, places: Places, source: str, page: str):
        self.places, self.source, self.page = places, source, page

    def path(self, target: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.source), target.partition("#")[0]))

    def link(self, target: str) -> str | None:
        if target.startswith("#"):
            return target
        scheme = re.match(r"([A-Za-z][\w+.-]*):", target)
        if scheme or target.startswith("/"):
            return target if scheme and scheme.group(1).lower() in LINKED else None
        found = self.places.find(self.path(target), target.partition("#")[2])
        return found and relative(found, self.page)

    def code(self, text: str) -> str | None:
        place = self.places.codes.get(text)
        return relative(place, self.page) if place and place != self.page else None

    def picture(self, target: str, words: str) -> str | None:
        place = self.places.places.get(self.path(target))
        if not place:
            return None
        return screens.figure(self.places.root / self.path(target), relative(place, self.page), words)

    def elsewhere(self, target: str) -> str:
        path = self.path(target)
        return f" (<code>{escape(path)}</code>)" if (self.places.root / path).exists() and not path.startswith("..") else ""


def page(places: Places, source: str) -> Page:
    path = places.places[source]
    title, body = rendered((places.root / source).read_text(), GuideLinks(places, source, path))
    return Page(path, title, body, source)
