"""One container for every finding code, in the order of the codes, and an index of them."""

from .basics import Example, Files, text
from .findings_sdks import BETA, CONVERT, SDKS
from .findings_stores import CONSENT, DROPPED, LIVE, SOURCE, TARGETS
from .findings_values import APP, IDENTITY, SESSION, TRAITS
from .people import person


def with_person(code: str, change: str, model: bytes) -> Example:
    return Example(code, change, person(model), write_key=None, more_options=("--recipe", "person"))


# These start from `Person`, not from `Clean`.
MODELS = [
    with_person("model.corrupt", "The person ends in the middle of its JSON.", b'{"name":"John Doe","ag'),
    with_person(
        "model.newer-version", "The person is marked as version 4, which the recipe does not know.",
        b'{"alias":"John Doe","email":"john@acme.example","version":4}'),
    with_person(
        "model.step-failed", "The person of version 1 has an alias already, which the name is to become.",
        b'{"name":"John Doe","age":"23","email":"john@acme.example","alias":"Johnny"}'),
    with_person(
        "model.unknown-version", "The person has neither a name nor an alias.",
        b'{"nickname":"Johnny","age":"23","email":"john@acme.example"}'),
]
EXAMPLES: list[Example] = [
    *IDENTITY, *TRAITS, *SESSION, *APP, *SOURCE, *SDKS, *TARGETS, *CONSENT, *DROPPED, *LIVE, *MODELS, *BETA, *CONVERT,
]


def finding_files() -> Files:
    """All examples, with an index: how each is opened, and what makes it differ from `Clean`."""
    files = {f"{example.container}/{path}": data for example in EXAMPLES for path, data in example.files.items()}
    return {**files, "index.json": text({"examples": [example.entry() for example in EXAMPLES]})}
