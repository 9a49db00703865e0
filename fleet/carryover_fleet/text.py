"""Errors for the user, and text that a terminal can show."""

import json
import re
import unicodedata

HIDDEN = ("Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp", "Zs")
# Unicode calls these default-ignorable, though they are in another category.
IGNORABLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")


class FleetError(Exception):
    """What happened, where, and what to do. `status` is the exit status of the command."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message, status)
        self.status = status

    def __str__(self) -> str:
        return visible(self.args[0])


def visible(text: str) -> str:
    """Escapes whatever a terminal does not show, as the rows of an audit do."""
    def escaped(match: re.Match) -> str:
        one = match[0]
        is_hidden = unicodedata.category(one) in HIDDEN and one != "\u3000" or IGNORABLE.match(one)
        return json.dumps(one)[1:-1] if is_hidden else one
    return re.sub("[^ -~]", escaped, text)


def first_line(error: BaseException) -> str:
    return visible((str(error).strip().splitlines() or [type(error).__name__])[0])


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
