"""What the site has beside the pages of Documentation: reference that the command prints of itself (findings, keys, built-in
recipes), a page for each JSON document, from its schema, the recorded screens, and the pages of the libraries, if
`Scripts/docs.sh` has made them. A link to something else in the repository leads to its source; a finding, a JSON document or a
built-in recipe that a page names in code leads to its own page."""

import html
import json
import os
import posixpath
import re
import shutil
import subprocess
from pathlib import Path

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
COMMAND = os.environ.get("CARRYOVER") or ROOT / ".build/debug/carryover"
LIBRARIES = ROOT / ".build/documentation/site"
SCHEMAS = ROOT / "Documentation/Schemas"
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s#]+)((?:#[^)\s]*)?)\)")
# The site has a page's contents beside it.
CONTENTS = re.compile(r"^(?:\* \[.+\]\(#.+\)\n)+\n", re.MULTILINE)
# Code in a line of text, but not in a heading or as the words of a link.
NAMED = re.compile(r"(?<![\[`])`([^`\n]+)`(?![\]`])")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


def said(*arguments: str) -> str:
    return subprocess.run([COMMAND, *arguments], check=True, capture_output=True, text=True).stdout


def on_config(config):
    """Makes the generated pages, and puts them into the navigation."""
    recipes = json.loads(said("recipe", "list", "--json"))["recipes"]
    pages = {"keys.md": CONTENTS.sub("", said("config", "keys", "--markdown"), count=1)}
    # Where a name in code leads.
    named = {"carryover explain": "findings/index.md", "carryover config keys": "keys.md", "carryover recipe list": "recipes/index.md"}

    pages["recipes/index.md"] = "# Built-in recipes\n\nWhat each migrates, rule by rule, and its file. To make your own: " \
        "[Write a recipe](../WriteARecipe.md).\n\n| recipe | id | version |\n|---|---|---|\n" \
        + "".join(f"| [{recipe['title']}]({recipe['id']}.md) | `{recipe['id']}` | {recipe['version']} |\n" for recipe in recipes)
    for recipe in recipes:
        pages[f"recipes/{recipe['id']}.md"] = recipe_page(recipe)
        named[recipe["id"]] = f"recipes/{recipe['id']}.md"

    head, *groups = re.split(r"(?=^## )", said("explain", "--markdown"), flags=re.MULTILINE)
    rows, group_pages = [], []
    for group in groups:
        title, _, body = group.partition("\n")
        name, _, what = title.removeprefix("## ").partition(": ")
        path = f"findings/{name}.md"
        group_pages.append({f"{name}: {what}": path})
        pages[path] = f"# Findings: {what}\n" + re.sub(r"^### ", "## ", body, flags=re.MULTILINE)
        for code, weight, what_it_is in re.findall(r"^### `(\S+)`\n\n\*\*(.+?)\*\*: (.+?)\n\n", group, re.MULTILINE | re.DOTALL):
            anchor = "#" + code.replace(".", "")
            named[code] = path + anchor
            rows.append(f"| [`{code}`]({name}.md{anchor}) | {weight} | {' '.join(what_it_is.split())} |\n")
    pages["findings/index.md"] = re.split(r"^\* \[", head, maxsplit=1, flags=re.MULTILINE)[0] + "\n| code | severity | what |\n|---|---|---|\n" + "".join(rows)

    documents = []
    for path in sorted(SCHEMAS.glob("*-1.json")):
        schema = json.loads(path.read_text())
        name = path.stem.removesuffix("-1")
        documents.append((name, schema["title"]))
        pages[f"json/{name}.md"] = document_page(name, schema)
        named[f"carryover.{name}/1"] = f"json/{name}.md"
    pages["json/index.md"] = "# JSON documents\n\nThe conventions are those of [the command](../Command.md#json).\n\n| document | what |\n|---|---|\n" \
        + "".join(f"| [`carryover.{name}/1`]({name}.md) | {title} |\n" for name, title in documents)

    config.generated, config.named = pages, named
    sections = {title: listed for section in config.nav for title, listed in section.items()}
    config.guides = {page for title in ("Support", "Release", "In an app", "SDKs", "Recipes") for page in sections[title]}
    sections["Reference"] += [
        {"Findings": ["findings/index.md", *group_pages]}, {"Keys": "keys.md"},
        {"Built-in recipes": ["recipes/index.md", *(f"recipes/{recipe['id']}.md" for recipe in recipes)]},
        {"JSON documents": ["json/index.md", *({name: f"json/{name}.md"} for name, _ in documents)]}]
    if LIBRARIES.exists():
        sections["In an app"].append("libraries.md")
    return config


