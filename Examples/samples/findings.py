"""One container for every finding code, in the order of the codes, and an index of them."""

from __future__ import annotations

from .basics import Files, text
from .finding import Example
from .findings_convert import CONVERT
from .findings_models import MODELS
from .findings_sdks import BETA, SDKS
from .findings_stores import CONSENT, DROPPED, LIVE, SOURCE, TARGETS
from .findings_values import APP, IDENTITY, SESSION, TRAITS

EXAMPLES: list[Example] = [
    *IDENTITY,
    *TRAITS,
    *SESSION,
    *APP,
    *SOURCE,
    *SDKS,
    *TARGETS,
    *CONSENT,
    *DROPPED,
    *LIVE,
    *MODELS,
    *BETA,
    *CONVERT,
]


def index() -> bytes:
    """What `index.json` holds: how each example is opened, and what makes it differ from `Clean`."""
    return text({"examples": [example.entry() for example in EXAMPLES]})


def finding_folders() -> dict[str, Files]:
    """The folder of each example by its name, with its files."""
    return {example.name: example.placed_files() for example in EXAMPLES}
