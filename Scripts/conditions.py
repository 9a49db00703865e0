"""Which lines of a Swift source the compiler sees on a system, by their `#if`."""

import re

# The names that are true on Apple's systems and on Linux, in `canImport` and `os`.
APPLE = {"Darwin", "Security", "macOS"}
LINUX = {"Glibc", "Linux"}
NAME = re.compile(r"\b(?:canImport|os)\((" + "|".join(sorted(APPLE | LINUX | {"Musl"})) + r")\)")
DIRECTIVE = re.compile(r"\s*#(if|elseif|else|endif)\b(.*)")


def settled(line: str, names: set) -> str:
    """A line whose condition says true and false instead of names of systems."""
    if not DIRECTIVE.match(line):
        return line
    return NAME.sub(lambda match: "true" if match[1] in names else "false", line)


def seen(text: str, names: set) -> list:
    """For each line, whether the compiler sees it where these names are true. A condition about anything else may hold."""
    result, open_ones = [], []
    for line in text.splitlines():
        if match := DIRECTIVE.match(line):
            kind, condition = match[1], settled(line, names).split("//")[0].split(match[1], 1)[1]
            words = re.sub(r"[()!\s]|&&|\|\|", " ", condition).split()
            known = bool(words) and set(words) <= {"true", "false"}
            python = condition.replace("!", " not ").replace("&&", " and ").replace("||", " or ")
            holds = eval(python.strip(), {"true": True, "false": False}) if known else kind != "endif"
            if kind == "if":
                open_ones.append([holds, holds and known])
            elif kind == "endif":
                open_ones.pop()
            else:
                # After a condition that is certain, no other branch counts.
                open_ones[-1] = [holds and not open_ones[-1][1], open_ones[-1][1] or (holds and known)]
            result.append(False)
        else:
            result.append(all(holds for holds, _ in open_ones))
    return result


def only_apple(text: str) -> list:
    """For each line, whether the compiler sees it on Apple's systems alone."""
    return [apple and not linux for apple, linux in zip(seen(text, APPLE), seen(text, LINUX))]
