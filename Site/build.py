"""All files of the site, by their paths in it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import contents
import findings
import guides
import recipes
import reference
import screens
import search
from page import Frame, Page, html

HERE = Path(__file__).resolve().parent
ASSETS = ("site.css", "icon.svg", "search.js")


def files(root: Path, binary: Path, archives: Path) -> dict[str, bytes]:
    """
    - root: the repository.
    - archives: the folder of the libraries' archives, which may be absent.
    """

    def said(*arguments: str) -> str:
        return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout

    every = findings.read(root, said)
    built_in = recipes.read(root, said)
    libraries = reference.Libraries.read(archives)
    places = guides.Places(root, [finding.code for finding in every])
    places.places |= {recipe.source: recipe.path for recipe in built_in} | libraries.articles(root)
    places.codes |= libraries.modules()
    guide_pages = [guides.page(places, source) for source in contents.guides(root)]

    def links(page: str) -> guides.GuideLinks:
        return guides.GuideLinks(places, "Documentation/Findings.md", page)

    made: list[Page] = [
        findings.index(every, links("findings/index.html")), *[findings.page(finding, links(finding.path)) for finding in every],
        recipes.index(built_in), *[recipes.page(recipe) for recipe in built_in],
        *libraries.pages(), screens.page(root),
    ]
    pages = [*guide_pages, *made, search.page()]
    paths = {page.path for page in pages}
    names = {page.path: page.title for page in pages} | contents.NAMES
    groups = [(group, [(path, names[path]) for source in sources if (path := places.places.get(source, source)) in paths])
              for group, sources in contents.GROUPS.items()]
    frame = Frame(groups, said("--version").strip())
    result = {page.path: html(page, frame).encode() for page in pages}
    # A film beside a text plays once: what moves longer than five seconds must stop.
    result |= {place: (root / source).read_bytes().replace(b" step-end infinite}", b" step-end}") for source, place in places.copied.items()}
    result |= {name: (HERE / name).read_bytes() for name in ASSETS}
    result["search-index.js"] = search.index([*guide_pages, *made])
    if double := len(pages) - len(paths):
        raise SystemExit(f"site: {double} pages have the path of another")
    return dict(sorted(result.items()))
