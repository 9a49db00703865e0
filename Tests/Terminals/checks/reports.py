"""What a terminal reports, asked or not, acts as no key: keyboards' protocols, answers and strings, whole, torn and unended."""

import sys
import time

from display import Display

REPORTS = [
    # Keys: kitty's protocol, xterm's modifyOtherKeys, Windows', keypads, the Linux console, rxvt. Some end in letters and
    # signs that are bound.
    "\x1b[97;5u", "\x1b[97;5:3u", "\x1b[27u", "\x1b[121u", "\x1b[13;1:1u", "\x1b[57441;2u", "\x1b[97;5;97u", "\x1b[27;5;97~",
    "\x1b[27;5;121~", "\x1b[89;21;121;1;0;1_", "\x1b[89;21;0;1;32;1_", "\x1bOy", "\x1bOj", "\x1bO5s", "\x1b[[A", "\x1b[[E", "\x1b[7$",
    "\x1b[3@", "\x1b[a", "\x1b[1;5s", "\x1b[1;99q",
    # The mouse in its oldest form, over a place that reads y and space.
    "\x1b[M yy", "\x1b[M y ",
    # Focus, cursor, attributes, modes, sizes, colours.
    "\x1b[I", "\x1b[O", "\x1b[12;40R", "\x1b[?12;40R", "\x1b[?62;22c", "\x1b[>41;354;0c", "\x1b[?2026;2$y", "\x1b[4;1$y", "\x1b[8;24;80t",
    "\x1b[48;24;80;0;0t", "\x1b[?997;1n", "\x1b[0n", "\x1b[?1u", "\x1b[" + "9;" * 3000 + "9u",
    # Strings, with either end.
    "\x1b]11;rgb:0000/0000/0000\x07", "\x1b]10;rgb:ffff/ffff/ffff\x1b\\", "\x1b]52;c;eXkgeQ==\x07", "\x1b]52;c;eXkgeQ==\x1b\\", "\x1b]lay q\x1b\\",
    "\x1b]52;c;" + "eXkg" * 5000 + "\x1b\\", "\x1bP>|xterm(354)\x1b\\", "\x1bP1$r0 q\x1b\\", "\x1bP1+r5463=7879\x1b\\", "\x1b_Gi=31;ay y\x1b\\",
    "\x1b^ay y\x1b\\", "\x1bXay y\x07\x1b\\", "\x9b97;5u", "\x9d11;y\x9c", "\x90y\x07y\x9c", "\x1b]2;Ü ay ü\x1b\\",
]
# Screens in which a letter, space or Enter would do something, and how to come back.
PLACES = {"fields": ([], []), "preview": (["a"], ["\x1b"]), "editor": (["e"], ["\x1b"]), "help": (["?"], ["\x1b"]), "filter": (["f"], ["\x1b"])}
# Less than the command waits for the rest of a sequence.
PATIENCE = 0.4


def CASES(setting):
    return ([f"whole {term}" for term in ("xterm", "xterm-256color", "vt100", "linux")] + ["torn xterm", "torn xterm-256color"]
            + (["unended"] if sys.platform == "linux" else []))


def run(setting, case: str) -> list[str]:
    kind, _, term = case.partition(" ")
    if kind == "unended":
        return unended(setting)
    if kind == "torn":
        return torn(setting, term)
    return whole(setting, term)


def opened(setting, term: str):
    display = Display(100, 30)
    session = setting.review(setting.sample("AcmeShop"), display=display, term=term)
    session.settle()
    # Everything decided: something to undo, and to apply.
    press(session, ["g", "v", "G", " ", "\x1b"])
    return session, display


def press(session, keys) -> None:
    for key in keys:
        session.type(key)
        session.settle()


def changed(session, display, before, what: str) -> list[str]:
    if session.status is not None:
        return [f"{what} ended the command"]
    return [] if display.picture() == before else [f"{what} changed the screen:\n{display.text}"]


def whole(setting, term: str) -> list[str]:
    wrong = []
    session, display = opened(setting, term)
    with session:
        for place, (there, back) in PLACES.items():
            press(session, there)
            before = display.picture()
            if place == "preview" and "┌ Preview" not in display.text:
                wrong.append(f"not the preview:\n{display.text}")
            for report in REPORTS:
                session.type(report)
                session.settle()
                wrong += changed(session, display, before, f"{place}: {report[:40]!r}")
                if wrong:
                    return wrong
            press(session, back)
        # And keys are keys.
        before = display.picture()
        press(session, ["u"])
        if display.picture() == before:
            wrong.append("u undoes nothing")
    return wrong


def torn(setting, term: str) -> list[str]:
    """In two pieces, wherever it can be told from Escape; and a paste, whose beginning is a sequence itself."""
    for _ in range(5):
        wrong, longest = [], 0.0
        session, display = opened(setting, term)
        with session:
            before = display.picture()
            for report in REPORTS:
                report = report.encode()
                for place in sorted({2, len(report) // 2, len(report) - 1} - {1}):
                    start = time.monotonic()
                    session.type(report[:place])
                    session.settle()
                    session.type(report[place:])
                    longest = max(longest, time.monotonic() - start)
                    session.settle()
                    wrong = wrong or changed(session, display, before, f"{report[:place][:40]!r} and {report[place:][:40]!r}")
            if not wrong:
                mark = b"\x1b[200~"
                for place in range(2, len(mark)):
                    start = time.monotonic()
                    session.type(mark[:place])
                    session.settle()
                    session.type(mark[place:] + b"ay y\x1b[201~")
                    longest = max(longest, time.monotonic() - start)
                    session.settle()
                    wrong = wrong or changed(session, display, before, f"a paste that begins {mark[:place]!r}")
        # On a machine that paused between the pieces, the rest may be keys.
        if not wrong or longest < PATIENCE:
            break
    return wrong


def unended(setting) -> list[str]:
    """Given up when nothing more comes, and broken off by what ends a command."""
    wrong = []
    session, display = opened(setting, "xterm")
    with session:
        for start in ("\x1b]52;c;eXkg", "\x1bPy", "\x1b_y", "\x1b[9", "\x1bO", "\x1b[M "):
            before = display.picture()
            session.type(start)
            session.settle()
            wrong += changed(session, display, before, f"{start!r}")
            slept = session.count_sleeps()
            session.wait("the rest to be given up", lambda: session.count_sleeps() != slept)
            press(session, ["u"])
            if display.picture() == before:
                wrong.append(f"after {start!r} u undoes nothing")
            press(session, ["U"])
        session.type("\x1b]52;c;eXkg")
        session.settle()
        session.type("\x03")
        if session.ended() != 130:
            wrong.append(f"status {session.status}")
    return wrong
