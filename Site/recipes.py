"""A page for each built-in recipe: what `carryover recipe explain` says of it, and its file."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Callable

from page import Page, code, heading, relative, slug, table


@dataclass
class Recipe:
    id: str
    title: str
    version: int
    explained: str
    file: str
    source: str

    @property
    def path(self) -> str:
        return f"recipes/{self.id}.html"


def read(root: Path, said: Callable[..., str]) -> list[Recipe]:
    found = []
    for item in json.loads(said("recipe", "list", "--json"))["recipes"]:
        source = f"Recipes/{item['id']}.recipe.yaml"
        found.append(Recipe(
            item["id"], item["title"], item["version"], said("recipe", "explain", item["id"]), (root / source).read_text(), source))
    return found


def page(recipe: Recipe) -> Page:
    taken: set[str] = set()

    def section(title: str) -> str:
        return heading(2, title, slug(title, taken))

    # The first two lines are the id and the title.
    paragraphs = "\n".join(recipe.explained.splitlines()[2:])
    parts = [
        heading(1, recipe.title, slug(recipe.title, taken)),
        f'<p class="lead"><code>{escape(recipe.id)}</code>, version {recipe.version}</p>\n',
    ]
    # A line that ends in a colon has a list below it; what is indented keeps its lines.
    for block in re.split(r"\n\n+", paragraphs.strip("\n")):
        first, _, others = block.partition("\n")
        if first.startswith(" "):
            parts.append(code(dedented(block), wraps=True))
        elif others.startswith(" "):
            parts += [section(first.rstrip(":")), code(dedented(others), wraps=True)]
        else:
            parts.append(f"<p>{escape(block, quote=False)}</p>\n")
    parts += [section("The file"), f"<p><code>{escape(recipe.source)}</code></p>\n", code(recipe.file, "yaml")]
    return Page(recipe.path, recipe.title, "".join(parts), recipe.source, under="recipes/index.html")


def dedented(block: str) -> str:
    return re.sub(r"^  ", "", block, flags=re.MULTILINE) + "\n"


def index(recipes: list[Recipe]) -> Page:
    path = "recipes/index.html"
    rows = "".join(
        f'<tr><td><a href="{escape(relative(each.path, path))}">{escape(each.title)}</a></td>'
        f"<td><code>{escape(each.id)}</code></td><td>{each.version}</td></tr>\n" for each in recipes)
    head = "<thead><tr><th>recipe</th><th>id</th><th>version</th></tr></thead>\n"
    body = (
        heading(1, "Built-in recipes", "built-in-recipes")
        + f"<p>What each migrates, rule by rule, and its file. To make your own: "
        f'<a href="{relative("guides/writearecipe.html", path)}">Write a recipe</a>.</p>\n'
        + table(f"<table>\n{head}<tbody>\n{rows}</tbody>\n</table>\n"))
    return Page(path, "Built-in recipes", body)
