"""Examples of findings about versioned models. They start from `Person`, not from `Clean`."""

from __future__ import annotations

from .finding import Example
from .people import person


def with_person(code: str, change: str, model: bytes | str) -> Example:
    return Example(code, change, person(model), write_key=None, more_options=("--recipe", "person"))


MODELS = [
    with_person("model.corrupt", "The person ends in the middle of its JSON.", b'{"name":"John Doe","ag'),
    with_person(
        "model.newer-version",
        "The person is marked as version 4, which the recipe does not know.",
        b'{"alias":"John Doe","email":"john@acme.example","version":4}',
    ),
    with_person(
        "model.step-failed",
        "The person of version 1 has an alias already, which the name is to become.",
        b'{"name":"John Doe","age":"23","email":"john@acme.example","alias":"Johnny"}',
    ),
    with_person(
        "model.unknown-version",
        "The person has neither a name nor an alias.",
        b'{"nickname":"Johnny","age":"23","email":"john@acme.example"}',
    ),
]
