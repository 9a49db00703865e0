"""The libraries, from the archives that `make docs` has made: a page for each module, type and article, with the
members of a type on its page. DocC's own pages need a server and JavaScript."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

from docc import Text
from page import Page, heading, relative, slug, table

INDEX = "libraries/index.html"
# All else is a member, and part of another's page.
PAGES = {"module", "struct", "enum", "class", "actor", "protocol", "extension"}
# Every type conforms to it.
UNSAID = {"Swift.SendableMetatype"}


class Libraries:
    """Every entry of the archives by its identifier, and where it is in the site."""

    def __init__(self, entries: dict[str, dict]):
        self.entries = {identifier: entry for identifier, entry in entries.items() if not self.is_inherited(entry)}
        self.members: dict[str, list[str]] = {}
        self.places: dict[str, str] = {}
        self.taken: dict[str, set[str]] = {}
        owners = {self.url(entry): identifier for identifier, entry in self.entries.items() if self.has_page(entry)}
        for identifier in owners.values():
            self.places[identifier] = f"libraries{self.url(self.entries[identifier])}.html"
            self.taken[identifier] = {slug(self.entries[identifier]["metadata"]["title"])}
        for identifier, entry in sorted(self.entries.items()):
            if identifier in self.places:
                continue
            owner = owners[next(above for above in self.above(self.url(entry)) if above in owners)]
            name = re.sub(r"[^\w]+", "-", identifier.rpartition("/")[2]).strip("-") or "operator"
            self.members.setdefault(owner, []).append(identifier)
            self.places[identifier] = f"{self.places[owner]}#{slug(name, self.taken[owner])}"

    @staticmethod
    def read(folder: Path) -> "Libraries":
        entries = {}
        for path in sorted(folder.glob("*.doccarchive/data/documentation/**/*.json")):
            entry = json.loads(path.read_text())
            entries[entry["identifier"]["url"]] = entry
        return Libraries(entries)

    @staticmethod
    def url(entry: dict) -> str:
        """The path of an entry below /documentation."""
        return entry["variants"][0]["paths"][0].removeprefix("/documentation")

    @staticmethod
    def above(url: str):
        while url := url.rpartition("/")[0]:
            yield url

    @staticmethod
    def has_page(entry: dict) -> bool:
        return entry["metadata"]["role"] == "article" or entry["metadata"].get("symbolKind") in PAGES

    @staticmethod
    def is_inherited(entry: dict) -> bool:
        """Whether an entry is what each type of a protocol has, such as != of all that has ==, or a list of such."""
        return entry["metadata"]["role"] == "collectionGroup" or "::SYNTHESIZED::" in entry["metadata"].get("externalID", "")

    def modules(self) -> dict[str, str]:
        """The pages of the modules, by their names."""
        return {entry["metadata"]["title"]: self.places[identifier] for identifier, entry in self.entries.items()
                if entry["metadata"].get("symbolKind") == "module"}

    def articles(self, root: Path) -> dict[str, str]:
        """The pages of the catalogs, by their paths in the repository."""
        titles = {self.url(entry): self.places[identifier] for identifier, entry in self.entries.items() if self.has_page(entry)}
        found = {}
        for path in sorted((root / "Sources").glob("*/*.docc/*.md")):
            module = path.parent.stem.lower()
            place = titles.get(f"/{module}" if path.stem == path.parent.stem else f"/{module}/{path.stem.lower()}")
            if place:
                found[str(path.relative_to(root))] = place
        return found

    def pages(self) -> list[Page]:
        return [*([self.index()] if self.entries else []),
                *(self.page(identifier) for identifier in sorted(self.entries) if self.has_page(self.entries[identifier]))]

    def index(self) -> Page:
        rows = []
        for identifier, entry in sorted(self.entries.items()):
            if entry["metadata"].get("symbolKind") == "module":
                text = self.text(entry, INDEX, 1, set()).inline(entry.get("abstract", []))
                rows.append(f'<tr><td><a href="{escape(relative(self.places[identifier], INDEX))}"><code>'
                            f"{escape(entry['metadata']['title'])}</code></a></td><td>{text}</td></tr>\n")
        head = "<thead><tr><th>module</th><th>contains</th></tr></thead>\n"
        lead = f'<p>Every public declaration. <a href="{relative("guides/library.html", INDEX)}">The library</a> says which ' \
               "product to import for what.</p>\n"
        body = heading(1, "Libraries", "libraries") + lead + table(f"<table>\n{head}<tbody>\n{''.join(rows)}</tbody>\n</table>\n")
        return Page(INDEX, "Libraries", body)

    def text(self, entry: dict, page: str, level: int, taken: set[str]) -> Text:
        def find(identifier: str) -> str | None:
            name, sign, anchor = identifier.partition("#")
            place = self.places.get(name)
            return relative(place + sign + anchor.lower(), page) if place else None

        return Text(entry["references"], find, level, taken)

    def page(self, identifier: str) -> Page:
        entry = self.entries[identifier]
        data, path = entry["metadata"], self.places[identifier]
        taken = set(self.taken[identifier])
        text = self.text(entry, path, 1, taken)
        title = data["title"]
        module = data["modules"][0]["name"] if data.get("modules") else None
        parts = [heading(1, title, slug(title), escape(title) if data["role"] == "article" else f"<code>{escape(title)}</code>")]
        if data.get("symbolKind") not in (None, "module"):
            words = escape(data.get("roleHeading", ""))
            parts.append(f"<p>{words}, module <a href=\"{escape(relative(f'libraries/{module.lower()}.html', path))}\">{escape(module)}</a></p>\n")
        parts += [self.described(entry, text), self.relations(entry, text)]
        shown: set[str] = set()
        for section in [*entry.get("topicSections", []), {"title": "Others", "identifiers": self.members.get(identifier, [])}]:
            inner = self.topics(section["identifiers"], identifier, path, text, taken, shown)
            if inner:
                parts += [heading(2, section["title"], slug(section["title"], taken)), inner]
        return Page(path, title, "".join(parts), under=INDEX)

    def described(self, entry: dict, text: Text) -> str:
        abstract = text.inline(entry.get("abstract", []))
        sections = entry.get("primaryContentSections", [])
        first = [text.content(section) for section in sections if section["kind"] == "declarations"]
        others = [text.content(section) for section in sections if section["kind"] != "declarations"]
        return "".join([*first, f"<p>{abstract}</p>\n" if abstract else "", *others])

    def relations(self, entry: dict, text: Text) -> str:
        lines = []
        for section in entry.get("relationshipsSections", []):
            names = [text.reference(each) for each in section["identifiers"]
                     if entry["references"].get(each, {}).get("title") not in UNSAID]
            if names:
                lines.append(f"<p>{escape(section['title'].capitalize())}: {', '.join(names)}</p>\n")
        return "".join(lines)

    def topics(self, identifiers: list[str], owner: str, path: str, text: Text, taken: set[str], shown: set[str]) -> str:
        """Members in full, and what has a page of its own in a line."""
        parts, lines = [], []
        for identifier in identifiers:
            entry = self.entries.get(identifier)
            if entry is None or identifier in shown:
                continue
            shown.add(identifier)
            if identifier not in self.members.get(owner, []):
                words = self.text(entry, path, 1, taken).inline(entry.get("abstract", []))
                lines.append(f"<li>{text.reference(identifier)}{': ' + words if words else ''}</li>\n")
                continue
            title, anchor = entry["metadata"]["title"], self.places[identifier].partition("#")[2]
            own = self.text(entry, path, 3, taken)
            parts.append(heading(3, title, anchor, f"<code>{escape(title)}</code>") + self.described(entry, own))
        return ("<ul>\n" + "".join(lines) + "</ul>\n" if lines else "") + "".join(parts)