def on_files(files, config):
    def add(name: str, **source: str) -> None:
        files.append(File.generated(config, name, **source))

    for file in [file for file in files if file.src_uri.startswith("Schemas/")]:
        files.remove(file)
    for name in ("site.css", "search.js"):
        add(name, abs_src_path=str(ROOT / "Site" / name))
    for picture in sorted((ROOT / "Screens").glob("*.svg")):
        add(f"Screens/{picture.name}", abs_src_path=str(picture))
    for name, text in config.generated.items():
        add(name, content=text)
    if LIBRARIES.exists():
        modules = [path.stem for path in sorted((ROOT / ".build/documentation").glob("*.doccarchive"))]
        add("libraries.md", content="# The libraries\n\nThe types and functions of each module, and its articles.\n\n" + "".join(
            f'* <a href="libraries/documentation/{name.lower()}/"><code>{name}</code></a>\n' for name in modules))
    return files


def recipe_page(recipe: dict) -> str:
    """What the command says of a recipe, and its file. A line that ends in a colon has a list below it."""
    parts = [f"# {recipe['title']}", f"`{recipe['id']}`, version {recipe['version']}"]
    for block in re.split(r"\n\n+", "\n".join(said("recipe", "explain", recipe["id"]).splitlines()[2:]).strip("\n")):
        title, indented, rest = block.partition("\n  ") if not block.startswith("  ") else ("", True, block[2:])
        if indented:
            parts += [f"## {title.rstrip(':')}"] * bool(title)
            parts.append("```text\n" + rest.replace("\n  ", "\n") + "\n```")
        else:
            parts.append(re.sub(r"([\\`*_\[\]#])", r"\\\1", html.escape(block, quote=False)))
    return "\n\n".join([*parts, "## The file", "```yaml\n" + (ROOT / f"Recipes/{recipe['id']}.recipe.yaml").read_text() + "```\n"])


def document_page(name: str, schema: dict) -> str:
    """A JSON document: what its schema says, its members, and an example."""
    parts = [f"# `carryover.{name}/1`", schema["title"].rstrip(".") + ".", schema.get("description", "")]
    example = SCHEMAS / f"Examples/{name}-1.json"
    if example.exists():
        parts += ["## Example", "Shortened where it is long.", "```json\n" + example.read_text().rstrip() + "\n```"]
    if rows := members(schema, schema, "", ()):
        parts += ["## Members", "| member | type | what |\n|---|---|---|\n" + "\n".join(rows)]
    return "\n\n".join([part for part in parts if part] + [f"[The schema](../Schemas/{name}-1.json), for a program.\n"])


def members(schema: dict, root: dict, place: str, within: tuple[str, ...]) -> list[str]:
    rows = []
    for key, member in schema.get("properties", {}).items():
        path, inside = f"{place}.{key}" if place else key, within
        if reference := member.get("$ref", "").removeprefix("#/$defs/"):
            if reference in within:
                rows.append(f"| `{path}` | | the same again |")
                continue
            member, inside = root["$defs"][reference] | {"description": member.get("description", root["$defs"][reference].get("description", ""))}, (*within, reference)
        kinds = member.get("type", "")
        values = [member["const"]] if "const" in member else member.get("enum", [])
        what = member.get("description", "") + ("" if not values else " " + ", ".join(f"`{json.dumps(value)}`" for value in values))
        rows.append(f"| `{path}` | {kinds if isinstance(kinds, str) else ', '.join(kinds)} | {what.strip()} |".replace("\n", " "))
        items, end = (member["items"], "[]") if isinstance(member.get("items"), dict) else (member, "")
        if reference := items.get("$ref", "").removeprefix("#/$defs/"):
            if reference in inside:
                continue
            items, inside = root["$defs"][reference], (*inside, reference)
        rows += members(items, root, path + end, inside)
    return rows


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)
    # A search finds guides first, what lists last.
    lists = page.file.src_uri in config.generated and (folder != "findings" or page.file.name == "index")
    page.meta["search"] = {"boost": 3 if page.file.src_uri in config.guides else 0.3 if lists else 1}

    def led(match: re.Match) -> str:
        target, anchor = match.groups()
        path = posixpath.normpath(posixpath.join("Documentation", folder, target))
        inside = posixpath.relpath(path, "Documentation") if path.startswith("Documentation/") else path
        if files.get_file_from_path(inside):
            return f"]({posixpath.relpath(inside, folder or '.')}{anchor})"
        if path.startswith("..") or not (ROOT / path).exists():
            return match.group()
        return f"]({config.extra['repository']}/{'tree' if (ROOT / path).is_dir() else 'blob'}/main/{path}{anchor})"

    def linked(match: re.Match) -> str:
        target = config.named.get(match[1])
        return f"[{match[0]}]({posixpath.relpath(target, folder or '.')})" if target and not target.startswith(page.file.src_uri) else match[0]

    def text(part: str) -> str:
        return "\n".join(line if line.startswith("#") else NAMED.sub(linked, line) for line in LINK.sub(led, part).split("\n"))

    blocks = FENCE.findall(markdown)
    parts = FENCE.split(markdown)
    return "".join(text(part) + block for part, block in zip(parts, [*blocks, ""]))


def on_post_build(config):
    if LIBRARIES.exists():
        shutil.copytree(LIBRARIES, Path(config.site_dir, "libraries"))
