"""Whether everything has its page: each finding, each recipe, each guide, each library, each screen."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import contents
from pages import Read


def problems(root: Path, binary: Path, archives: Path, files: dict[str, bytes], read: dict[str, Read]) -> list[str]:
    def said(*arguments: str) -> str:
        return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout

    found = []
    codes = [finding["code"] for finding in json.loads(said("explain", "--json"))["findings"]]
    lint = re.findall(r"^\| `(R\d+)` \|", (root / "Documentation/LintARecipe.md").read_text(), re.MULTILINE)
    for code in [*codes, *lint]:
        found += lacking(read, f"findings/{code}.html", code)
    if not codes or not lint:
        found.append("there are no findings, or no codes of lint")
    # Of a few, every word that the terminal shows.
    for code in [*codes[:3], *codes[-3:], *lint[:3], *lint[-3:]]:
        page = read.get(f"findings/{code}.html")
        shown = "" if page is None else plain("".join(page.words))
        found += [f"findings/{code}.html does not say “{word}”" for word in plain(said("explain", code)).split() if word not in shown]
    for recipe in json.loads(said("recipe", "list", "--json"))["recipes"]:
        path = f"recipes/{recipe['id']}.html"
        found += lacking(read, path, recipe["id"])
        file = (root / f"Recipes/{recipe['id']}.recipe.yaml").read_text()
        if path in read and file not in "".join(read[path].words):
            found.append(f"{path} does not have the recipe's file")
    for source in ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md",
                   *(f"Documentation/{path.name}" for path in (root / "Documentation").glob("*.md"))]:
        path = contents.INSTEAD.get(source) or contents.place(source)
        found += lacking(read, path, (root / source).read_text().splitlines()[0].lstrip("# "))
    for archive in archives.glob("*.doccarchive"):
        found += lacking(read, f"libraries/{archive.stem.lower()}.html", archive.stem)
    for path in (root / "Screens").iterdir():
        if path.suffix == ".svg" and f"screens/{path.name}" not in files:
            found.append(f"screens/{path.name} is not there")
        elif path.suffix == ".svg" and b" infinite" in files[f"screens/{path.name}"]:
            found.append(f"screens/{path.name} plays without an end")
        if path.suffix == ".txt" and path.read_text() not in "".join(read["screens/index.html"].words):
            found.append(f"screens/index.html does not have {path.name}")
    # The list on each page leads to all that has a place of its own in it.
    home = read["index.html"]
    linked = {home.target(link["href"])[0] for link in home.named("a") if link.get("href") and "nav" in link["inside"]}
    found += [f"the list of all pages does not have {path}" for path in read
              if not path.startswith(("findings/", "recipes/", "libraries/")) and path not in linked]
    return found


def lacking(read: dict[str, Read], path: str, words: str) -> list[str]:
    if path not in read:
        return [f"there is no {path}"]
    return [] if words in "".join(read[path].words) else [f"{path} does not say “{words}”"]


def plain(text: str) -> str:
    """Words without the signs of Markdown and punctuation beside them, which a terminal and a page set differently."""
    return re.sub(r"[^\w.’'-]+", " ", text)
