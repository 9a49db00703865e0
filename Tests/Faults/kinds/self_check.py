"""A check of the check: the kills again with a call of the command swallowed, which must leave wrong containers.

With the journal lost, several files are left on different sides; with the record lost, nobody knows what a run was; with a note of
the library's lost, a value is replaced by an older one or migrated twice. A forged run with a right seal is obeyed."""

from dataclasses import replace

from kinds import forged, kill, library
from setting import Case, Result, Setting, some

NAME = "self-check"


def cases(setting: Setting, earlier: list[Result]) -> list[Case]:
    found = []
    for name in kill.BREAKS:
        for job in setting.jobs.values():
            if setting.short and name == "record" and job.name != "apply":
                continue
            points = kill.showing(name, job)
            for one in some(points, 10) if setting.short else points:
                found.append(Case(NAME, job.name, (name, one.call, str(one.index))))
    return found + library.broken_cases(setting, NAME) + forged.broken_cases(setting, NAME)


def run_case(setting: Setting, case: Case, result: Result) -> None:
    name, *words = case.words
    if name == forged.BREAK:
        forged.run_broken(setting, case, result)
    elif name in library.BREAKS:
        library.run_case(setting, case, result)
    else:
        kill.run_case(replace(setting, broken=name), Case(kill.NAME, case.job, tuple(words)), result)
        result.wrong = [(case, lines) for _, lines in result.wrong]
    # A call that is no longer made, because the loss was noticed at once, is no miss.
    result.missed.clear()
