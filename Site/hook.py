"""What the site has beside the pages of Documentation: the recorded screens, a page for each built-in recipe, as the command
explains it, and the pages of the libraries, if `Scripts/docs.sh` has made them. A link to something else in the repository
leads to its source."""

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
# The site has a page's contents beside it.
CONTENTS = re.compile(r"^(?:\* \[.+\]\(#.+\)\n)+\n", re.MULTILINE)
LINK = re.compile(r"\]\((?![a-z]+:|#)([^)\s#]+)((?:#[^)\s]*)?)\)")


def said(*arguments: str) -> str:
    return subprocess.run([COMMAND, *arguments], check=True, capture_output=True, text=True).stdout


def on_config(config):
    config.recipes = json.loads(said("recipe", "list", "--json"))["recipes"]
    sections = {title: pages for section in config.nav for title, pages in section.items()}
    sections["Recipes"].append({"Built-in recipes": ["recipes/index.md", *(f"recipes/{recipe['id']}.md" for recipe in config.recipes)]})
    if LIBRARIES.exists():
        sections["In an app"].append("libraries.md")
    return config


def on_files(files, config):
    def add(name: str, **source: str) -> None:
        files.append(File.generated(config, name, **source))

    add("site.css", abs_src_path=str(ROOT / "Site/site.css"))
    for picture in sorted((ROOT / "Screens").glob("*.svg")):
        add(f"Screens/{picture.name}", abs_src_path=str(picture))
    rows = "".join(f"| [{recipe['title']}]({recipe['id']}.md) | `{recipe['id']}` | {recipe['version']} |\n" for recipe in config.recipes)
    add("recipes/index.md", content=f"# Built-in recipes\n\nWhat each migrates, rule by rule, and its file. To make your own: "
                                    f"[Write a recipe](../WriteARecipe.md).\n\n| recipe | id | version |\n|---|---|---|\n{rows}")
    for recipe in config.recipes:
        add(f"recipes/{recipe['id']}.md", content=recipe_page(recipe))
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


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname(page.file.src_uri)

    def led(match: re.Match) -> str:
        target, anchor = match.groups()
        path = posixpath.normpath(posixpath.join("Documentation", folder, target))
        inside = posixpath.relpath(path, "Documentation") if path.startswith("Documentation/") else path
        if files.get_file_from_path(inside):
            return f"]({posixpath.relpath(inside, folder or '.')}{anchor})"
        if path.startswith("..") or not (ROOT / path).exists():
            return match.group()
        return f"]({config.extra['repository']}/{'tree' if (ROOT / path).is_dir() else 'blob'}/main/{path}{anchor})"

    return LINK.sub(led, CONTENTS.sub("", markdown, count=1))


def on_post_build(config):
    if LIBRARIES.exists():
        shutil.copytree(LIBRARIES, Path(config.site_dir, "libraries"))
