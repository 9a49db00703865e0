"""The order of the pages: which guides there are, in groups, and where each is in the site."""

from __future__ import annotations

from pathlib import Path

def _documents(*names: str) -> list[str]:
    return [f"Documentation/{name}.md" for name in names]


# A guide that is in no group fails the build. A path that ends in .html is a page that is made from something else.
GROUPS: dict[str, list[str]] = {
    "Start": ["README.md", *_documents("Install", "Screens"), "screens/index.html", "search.html"],
    "Use": _documents("Diagnose", "Review", "Stores", "Plan", "Runs", "Audit", "Fleet", "Privacy", "Safety", "Accessibility"),
    "What it opens": _documents("Containers", "Backups", "Archives", "PropertyLists"),
    "SDKs": _documents("SDKs", "RudderStack", "Amplitude", "Convert", "Mixpanel", "PostHog", "Segment", "Snowplow", "Statsig"),
    "Recipes": [*_documents("WriteARecipe", "TestARecipe", "LintARecipe", "Recipes", "RecipeConditions", "RecipeGenerations", "RecipeFamilies", "RecipeElsewhere"), "recipes/index.html"],
    "In an app": [*_documents("Library"), "libraries/index.html", "Examples/EmbeddedApp/README.md"],
    "Look up": ["findings/index.html", *_documents(
        "Command", "Keys", "Configuration", "JSON", "JSONPlans", "JSONRuns", "JSONAudits", "JSONRecipes", "Systems", "Terminals")],
    "Project": ["CHANGELOG.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "Examples/README.md", "Benchmarks/README.md"],
}
# The name of a page in the list of all pages, where its title says less.
NAMES = {"index.html": "What Carryover does"}
# What the site has in another form than as a guide.
INSTEAD = {"Documentation/Findings.md": "findings/index.html", "Recipes": "recipes/index.html"}


def place(source: str) -> str:
    """Where a guide is in the site."""
    name = Path(source)
    if source == "README.md":
        return "index.html"
    if name.name == "README.md":
        return f"{name.parent.name.lower()}.html"
    return f"guides/{name.stem.lower()}.html" if name.parent.name == "Documentation" else f"{name.stem.lower()}.html"


def guides(root: Path) -> list[str]:
    """Every guide by its path in the repository, in order."""
    listed = [source for group in GROUPS.values() for source in group if source.endswith(".md")]
    there = {f"Documentation/{path.name}" for path in (root / "Documentation").glob("*.md")} - set(INSTEAD)
    if missing := sorted(there - set(listed)):
        raise SystemExit(f"site: {', '.join(missing)}: in no group of Site/contents.py; add it to one")
    return listed
