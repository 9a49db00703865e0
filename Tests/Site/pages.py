"""Every page: its language, headings, pictures, links, and that it needs neither script nor anything from elsewhere."""

from __future__ import annotations

import posixpath
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

VOID = {"meta", "link", "input", "img", "br", "hr", "path"}
# What may run: the search, on its page.
SCRIPTS = {"search.html": ["search-index.js", "search.js"]}
# Elements whose source a browser loads.
LOADS = {"img": "src", "script": "src", "link": "href", "source": "src", "iframe": "src", "object": "data", "embed": "src",
         "form": "action"}
POLICY = "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'"


class Read(HTMLParser):
    """What a page consists of."""

    def __init__(self, path: str, text: str):
        super().__init__()
        self.path, self.text = path, text
        self.tags: list[tuple[str, dict]] = []
        self.open: list[str] = []
        self.ids: list[str] = []
        self.wrong: list[str] = []
        self.title = ""
        self.words: list[str] = []
        self.feed(text)
        self.close()
        self.wrong += [f"<{tag}> has no end" for tag in self.open]

    def handle_starttag(self, tag, attributes):
        known = dict(attributes)
        self.tags.append((tag, {**known, "inside": tuple(self.open)}))
        self.ids += [known["id"]] if known.get("id") else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.wrong.append(f"</{tag}> ends <{self.open[-1] if self.open else ''}>")
        else:
            self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == "title":
            self.title += data
        self.words.append(data)

    def named(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.tags if name == tag]

    def target(self, link: str) -> tuple[str, str]:
        """The file and the anchor that a link on this page leads to."""
        parts = urlsplit(link)
        path = unquote(parts.path)
        return posixpath.normpath(posixpath.join(posixpath.dirname(self.path), path)) if path else self.path, unquote(parts.fragment)


def problems(page: Read) -> list[str]:
    found = list(page.wrong)
    levels = [int(tag[1]) for tag, attributes in page.tags if tag in ("h1", "h2", "h3", "h4") and "nav" not in attributes["inside"]]
    if levels.count(1) != 1 or levels[:1] != [1]:
        found.append(f"it has {levels.count(1)} headings of the first level, or another before it")
    found += [f"a heading of level {second} follows one of level {first}" for first, second in zip(levels, levels[1:]) if second > first + 1]
    found += [f"the anchor {name} is there twice" for name in {name for name in page.ids if page.ids.count(name) > 1}]
    if [attributes.get("lang") for attributes in page.named("html")] != ["en"]:
        found.append("it has no language")
    if not page.title.strip():
        found.append("it has no title")
    found += [f"a picture has no words: {image.get('src')}" for image in page.named("img") if not (image.get("alt") or "").strip()]
    found += [f"a field has no label: {field.get('name')}" for field in page.named("input") if not field.get("aria-label")]
    for tag, needed in (("main", "main"), ("nav", "pages")):
        if [attributes.get("id") for attributes in page.named(tag)] != [needed]:
            found.append(f"it does not have one <{tag}>")
    first = next((attributes for tag, attributes in page.tags if tag == "a"), {})
    if (first.get("class"), first.get("href")) != ("skip", "#main"):
        found.append("its first link does not skip to the text")
    found += ["a table does not scroll by itself" for table in page.named("table") if table["inside"][-1] != "div"]
    return [f"{page.path}: {problem}" for problem in found + closed(page)]


def closed(page: Read) -> list[str]:
    """What would run, or come from elsewhere."""
    found = []
    policies = [meta["content"] for meta in page.named("meta") if meta.get("http-equiv") == "Content-Security-Policy"]
    if policies != [POLICY + ("; script-src 'self'" if page.path in SCRIPTS else "")]:
        found.append(f"its policy is {policies}")
    if [posixpath.basename(script.get("src") or "") for script in page.named("script")] != SCRIPTS.get(page.path, []):
        found.append("it has a script")
    for tag, attributes in page.tags:
        found += [f"<{tag}> has {name}" for name in attributes if name.startswith("on") or name in ("style", "srcdoc", "srcset")]
        source = attributes.get(LOADS.get(tag, ""))
        if source and (urlsplit(source).scheme or urlsplit(source).netloc or source.startswith("/")):
            found.append(f"<{tag}> loads {source}")
        if tag in ("iframe", "object", "embed", "style", "base", "audio", "video"):
            found.append(f"it has a <{tag}>")
    return found


def broken(read: dict[str, Read], files: set[str]) -> list[str]:
    """Links that lead to no file, or to no anchor of a page."""
    found = []
    for page in read.values():
        for tag, attributes in page.tags:
            link = attributes.get("href" if tag in ("a", "link") else LOADS.get(tag, ""))
            if link is None:
                continue
            scheme = urlsplit(link).scheme
            if scheme:
                found += [f"{page.path}: a link leads to {link}"] if scheme not in ("https", "http", "mailto") else []
                continue
            path, anchor = page.target(link)
            if link.startswith("/") or path not in files:
                found.append(f"{page.path}: no file is at {link}")
            elif anchor and path in read and anchor not in read[path].ids:
                found.append(f"{page.path}: no anchor is at {link}")
    return found
