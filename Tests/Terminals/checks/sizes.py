"""Resized at random while keys are typed: nothing is left over, and the screen is what a fresh one would be."""

import random
import signal

from display import Display

SIZES = [(0, 0), (1, 1), (2, 1), (1, 40), (300, 1), (300, 100), (59, 15), (60, 16), (80, 24)]
KEYS = "jkG gnN\rw?b/hl\x1b\t123AFfvxLr:+<HeR"


def CASES(setting):
    return [f"storm {number}" for number in range(10 if setting.long else 2)] + ["unknown", "all"]


def run(setting, case: str) -> list[str]:
    kind, _, number = case.partition(" ")
    if kind == "unknown":
        # A line that does not know its size, as a serial one: the terminal's usual size is taken.
        session, display = setting.review(setting.sample(), display=Display(80, 24), columns=0, rows=0)
        with session:
            return [] if "q quit" in display.text and not display.broken_frames() else [f"{session.status}\n{display.text}"]
    session, display = setting.review(setting.sample("AcmeShop"))
    with session:
        return every(session, display) if kind == "all" else storm(session, random.Random(f"{setting.seed} {number}"))


def storm(session, chance) -> list[str]:
    for _ in range(200):
        session.resize(*(chance.choice(SIZES) if chance.randrange(4) == 0 else (chance.randrange(1, 301), chance.randrange(1, 101))))
        session.type(chance.choice(KEYS) if chance.randrange(2) else "")
        if chance.randrange(8) == 0:
            session.settle()
    columns, rows = chance.randrange(60, 200), chance.randrange(16, 60)
    session.shows = None
    session.resize(columns, rows)
    session.settle()
    if session.status is not None:
        return [f"ended with {session.status}"]
    # The screen as it came to be, and the same drawn anew.
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
    wrong = [] if came.picture() == drawn.picture() else [f"differs from a fresh screen:\n{came.text}\nfresh:\n{drawn.text}"]
    return wrong + [f"a frame is broken: {line}" for line in came.broken_frames()[:1]]


def every(session, display) -> list[str]:
    """Every small size one after the other, and some large ones."""
    wrong = []
    for columns, rows in [(columns, rows) for columns in range(1, 66, 7) for rows in range(1, 19, 3)] + SIZES[1:]:
        display.screen.resize(rows, columns)
        session.resize(columns, rows)
        session.settle()
        if session.status is not None:
            return [f"ended with {session.status} at {columns}x{rows}"]
        wrong += [f"{columns}x{rows}: {line}" for line in display.broken_frames()[:1]]
    return wrong
