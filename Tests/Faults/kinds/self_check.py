"""A check of the check: the kills again with a call of the command swallowed, which must leave wrong containers.

Kills right after the swallowed call are tried; those on calls of the same name cannot be, because strace does one thing
to a name at a time.
"""

from __future__ import annotations

from dataclasses import replace

import breaks
from kinds import kill
from setting import Case, Result, Setting, thinned

NAME = "self-check"


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for name in breaks.BREAKS:
        for job in setting.jobs.values():
            if not breaks.shows(name, job):
                continue
            at = breaks.swallowed(name, job)
            later = [one for one in job.points if one.writes and one.order > at.order and one.call != at.call]
            later = thinned(later, 15) if setting.short else later
            found += [Case(NAME, job.name, (name, one.call, str(one.index))) for one in later]
    return found


def run_case(setting: Setting, case: Case) -> Result:
    name, *words = case.words
    result = kill.run_case(replace(setting, broken=name), Case(kill.NAME, case.job, tuple(words)))
    found = Result(case, result.injected)
    found.wrong = [(case, lines) for _, lines in result.wrong]
    # A call that is no longer made, because the loss was noticed at once, is no miss.
    return found
