"""The review by lines, fed with what no person types, and left at every question: nothing is written that was not asked for and
agreed to in full."""

import random
import subprocess

import containers
from session import Session, plain_environment
from stream import print_faults

# What leads to each question.
QUESTIONS = {
    "fields": [], "value": ["edit"], "stores": ["stores"], "apply": ["accept", "next", "apply"], "quit": ["skip", "quit"],
    "history": ["history"], "inside": ["stores", "1", "space"],
}
FLOODS = {
    "yes": b"yes\n" * 5_000, "y": b"y\n" * 5_000, "enter": b"\n" * 5_000, "nul": b"\0" * 1_000_000, "line": b"a" * 10_000_000,
    "escapes": b"\x1b[2J\x9b\xe2\x80\xae\n" * 5_000, "marks": "\u0301".encode() * 1_000_000 + b"\n", "cr": b"yes\r" * 1000,
    "almost": b"apply\nYes\n yes please\nye\ny\nyes\0\n" + "y\u0435s".encode() + b"\nyes\x1b\nesc\napply\nesc\nyes\nquit\n",
}


def CASES(setting):
    return [f"flood {name}" for name in [*FLOODS, "random"]] + [f"{how} {name}" for how in ("end", "interrupt") for name in QUESTIONS]


def run(setting, case: str) -> list[str]:
    how, _, what = case.partition(" ")
    container = setting.sample("Clean")
    before = containers.contents(container)
    arguments = [setting.binary, "review", container, *containers.OPTIONS, "--accessible"]
    wrong = interrupt(arguments, what) if how == "interrupt" else feed(setting, arguments, how, what)
    if containers.contents(container) != before:
        wrong.append("written")
    return wrong


def feed(setting, arguments, how: str, what: str) -> list[str]:
    if how == "end":
        data = "".join(line + "\n" for line in QUESTIONS[what]).encode()
    else:
        data = FLOODS.get(what) or random.Random(setting.seed).randbytes(300_000)
    result = subprocess.run(arguments, input=data, capture_output=True, timeout=120, env=plain_environment())
    wrong = [] if result.returncode == 0 else [f"status {result.returncode}: {result.stderr[-300:]!r}"]
    if b"Applying" in result.stdout:
        wrong.append("something was agreed to")
    return wrong + print_faults(result.stdout)[:3] + print_faults(result.stderr)[:3]


def interrupt(arguments, what: str) -> list[str]:
    with Session(arguments) as session:
        def asked():
            return session.output.rstrip(b" ").endswith(b":")

        for line in QUESTIONS[what]:
            session.wait("a question", asked)
            count = session.output.count(b"\n")
            session.type(line + "\r")
            session.wait("the next one", lambda: session.output.count(b"\n") > count and asked())
        session.wait("a question", asked)
        session.type("half a line\x03")
        status = session.ended(limit=20)
        return ([] if status == 130 else [f"status {status}"]) + (
            [] if session.settings() == session.before else ["the terminal's settings differ"])
