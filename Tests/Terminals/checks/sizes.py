"""Resized at random while keys are typed: nothing is left over, and the screen is what a fresh one would be."""

import random
import signal

import containers
from display import Display
from session import Session

SIZES = [(0, 0), (1, 1), (2, 1), (1, 40), (300, 1), (300, 100), (59, 15), (60, 16), (80, 24)]
KEYS = "jkG gnN\rw?b/hl\x1b\t123AFfvxLr:+<HeR"


def CASES(setting):
    return [f"storm {number}" for number in range(10 if setting.long else 2)] + ["zero", "all"]


def run(setting, case: str) -> list[str]:
    kind, _, number = case.partition(" ")
    if kind == "zero":
        return zero(setting)
    if kind == "all":
        return every(setting)
    chance = random.Random(f"{setting.seed} {number}")
    display = Display(100, 30)
    with setting.review(setting.sample("AcmeShop"), display=display) as session:
        session.settle()
        columns = rows = 0
        for _ in range(200):
            columns, rows = chance.choice(SIZES) if chance.randrange(4) == 0 else (
                chance.randrange(1, 301), chance.randrange(1, 101))
            session.resize(columns, rows)
            if chance.randrange(2):
                session.type(chance.choice(KEYS))
            if chance.randrange(8) == 0:
                session.settle()
        columns, rows = chance.randrange(60, 200), chance.randrange(16, 60)
        session.shows = None
        session.resize(columns, rows)
        session.settle()
        if session.status is not None:
            return [f"ended with {session.status}"]
        return fresh(session, columns, rows)


def fresh(session, columns, rows) -> list[str]:
    """Compares the screen as it came to be with the same drawn anew."""
    if session.status is not None:
        return [f"ended with {session.status}"]
    came = Display(columns, rows)
    session.shows = came.feed
    session.resize(columns + 1, rows)
    came.screen.resize(rows, columns + 1)
    session.settle()
    came.screen.resize(rows, columns)
    session.resize(columns, rows)
    session.settle()
    drawn = Display(columns, rows)
    session.shows = drawn.feed
    session.signal(signal.SIGCONT)
    session.wait("a repaint", lambda: drawn.text.strip())
    session.settle()
    differing = [(row, column, one, other)
                 for row, (ones, others) in enumerate(zip(came.picture(), drawn.picture()))
                 for column, (one, other) in enumerate(zip(ones, others)) if one != other]
    wrong = [f"differs from a fresh screen: {differing[:4]}\n{came.text}\nfresh:\n{drawn.text}"] if differing else []
    return wrong + [f"a frame is broken: {line}" for line in came.broken_frames()[:1]]


def zero(setting) -> list[str]:
    """A line that does not know its size, as a serial one: the terminal's usual size is taken."""
    display = Display(80, 24)
    arguments = dict(columns=0, rows=0)
    with Session([setting.binary, setting.sample(), *containers.OPTIONS], shows=display.feed, **arguments) as session:
        session.settle()
        return [] if "q quit" in display.text and not display.broken_frames() else [f"{session.status}\n{display.text}"]


def every(setting) -> list[str]:
    """Every small size one after the other, and some large ones, drawn and left."""
    wrong = []
    display = Display(80, 24)
    with setting.review(setting.sample("AcmeShop"), display=display) as session:
        session.settle()
        sizes = [(columns, rows) for columns in range(1, 66, 7) for rows in range(1, 19, 3)] + SIZES[1:]
        for columns, rows in sizes:
            display.screen.resize(rows, columns)
            session.resize(columns, rows)
            session.settle()
            if session.status is not None:
                return [f"ended with {session.status} at {columns}x{rows}"]
            wrong += [f"{columns}x{rows}: {line}" for line in display.broken_frames()[:1]]
    return wrong
