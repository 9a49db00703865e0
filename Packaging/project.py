"""What every package says of the project, and what others call its processors. A release needs its own HOME and MAINTAINER."""

from __future__ import annotations

import datetime

HOME = "https://github.com/example/carryover"
MAINTAINER = "Carryover maintainers <carryover@example.com>"
SUMMARY = "Inspector and migrator for the data of iOS apps"
DESCRIPTION = """\
Carryover opens the data that an iOS app has stored on a device, shows what an
update to another SDK would lose, and migrates it field by field, with a
rollback."""
# What Debian and container images say, then what rpm says.
PROCESSORS = {"x86_64": ("amd64", "x86_64"), "arm64": ("arm64", "aarch64")}
DAYS, MONTHS = "Mon Tue Wed Thu Fri Sat Sun".split(), "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def processor(version: dict) -> tuple[str, str]:
    return PROCESSORS[version["target"].split("-")[1]]


def second(day: datetime.date) -> int:
    """When a day begins, in seconds since 1970."""
    return int(datetime.datetime.combine(day, datetime.time(), datetime.timezone.utc).timestamp())


def words(day: datetime.date) -> tuple[str, str]:
    """The names of a day's weekday and month in changelogs. strftime's are words of the locale."""
    return DAYS[day.weekday()], MONTHS[day.month - 1]
